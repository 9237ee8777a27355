/** These functions compile statements to closures, and bodies: statements in their order. */
import type {
  AssignTarget,
  AutoescapeNode,
  DoNode,
  FilterBlockNode,
  IfNode,
  ProfileNode,
  ScopeNode,
  Statement,
  WithNode,
} from '../parse/ast.ts';
import { truthy } from '../values/truthy.ts';
import type { Value } from '../values/value.ts';
import { compileAssignTarget, compileBlockSet, compileSet } from './compile-assign.ts';
import { compileCapture } from './compile-capture.ts';
import { compileImportData, compileLoad } from './compile-data.ts';
import { compileFromImport, compileImport, compileInclude } from './compile-import.ts';
import { compileBlock, compileExtends } from './compile-inherit.ts';
import { compileFor } from './compile-loop.ts';
import { compileCallBlock, compileMacro } from './compile-macro.ts';
import {
  compileOutput,
  compilePair,
  compileText,
  isFixed,
  isTextThenOutput,
  writeText,
} from './compile-output.ts';
import { compileBody, compileDecision, compileExpression, constantValue } from './compile-parts.ts';
import { type CompilePlace, enterScope, inBranch, inScope, siteOf } from './compile-place.ts';
import { BREAK, CONTINUE, type Execute, GO_ON } from './compiled-template.ts';
import { hasLoopControl } from './find-names.ts';
import { readBody, readExpression, readWith } from './read-scope.ts';
import { Scope } from './scope.ts';

/** The statements of a body one after the other; a `break` or `continue` ends it early. */
export function bodyCompiler(nodes: readonly Statement[], place: CompilePlace): Execute {
  const steps: Execute[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as Statement;
    if (node.kind === 'extends') {
      const { execute, stop } = compileExtends(node, place, place.compilation.self);
      steps.push(execute);
      if (stop) break;
      continue;
    }
    const joins = isFixed(node, place) && isFixed(nodes[index - 1], place);
    const next = nodes[index + 1];
    const pair = !joins && node.kind === 'text' && isTextThenOutput(node, next, place);
    const step = pair ? compilePair(node, next, place) : compileStatement(node, place, joins);
    if (pair) index++;
    if (step !== undefined) steps.push(step);
  }
  return hasLoopControl(nodes) ? interruptible(steps) : sequence(steps);
}

const BUNDLE_MAX = 4;

/** Steps of which none ends the body early, in bundles: a loop over an array costs more than calls in a row. */
function sequence(steps: readonly Execute[]): Execute {
  if (steps.length <= BUNDLE_MAX) return bundle(steps);
  const bundles: Execute[] = [];
  for (let i = 0; i < steps.length; i += BUNDLE_MAX) bundles.push(bundle(steps.slice(i, i + BUNDLE_MAX)));
  if (bundles.length <= BUNDLE_MAX) return bundle(bundles);
  return (frame) => {
    for (let i = 0; i < bundles.length; i++) (bundles[i] as Execute)(frame);
    return GO_ON;
  };
}

function bundle(steps: readonly Execute[]): Execute {
  const [first = nothing, second = nothing, third = nothing, fourth = nothing] = steps;
  if (steps.length <= 1) return first;
  if (steps.length === 2)
    return (frame) => {
      first(frame);
      return second(frame);
    };
  if (steps.length === 3)
    return (frame) => {
      first(frame);
      second(frame);
      return third(frame);
    };
  return (frame) => {
    first(frame);
    second(frame);
    third(frame);
    return fourth(frame);
  };
}

const nothing: Execute = () => GO_ON;

function interruptible(steps: readonly Execute[]): Execute {
  return (frame) => {
    for (let i = 0; i < steps.length; i++) {
      const flow = (steps[i] as Execute)(frame);
      if (flow !== GO_ON) return flow;
    }
    return GO_ON;
  };
}

/** undefined: the statement does nothing where it stands. */
function compileStatement(
  node: Exclude<Statement, { kind: 'extends' }>,
  place: CompilePlace,
  joins: boolean,
): Execute | undefined {
  const { self } = place.compilation;
  switch (node.kind) {
    case 'text':
      return compileText(node, place, joins);
    case 'output':
      return compileOutput(node, place, joins);
    case 'if':
      return compileIf(node, place);
    case 'for':
      return compileFor(node, place);
    case 'set':
      return compileSet(node, place);
    case 'blockSet':
      return compileBlockSet(node, place);
    case 'macro':
      return compileMacro(node, place);
    case 'callBlock':
      return compileCallBlock(node, place);
    case 'filterBlock':
      return compileFilterBlock(node, place);
    case 'with':
      return compileWith(node, place);
    case 'block':
      return compileBlock(node, place);
    case 'include':
      return compileInclude(node, place, self);
    case 'import':
      return compileImport(node, place, self);
    case 'fromImport':
      return compileFromImport(node, place, self);
    case 'do':
      return compileDo(node, place);
    case 'break':
      return () => BREAK;
    case 'continue':
      return () => CONTINUE;
    case 'autoescape':
      return compileAutoescape(node, place);
    case 'scope':
      return compileScope(node, place);
    case 'load':
      return compileLoad(node, place);
    case 'importData':
      return compileImportData(node, place, self);
    case 'profile':
      return compileProfile(node, place);
  }
}

function compileIf(node: IfNode, place: CompilePlace): Execute {
  const branch = inBranch(place);
  const tests = node.branches.map(({ test }) => compileDecision(test, branch));
  const bodies = node.branches.map(({ body }) => compileBody(body, branch));
  const otherwise = compileBody(node.otherwise ?? [], branch);
  const [test, second] = tests;
  const [body] = bodies;
  if (test !== undefined && body !== undefined && second === undefined)
    return (frame) => (test(frame) ? body(frame) : otherwise(frame));
  return (frame) => {
    for (let i = 0; i < tests.length; i++)
      if ((tests[i] as (typeof tests)[number])(frame)) return (bodies[i] as Execute)(frame);
    return otherwise(frame);
  };
}

function compileDo(node: DoNode, place: CompilePlace): Execute {
  const value = compileExpression(node.value, place);
  return (frame) => {
    value(frame);
    return GO_ON;
  };
}

function compileFilterBlock(node: FilterBlockNode, place: CompilePlace): Execute {
  const { execute, slot } = compileCapture(node.body, node.filter, place);
  const site = siteOf(place, node.at);
  return (frame) => {
    const flow = execute(frame);
    if (flow === GO_ON) writeText(frame.slots[slot] as Value, frame, site);
    return flow;
  };
}

/** The values are computed outside: no target is visible to the value of the next. */
function compileWith(node: WithNode, place: CompilePlace): Execute {
  const scope = new Scope(place.unit, place.scope);
  readWith(scope, node);
  scope.settle();
  const inside = inScope(place, scope);
  const pairs = node.values.map((value, index) => ({
    value: compileExpression(value, place),
    assign: compileAssignTarget(node.targets[index] as AssignTarget, inside),
  }));
  const enter = enterScope(scope);
  const body = compileBody(node.body, inside);
  return (frame) => {
    enter?.(frame);
    for (const { assign, value } of pairs) assign(frame, value(frame));
    return body(frame);
  };
}

function compileScope(node: ScopeNode, place: CompilePlace): Execute {
  const scope = new Scope(place.unit, place.scope);
  readBody(scope, node.body);
  scope.settle();
  const enter = enterScope(scope);
  const body = compileBody(node.body, inScope(place, scope));
  return (frame) => {
    enter?.(frame);
    return body(frame);
  };
}

function compileAutoescape(node: AutoescapeNode, place: CompilePlace): Execute {
  const scope = new Scope(place.unit, place.scope);
  readExpression(scope, node.enabled);
  readBody(scope, node.body);
  scope.settle();
  const constant = constantValue(node.enabled);
  const inside: CompilePlace = {
    ...inScope(place, scope),
    autoescape: constant === undefined ? place.autoescape : truthy(constant),
    volatile: constant === undefined,
  };
  const enter = enterScope(scope);
  const enabled = compileExpression(node.enabled, inside);
  const body = compileBody(node.body, inside);
  return (frame) => {
    enter?.(frame);
    const { context } = frame;
    const before = context.switchAutoescape(enabled(frame));
    const flow = body(frame);
    context.switchAutoescape(before);
    return flow;
  };
}

/** Salt times the body; here it only runs, so that a render stays the same however long it takes. */
function compileProfile(node: ProfileNode, place: CompilePlace): Execute {
  const scope = new Scope(place.unit, place.scope);
  readExpression(scope, node.label);
  readBody(scope, node.body);
  scope.settle();
  const enter = enterScope(scope);
  const inside = inScope(place, scope);
  const label = compileExpression(node.label, inside);
  const body = compileBody(node.body, inside);
  return (frame) => {
    enter?.(frame);
    label(frame);
    return body(frame);
  };
}
