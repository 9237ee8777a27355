/** These functions compile calls, filters and tests. Arguments that are the same in every render are made once. */
import type { ArgumentNodes, AttributeNode, CallNode, FilterNode, TestNode } from '../parse/ast.ts';
import { searchWork, textWork, withWorkCounted } from '../render/long-work.ts';
import { nearNames } from '../render/near-names.ts';
import { isUndefined } from '../render/undefined.ts';
import { NO_ARGUMENTS } from '../values/arguments.ts';
import { methodOf } from '../values/attribute.ts';
import { Dict } from '../values/container/dict.ts';
import { iteratorOf } from '../values/container/iterate.ts';
import { repr } from '../values/print.ts';
import { Markup, textOf } from '../values/text/markup.ts';
import { typeName } from '../values/type-name.ts';
import { type Arguments, PythonError, type Value } from '../values/value.ts';
import { compileAll, compileExpression, constantValue, evaluateAll } from './compile-parts.ts';
import { type CompilePlace, compileError, siteOf } from './compile-place.ts';
import type { Evaluate } from './compiled-template.ts';
import type { Frame } from './frame.ts';
import type { Site } from './site.ts';

type MakeArguments = (frame: Frame) => Arguments;

export interface CompiledCall {
  readonly callee: Evaluate;
  readonly args: MakeArguments;
  readonly site: Site;
}

export function compileCall(node: CallNode, place: CompilePlace): Evaluate {
  if (node.callee.kind === 'attribute') return compileMethodCall(node, node.callee, place);
  const { callee, args, site } = compileCallParts(node, place);
  return (frame) => {
    const target = callee(frame);
    const given = args(frame);
    frame.pass.at = site;
    return frame.context.call(target, given);
  };
}

/** `x.name(…)`: a method of a built-in type is called as it is, without a bound method in between. */
function compileMethodCall(node: CallNode, callee: AttributeNode, place: CompilePlace): Evaluate {
  const object = compileExpression(callee.object, place);
  const { name } = callee;
  const lookupSite = siteOf(place, callee.at);
  const site = siteOf(place, node.at);
  const args = compileArguments(node.args, place, site);
  const isLinear = LINEAR_METHODS.has(name);
  // The format methods are functions of their own in the sandbox.
  const isFormat = name === 'format' || name === 'format_map';
  return (frame) => {
    const self = object(frame);
    const method = isFormat ? undefined : methodOf(self, name);
    if (method !== undefined) {
      const given = args(frame);
      frame.pass.at = site;
      frame.pass.steps.charge(isLinear ? searchWork(self) : textWork(self));
      return withWorkCounted(method(self, given, frame.context), frame.pass.steps);
    }
    frame.pass.at = lookupSite;
    const target = frame.context.getAttribute(self, name);
    const given = args(frame);
    frame.pass.at = site;
    return frame.context.call(target, given);
  };
}

/** Methods of lists that look through the whole list, or copy it. */
const LINEAR_METHODS: ReadonlySet<string> = new Set([
  'copy',
  'count',
  'extend',
  'index',
  'insert',
  'remove',
  'reverse',
  'sort',
]);

/** A call in its parts, for those who do more with the callee than calling it. */
export function compileCallParts(node: CallNode, place: CompilePlace): CompiledCall {
  return {
    callee: compileExpression(node.callee, place),
    args: compileArguments(node.args, place, siteOf(place, node.at)),
    site: siteOf(place, node.at),
  };
}

const NO_NAMED: ReadonlyMap<string, Value> = NO_ARGUMENTS.named;

function compileArguments(args: ArgumentNodes, place: CompilePlace, site: Site): MakeArguments {
  const constant = constantArguments(args);
  if (constant !== undefined) return () => constant;
  const positional = compileAll(args.positional, place);
  const [first, second] = positional;
  if (args.star === undefined && args.doubleStar === undefined && args.named.length === 0) {
    if (first !== undefined && positional.length === 1)
      return (frame) => ({ positional: [first(frame)], named: NO_NAMED });
    if (first !== undefined && second !== undefined && positional.length === 2)
      return (frame) => ({ positional: [first(frame), second(frame)], named: NO_NAMED });
    return (frame) => ({ positional: evaluateAll(positional, frame), named: NO_NAMED });
  }
  const named = args.named.map(({ name, value }) => ({ name, value: compileExpression(value, place) }));
  const star = args.star === undefined ? undefined : compileExpression(args.star, place);
  const doubleStar = args.doubleStar === undefined ? undefined : compileExpression(args.doubleStar, place);
  return (frame) => {
    const values = evaluateAll(positional, frame);
    if (star !== undefined) spreadPositional(star(frame), values, frame, site);
    const names = new Map<string, Value>();
    for (const { name, value } of named) names.set(name, value(frame));
    if (doubleStar !== undefined) spreadNamed(doubleStar(frame), names, frame, site);
    return { positional: values, named: names };
  };
}

/** Literal arguments only: nothing can change them, so that all renders share one object. */
function constantArguments(args: ArgumentNodes): Arguments | undefined {
  if (args.star !== undefined || args.doubleStar !== undefined) return undefined;
  const positional: Value[] = [];
  for (const node of args.positional) {
    const value = constantValue(node);
    if (value === undefined) return undefined;
    positional.push(value);
  }
  const named = new Map<string, Value>();
  for (const { name, value: node } of args.named) {
    const value = constantValue(node);
    if (value === undefined) return undefined;
    named.set(name, value);
  }
  return { positional, named };
}

function spreadPositional(value: Value, into: Value[], frame: Frame, site: Site): void {
  frame.pass.at = site;
  const iterator = iteratorOf(value);
  if (iterator === undefined)
    throw new PythonError('TypeError', `Value after * must be an iterable, not ${typeName(value)}`);
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    frame.pass.steps.charge(1);
    into.push(next.value);
  }
}

function spreadNamed(value: Value, into: Map<string, Value>, frame: Frame, site: Site): void {
  frame.pass.at = site;
  if (!(value instanceof Dict)) {
    if (isUndefined(value)) value.fail();
    throw new PythonError('TypeError', `${CALL} argument after ** must be a mapping, not ${typeName(value)}`);
  }
  for (const [key, each] of value.entries()) {
    const name = textOf(key);
    if (name === undefined) throw new PythonError('TypeError', 'keywords must be strings');
    if (into.has(name))
      throw new PythonError('TypeError', `${CALL} got multiple values for keyword argument ${repr(name)}`);
    frame.pass.steps.charge(1);
    into.set(name, each);
  }
}

/** How Python names the function that Jinja2's sandbox makes all calls with. */
const CALL = 'jinja2.sandbox.SandboxedEnvironment.call()';

export function compileFilter(node: FilterNode, place: CompilePlace): Evaluate {
  const filter = place.compilation.engine.filters.get(node.name);
  if (filter === undefined) refuseOutsideOfBranch('filter', node, place);
  const input = node.input === undefined ? capturedText(place) : compileExpression(node.input, place);
  const site = siteOf(place, node.at);
  const args = compileArguments(node.args, place, site);
  if (filter === undefined) return unknown('filter', node, place, input, args);
  return (frame) => {
    const value = input(frame);
    const given = args(frame);
    frame.pass.at = site;
    frame.pass.steps.charge(textWork(value));
    return withWorkCounted(filter.call(value, given, frame.context), frame.pass.steps);
  };
}

export function compileTest(node: TestNode, place: CompilePlace): Evaluate {
  const test = place.compilation.engine.tests.get(node.name);
  if (test === undefined) refuseOutsideOfBranch('test', node, place);
  const input = compileExpression(node.input, place);
  const site = siteOf(place, node.at);
  const args = compileArguments(node.args, place, site);
  if (test === undefined) return unknown('test', node, place, input, args);
  return (frame) => {
    const value = input(frame);
    const given = args(frame);
    frame.pass.at = site;
    frame.pass.steps.charge(textWork(value));
    return test.call(value, given, frame.context);
  };
}

type Unknown = 'filter' | 'test';

/** An unknown filter or test is found before the template runs, the last of a chain first. */
function refuseOutsideOfBranch(what: Unknown, node: FilterNode | TestNode, place: CompilePlace): void {
  if (!place.branch)
    throw compileError(place, node.at, `No ${what} named '${node.name}'.`, nearFor(what, node.name, place));
}

/** In a branch, which may never run, it is found when it does. */
function unknown(
  what: Unknown,
  node: FilterNode | TestNode,
  place: CompilePlace,
  input: Evaluate,
  args: MakeArguments,
): Evaluate {
  const { name } = node;
  const near = nearFor(what, name, place);
  const site = siteOf(place, node.at);
  return (frame) => {
    input(frame);
    args(frame);
    frame.pass.at = site;
    throw new PythonError('TemplateRuntimeError', `No ${what} named '${name}' found.`, near);
  };
}

function nearFor(what: Unknown, name: string, place: CompilePlace): readonly string[] {
  return nearNames(name, place.compilation.engine[`${what}s`].keys());
}

/** The text that a filter block or block set captured, at the start of its filters. */
function capturedText(place: CompilePlace): Evaluate {
  const slot = place.captured ?? 0;
  return (frame) => {
    const text = frame.slots[slot];
    if (typeof text !== 'string') return '';
    const escapes = place.volatile ? frame.context.autoescape : place.autoescape;
    return escapes ? new Markup(text) : text;
  };
}
