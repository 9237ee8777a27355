/**
 * This part of the compiler compiles expressions to closures once, so that a render only runs them. One function for
 * each kind of node.
 */
import type {
  AttributeNode,
  ConditionNode,
  DictNode,
  Expression,
  ItemNode,
  NameNode,
  SliceNode,
} from '../parse/ast.ts';
import { withWorkCounted } from '../render/long-work.ts';
import { LoopContext } from '../render/loop-context.ts';
import { Undefined } from '../render/undefined.ts';
import { attributeOf } from '../values/attribute.ts';
import { Dict } from '../values/container/dict.ts';
import { sliceOf } from '../values/container/item.ts';
import { Slice } from '../values/container/slice.ts';
import { Tuple } from '../values/container/tuple.ts';
import { truthy } from '../values/truthy.ts';
import type { Value } from '../values/value.ts';
import { compileCall, compileFilter, compileTest } from './compile-call.ts';
import { compileBinary, compileCompare, compileConcat, compileUnary } from './compile-operators.ts';
import {
  compileAll,
  compileDecision,
  compileExpression,
  evaluateAll,
  literalValue,
} from './compile-parts.ts';
import {
  type CompilePlace,
  describePosition,
  inBranch,
  readVariable,
  resolveInto,
  siteOf,
} from './compile-place.ts';
import type { Decide, Evaluate } from './compiled-template.ts';
import { folded } from './fold-constant.ts';
import type { Frame } from './frame.ts';
import type { Site } from './site.ts';

export function expressionCompiler(node: Expression, place: CompilePlace): Evaluate {
  return folded(node, place, compileNode(node, place));
}

function compileNode(node: Expression, place: CompilePlace): Evaluate {
  switch (node.kind) {
    case 'literal': {
      const value = literalValue(node);
      return () => value;
    }
    case 'name':
      return compileName(node, place);
    case 'tuple': {
      const items = compileAll(node.items, place);
      return (frame) => new Tuple(evaluateAll(items, frame));
    }
    case 'list': {
      const items = compileAll(node.items, place);
      return (frame) => evaluateAll(items, frame);
    }
    case 'dict':
      return compileDict(node, place);
    case 'attribute':
      return compileAttribute(node, place);
    case 'item':
      return compileItem(node, place);
    case 'slice':
      return compileSlice(node, place);
    case 'call':
      return compileCall(node, place);
    case 'filter':
      return compileFilter(node, place);
    case 'test':
      return compileTest(node, place);
    case 'unary':
      return compileUnary(node, place);
    case 'binary':
      return compileBinary(node, place);
    case 'compare':
      return compileCompare(node, place);
    case 'concat':
      return compileConcat(node, place);
    case 'and':
    case 'or':
      return compileJunction(node.kind, node.left, node.right, place);
    case 'not': {
      const decide = compileDecision(node.operand, place);
      return (frame) => !decide(frame);
    }
    case 'condition':
      return compileCondition(node, place);
  }
}

/** An expression of which only the truth is asked, as of the test of an `if`. */
export function decisionCompiler(node: Expression, place: CompilePlace): Decide {
  switch (node.kind) {
    case 'not': {
      const decide = compileDecision(node.operand, place);
      return (frame) => !decide(frame);
    }
    case 'and': {
      const left = compileDecision(node.left, place);
      const right = compileDecision(node.right, place);
      return (frame) => left(frame) && right(frame);
    }
    case 'or': {
      const left = compileDecision(node.left, place);
      const right = compileDecision(node.right, place);
      return (frame) => left(frame) || right(frame);
    }
    default: {
      const evaluate = compileExpression(node, place);
      const site = siteOf(place, node.at);
      return (frame) => isTrue(evaluate(frame), frame, site);
    }
  }
}

function isTrue(value: Value, frame: Frame, site: Site): boolean {
  if (value === true || value === false) return value;
  frame.pass.at = site;
  return truthy(value);
}

function compileName(node: NameNode, place: CompilePlace): Evaluate {
  const { name } = node;
  const variable = place.scope.find(name) ?? place.unit.contextVariable(name);
  const site = siteOf(place, node.at);
  const { scope } = place;
  const missing = (frame: Frame): Value => {
    frame.pass.at = site;
    const known = function* (): Iterable<string> {
      yield* scope.names();
      yield* frame.context.names();
    };
    return frame.context.undefined({ name, known });
  };
  if (variable.unit === place.unit) {
    const { slot, start } = variable;
    const fromContext = start.from === 'context' && !start.eager;
    // Not `??`: None is null.
    return (frame) => {
      let value = frame.slots[slot];
      if (value === undefined && fromContext) {
        // The host's data is converted now, which may fail.
        frame.pass.at = site;
        value = resolveInto(frame, slot, name);
      }
      return value === undefined ? missing(frame) : value;
    };
  }
  const read = readVariable(variable, place.unit);
  return (frame) => {
    const value = read(frame);
    return value === undefined ? missing(frame) : value;
  };
}

function compileDict(node: DictNode, place: CompilePlace): Evaluate {
  const keys = compileAll(
    node.pairs.map(({ key }) => key),
    place,
  );
  const values = compileAll(
    node.pairs.map(({ value }) => value),
    place,
  );
  const site = siteOf(place, node.at);
  return (frame) => {
    const dict = new Dict();
    for (let i = 0; i < keys.length; i++) {
      const key = (keys[i] as Evaluate)(frame);
      const value = (values[i] as Evaluate)(frame);
      frame.pass.at = site;
      dict.set(key, value);
    }
    return dict;
  };
}

type LoopNumber = 'index' | 'index0' | 'first' | 'last' | 'revindex' | 'revindex0' | 'depth' | 'depth0';
const LOOP_NUMBERS: ReadonlySet<string> = new Set<LoopNumber>([
  'index',
  'index0',
  'first',
  'last',
  'revindex',
  'revindex0',
  'depth',
  'depth0',
]);

function compileAttribute(node: AttributeNode, place: CompilePlace): Evaluate {
  const { name } = node;
  const object = compileExpression(node.object, place);
  const site = siteOf(place, node.at);
  if (LOOP_NUMBERS.has(name) && node.object.kind === 'name' && node.object.name === 'loop') {
    return (frame) => {
      const value = object(frame);
      if (value instanceof LoopContext) return value[name as LoopNumber];
      frame.pass.at = site;
      return frame.context.getAttribute(value, name);
    };
  }
  // A method of dict comes before a key of that name.
  const isMethod = attributeOf(new Dict(), name) !== undefined;
  return (frame) => {
    const value = object(frame);
    if (!isMethod && value instanceof Dict) {
      const item = value.get(name);
      if (item !== undefined) return item;
    }
    frame.pass.at = site;
    return frame.context.getAttribute(value, name);
  };
}

function compileItem(node: ItemNode, place: CompilePlace): Evaluate {
  const object = compileExpression(node.object, place);
  const key = compileExpression(node.key, place);
  const site = siteOf(place, node.at);
  if (node.key.kind === 'slice')
    return (frame) => {
      const value = object(frame);
      const slice = key(frame) as Slice;
      frame.pass.at = site;
      // An undefined value raises its own error, as it does for any other item.
      return value instanceof Undefined
        ? (value.item(slice) ?? value)
        : withWorkCounted(sliceOf(value, slice), frame.pass.steps);
    };
  return (frame) => {
    const value = object(frame);
    const index = key(frame);
    if (typeof index === 'string' && value instanceof Dict) {
      const item = value.get(index);
      if (item !== undefined) return item;
    }
    frame.pass.at = site;
    return frame.context.getItem(value, index);
  };
}

function compileSlice(node: SliceNode, place: CompilePlace): Evaluate {
  const part = (each: Expression | undefined): Evaluate =>
    each === undefined ? () => null : compileExpression(each, place);
  const start = part(node.start);
  const stop = part(node.stop);
  const step = part(node.step);
  return (frame) => new Slice(start(frame), stop(frame), step(frame));
}

/** `and` and `or` give the operand that decided, not a bool. */
function compileJunction(
  kind: 'and' | 'or',
  left: Expression,
  right: Expression,
  place: CompilePlace,
): Evaluate {
  const first = compileExpression(left, place);
  const second = compileExpression(right, place);
  const site = siteOf(place, left.at);
  const stopsAt = kind === 'or';
  return (frame) => {
    const value = first(frame);
    return isTrue(value, frame, site) === stopsAt ? value : second(frame);
  };
}

function compileCondition(node: ConditionNode, place: CompilePlace): Evaluate {
  const branch = inBranch(place);
  const test = compileDecision(node.test, branch);
  const then = compileExpression(node.then, branch);
  if (node.otherwise !== undefined) {
    const otherwise = compileExpression(node.otherwise, branch);
    return (frame) => (test(frame) ? then(frame) : otherwise(frame));
  }
  const site = siteOf(place, node.at);
  const message = `the inline if-expression on ${describePosition(place, node.at)} evaluated to false and no else section was defined.`;
  // Jinja2 never makes this one strict: an inline `if` without `else` prints as nothing.
  return (frame) => (test(frame) ? then(frame) : new Undefined({ message }, site));
}
