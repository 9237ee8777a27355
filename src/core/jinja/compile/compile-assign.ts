/** These functions compile `set` in both forms, and everything else that gives a name a value. */

import { Namespace } from '../library/namespace.ts';
import type { AssignTarget, BlockSetNode, SetNode } from '../parse/ast.ts';
import { unpack } from '../values/container/iterate.ts';
import { str } from '../values/print.ts';
import { Markup } from '../values/text/markup.ts';
import { PythonError, type Value } from '../values/value.ts';
import { compileCapture } from './compile-capture.ts';
import { compileExpression } from './compile-parts.ts';
import { type CompilePlace, readVariable, siteOf } from './compile-place.ts';
import { type Execute, GO_ON } from './compiled-template.ts';
import type { Frame } from './frame.ts';

export type Assign = (frame: Frame, value: Value) => void;

export function compileSet(node: SetNode, place: CompilePlace): Execute {
  const check = namespaceCheck(node.target, place);
  const value = compileExpression(node.value, place);
  const assign = compileAssign(node.target, place);
  return (frame) => {
    check?.(frame);
    assign(frame, value(frame));
    return GO_ON;
  };
}

/** `{% set x %}…{% endset %}`: the text is HTML where the template escapes. */
export function compileBlockSet(node: BlockSetNode, place: CompilePlace): Execute {
  const { execute, slot } = compileCapture(node.body, node.filter, { ...place, checksOutput: false });
  const assign = compileAssign(node.target, place);
  return (frame) => {
    const flow = execute(frame);
    // A `break` inside leaves the loop around the block: nothing is assigned.
    if (flow !== GO_ON) return flow;
    const text = frame.slots[slot] as Value;
    assign(frame, frame.context.autoescape && !(text instanceof Markup) ? new Markup(str(text)) : text);
    return GO_ON;
  };
}

/** Assigns to the target, and at the top level to the context, where blocks and importing templates see it. */
export function compileAssign(target: AssignTarget, place: CompilePlace): Assign {
  const assign = compileAssignTarget(target, place);
  const names = place.topLevel ? namesOf(target) : [];
  if (names.length === 0) return assign;
  const variables = names.map((name) => ({ name, read: readName(name, place) }));
  return (frame, value) => {
    assign(frame, value);
    for (const { name, read } of variables) {
      frame.context.assign(name, read(frame) as Value);
      frame.context.exportName(name);
    }
  };
}

/** Assigns to the target's variables only. */
export function compileAssignTarget(target: AssignTarget, place: CompilePlace): Assign {
  switch (target.kind) {
    case 'name': {
      const slot = slotOf(target.name, place);
      return (frame, value) => {
        frame.slots[slot] = value;
      };
    }
    case 'namespaceAttribute': {
      const read = readName(target.name, place);
      const { attribute } = target;
      return (frame, value) => (read(frame) as Namespace).set(attribute, value);
    }
    case 'tupleTarget': {
      const items = target.items.map((item) => compileAssignTarget(item, place));
      const site = siteOf(place, target.at);
      return (frame, value) => {
        frame.pass.at = site;
        const values = unpack(value, items.length);
        for (let i = 0; i < items.length; i++) (items[i] as Assign)(frame, values[i] as Value);
      };
    }
  }
}

/** Before the value is computed: `ns.attr` can only be assigned on a namespace. */
function namespaceCheck(target: AssignTarget, place: CompilePlace): ((frame: Frame) => void) | undefined {
  if (target.kind === 'name') return undefined;
  if (target.kind === 'tupleTarget') {
    const checks = target.items.flatMap((item) => namespaceCheck(item, place) ?? []);
    return checks.length === 0 ? undefined : (frame) => checks.forEach((check) => void check(frame));
  }
  const read = readName(target.name, place);
  const site = siteOf(place, target.at);
  return (frame) => {
    if (read(frame) instanceof Namespace) return;
    frame.pass.at = site;
    throw new PythonError('TemplateRuntimeError', 'cannot assign attribute on non-namespace object');
  };
}

function namesOf(target: AssignTarget): readonly string[] {
  if (target.kind === 'name') return [target.name];
  return target.kind === 'tupleTarget' ? target.items.flatMap(namesOf) : [];
}

function readName(name: string, place: CompilePlace): ReturnType<typeof readVariable> {
  return readVariable(place.scope.find(name) ?? place.unit.contextVariable(name), place.unit);
}

/** The slot of a name that the scope writes; scope.ts gave it one in this unit. */
export function slotOf(name: string, place: CompilePlace): number {
  return (place.scope.find(name) ?? place.unit.contextVariable(name)).slot;
}
