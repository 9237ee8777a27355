/**
 * `Compilers` lets the compilers of the various nodes compile the nodes inside of theirs without importing each other.
 */
import type { Expression, LiteralNode, Statement } from '../parse/ast.ts';
import { Float } from '../values/number/float.ts';
import type { Value } from '../values/value.ts';
import type { CompilePlace } from './compile-place.ts';
import type { Decide, Evaluate, Execute } from './compiled-template.ts';
import type { Frame } from './frame.ts';

export interface Compilers {
  expression(node: Expression, place: CompilePlace): Evaluate;
  decision(node: Expression, place: CompilePlace): Decide;
  body(nodes: readonly Statement[], place: CompilePlace): Execute;
}

export function compileExpression(node: Expression, place: CompilePlace): Evaluate {
  return place.compilation.compilers.expression(node, place);
}

/** An expression of which only the truth is asked. */
export function compileDecision(node: Expression, place: CompilePlace): Decide {
  return place.compilation.compilers.decision(node, place);
}

export function compileBody(nodes: readonly Statement[], place: CompilePlace): Execute {
  return place.compilation.compilers.body(nodes, place);
}

export function compileAll(nodes: readonly Expression[], place: CompilePlace): readonly Evaluate[] {
  return nodes.map((node) => compileExpression(node, place));
}

export function evaluateAll(items: readonly Evaluate[], frame: Frame): Value[] {
  const values: Value[] = [];
  for (let i = 0; i < items.length; i++) values.push((items[i] as Evaluate)(frame));
  return values;
}

export function literalValue(node: LiteralNode): Value {
  const { literal } = node;
  if (literal.type === 'none') return null;
  return literal.type === 'float' ? new Float(literal.value) : literal.value;
}

/** The value of an expression that is the same in every render; undefined for every other. */
export function constantValue(node: Expression): Value | undefined {
  return node.kind === 'literal' ? literalValue(node) : undefined;
}
