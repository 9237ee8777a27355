/** `compileFor` compiles `for`, with `else`, a filter, unpacking, `loop` and recursion. */
import type { ForNode } from '../parse/ast.ts';
import { LoopContext, type Recurse } from '../render/loop-context.ts';
import { each, iterate } from '../values/container/iterate.ts';
import { generator } from '../values/container/iterator.ts';
import { Tuple } from '../values/container/tuple.ts';
import type { Value } from '../values/value.ts';
import { type Assign, compileAssignTarget, slotOf } from './compile-assign.ts';
import { compileBody, compileDecision, compileExpression } from './compile-parts.ts';
import { type CompilePlace, compileError, enterScope, inScope, siteOf } from './compile-place.ts';
import { BREAK, type Decide, type Execute, type Flow, GO_ON } from './compiled-template.ts';
import { blocksIn, namesReadUndeclared, writeToLoop } from './find-names.ts';
import { Frame } from './frame.ts';
import { readBody, readLoopBody, readLoopFilter } from './read-scope.ts';
import { Scope, Unit } from './scope.ts';
import type { Site } from './site.ts';

/** The parts of a loop, compiled. */
interface Loop {
  readonly site: Site;
  readonly assign: Assign;
  readonly enter: ((frame: Frame) => void) | undefined;
  readonly body: Execute;
  /** The slot of `loop`; undefined where nothing in the body asks for it. */
  readonly loopSlot: number | undefined;
  readonly filter: LoopFilter | undefined;
  readonly otherwise: Execute | undefined;
}

interface LoopFilter {
  readonly enter: ((frame: Frame) => void) | undefined;
  readonly assign: Assign;
  readonly test: Decide;
}

export function compileFor(node: ForNode, place: CompilePlace): Execute {
  const forbidden = writeToLoop(node);
  if (forbidden !== undefined)
    throw compileError(place, forbidden, "Can't assign to special loop variable in for-loop target");
  const iterable = compileExpression(node.iterable, place);
  if (node.recursive) {
    const unit = new Unit(place.unit);
    return recursiveLoop(compileLoop(node, place, unit), iterable, unit);
  }
  const loop = compileLoop(node, place, place.unit);
  return (frame) => {
    const values = iterable(frame);
    frame.pass.at = loop.site;
    return runLoop(loop, values, frame, undefined, 0);
  };
}

function compileLoop(node: ForNode, place: CompilePlace, unit: Unit): Loop {
  const scope = new Scope(unit, place.scope);
  const hasLoop =
    node.recursive ||
    namesReadUndeclared(node.body, ['loop']).has('loop') ||
    blocksIn([...node.body, ...(node.otherwise ?? [])]).some((block) => block.scoped);
  if (hasLoop) scope.declareParameter('loop');
  readLoopBody(scope, node);
  scope.settle();
  const inside = inScope(place, scope);
  return {
    site: siteOf(place, node.iterable.at),
    assign: compileAssignTarget(node.target, inside),
    enter: enterScope(scope),
    body: compileBody(node.body, inside),
    loopSlot: hasLoop ? slotOf('loop', inside) : undefined,
    filter: compileLoopFilter(node, place, unit),
    otherwise: compileElse(node, place, unit),
  };
}

/** The filter has variables of its own: it may be asked about later items while the body still works on one. */
function compileLoopFilter(node: ForNode, place: CompilePlace, unit: Unit): LoopFilter | undefined {
  if (node.filter === undefined) return undefined;
  const scope = new Scope(unit, place.scope);
  readLoopFilter(scope, node);
  scope.settle();
  const inside = inScope(place, scope);
  return {
    enter: enterScope(scope),
    assign: compileAssignTarget(node.target, inside),
    test: compileDecision(node.filter, inside),
  };
}

function compileElse(node: ForNode, place: CompilePlace, unit: Unit): Execute | undefined {
  if (node.otherwise === undefined) return undefined;
  const scope = new Scope(unit, place.scope);
  readBody(scope, node.otherwise);
  scope.settle();
  const enter = enterScope(scope);
  const body = compileBody(node.otherwise, inScope(place, scope));
  return (frame) => {
    enter?.(frame);
    return body(frame);
  };
}

/** A loop that can call itself is a unit: each call has its own variables. */
function recursiveLoop(loop: Loop, iterable: (frame: Frame) => Value, unit: Unit): Execute {
  const run = (values: Value, around: Frame, depth0: number): void => {
    const frame = new Frame(unit.slots, around.context, around);
    const recurse: Recurse = (children, depth, caller) => {
      const { pass } = caller;
      pass.enter('loop called from', pass.at);
      run(children, around, depth);
      pass.leave();
    };
    runLoop(loop, values, frame, recurse, depth0);
  };
  return (frame) => {
    const values = iterable(frame);
    frame.pass.at = loop.site;
    run(values, frame, 0);
    return GO_ON;
  };
}

/** What `else` does with `break` and `continue` concerns the loop around, so that it is handed on. */
function runLoop(
  loop: Loop,
  values: Value,
  frame: Frame,
  recurse: Recurse | undefined,
  depth0: number,
): Flow {
  loop.filter?.enter?.(frame);
  const ran =
    loop.loopSlot === undefined
      ? runPlain(loop, values, frame)
      : runWithLoop(loop, loop.loopSlot, values, frame, recurse, depth0);
  return ran || loop.otherwise === undefined ? GO_ON : loop.otherwise(frame);
}

/**
 * Whether `else` is left out: some round must have come to its end. As in Jinja2, a round that ended with `break` or
 * `continue` does not count.
 */
function runPlain(loop: Loop, values: Value, frame: Frame): boolean {
  const list = values instanceof Tuple ? values.items : values;
  if (Array.isArray(list)) return runOverArray(loop, list, frame);
  const iterator = iterate(values);
  let ran = false;
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    if (!passes(loop, next.value, frame)) continue;
    const flow = runRound(loop, next.value, frame);
    if (flow === GO_ON) ran = true;
    else if (flow === BREAK) break;
    frame.pass.at = loop.site;
  }
  return ran;
}

/** The array is read as it is at each round: a list that the body appends to grows under the loop, as in Python. */
function runOverArray(loop: Loop, items: readonly Value[], frame: Frame): boolean {
  let ran = false;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Value;
    if (!passes(loop, item, frame)) continue;
    const flow = runRound(loop, item, frame);
    if (flow === GO_ON) ran = true;
    else if (flow === BREAK) break;
  }
  return ran;
}

function runWithLoop(
  loop: Loop,
  slot: number,
  values: Value,
  frame: Frame,
  recurse: Recurse | undefined,
  depth0: number,
): boolean {
  const source = loop.filter === undefined ? values : generator('filter', filtered(loop, values, frame));
  const context = new LoopContext(frame.context, source, recurse, depth0);
  let ran = false;
  for (let item = context.advance(); item !== undefined; item = context.advance()) {
    frame.slots[slot] = context;
    const flow = runRound(loop, item, frame);
    if (flow === GO_ON) ran = true;
    else if (flow === BREAK) break;
    frame.pass.at = loop.site;
  }
  return ran;
}

function* filtered(loop: Loop, values: Value, frame: Frame): Generator<Value, void> {
  for (const item of each(values)) if (passes(loop, item, frame)) yield item;
}

function passes({ filter }: Loop, item: Value, frame: Frame): boolean {
  if (filter === undefined) return true;
  frame.pass.steps.charge(1);
  filter.assign(frame, item);
  return filter.test(frame);
}

function runRound(loop: Loop, item: Value, frame: Frame): Flow {
  frame.pass.steps.charge(1);
  loop.assign(frame, item);
  loop.enter?.(frame);
  return loop.body(frame);
}
