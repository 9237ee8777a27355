/**
 * These functions compile bodies whose text is kept instead of written: of block sets, filter blocks and Salt's load
 * statements.
 */
import type { FilterNode, Statement } from '../parse/ast.ts';
import { compileBody, compileExpression } from './compile-parts.ts';
import { type CompilePlace, enterScope, inScope } from './compile-place.ts';
import { type Execute, GO_ON } from './compiled-template.ts';
import { readBody, readExpression } from './read-scope.ts';
import { Scope } from './scope.ts';

export interface Capture {
  /** Runs the body; a `break` or `continue` inside comes back, and then nothing was kept. */
  readonly execute: Execute;
  /** Where the text is afterwards, or what the filters made of it. */
  readonly slot: number;
}

/** The body has a scope of its own, and the arguments of the filters see its variables. */
export function compileCapture(
  body: readonly Statement[],
  filter: FilterNode | undefined,
  place: CompilePlace,
): Capture {
  const scope = new Scope(place.unit, place.scope);
  readBody(scope, body);
  readExpression(scope, filter);
  scope.settle();
  const slot = place.unit.newSlot();
  const inside: CompilePlace = { ...inScope(place, scope), captured: slot };
  const enter = enterScope(scope);
  const run = compileBody(body, inside);
  const filtered = filter === undefined ? undefined : compileExpression(filter, inside);
  return {
    slot,
    execute: (frame) => {
      enter?.(frame);
      const interrupted = frame.out.beginCapture();
      const flow = run(frame);
      frame.slots[slot] = frame.out.endCapture(interrupted);
      if (flow === GO_ON && filtered !== undefined) frame.slots[slot] = filtered(frame);
      return flow;
    },
  };
}
