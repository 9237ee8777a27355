/**
 * `folded` computes an expression of constants once, when it is first reached, and keeps the value for all renders of
 * the template. What fails is not kept, so that an error stays where it is and comes every time. Only values that
 * nothing can change are kept: `[1, 2]` is a new list each time, `[1, 2]|join` is one text.
 */
import type { ArgumentNodes, Expression } from '../parse/ast.ts';
import { Tuple } from '../values/container/tuple.ts';
import { Float } from '../values/number/float.ts';
import { Markup } from '../values/text/markup.ts';
import type { Value } from '../values/value.ts';
import type { CompilePlace } from './compile-place.ts';
import type { Evaluate } from './compiled-template.ts';
import { CONTEXT_FILTERS } from './is-constant.ts';

/** Longer ones are computed again: a compiled template is kept for long. */
const KEPT_CHARS_MAX = 4096;
const KEPT_ITEMS_MAX = 64;

export function folded(node: Expression, place: CompilePlace, evaluate: Evaluate): Evaluate {
  if (node.kind === 'literal' || place.volatile || !isFoldable(node, place)) return evaluate;
  let kept: Value | undefined;
  return (frame) => {
    if (kept !== undefined) return kept;
    const value = evaluate(frame);
    if (isUnchangeable(value)) kept = value;
    return value;
  };
}

/** Whether it depends on nothing but itself. */
function isFoldable(node: Expression | undefined, place: CompilePlace): boolean {
  const all = (nodes: readonly (Expression | undefined)[]): boolean =>
    nodes.every((each) => isFoldable(each, place));
  switch (node?.kind) {
    case undefined:
    case 'literal':
      return true;
    case 'name':
      return false;
    case 'call':
      // A method of a constant; a name could be anything.
      return node.callee.kind === 'attribute' && all([node.callee.object, ...argumentsOf(node.args)]);
    case 'tuple':
    case 'list':
      return all(node.items);
    case 'dict':
      return node.pairs.every(({ key, value }) => all([key, value]));
    case 'attribute':
      return isFoldable(node.object, place);
    case 'item':
      return all([node.object, node.key]);
    case 'slice':
      return all([node.start, node.stop, node.step]);
    case 'filter':
      return (
        node.input !== undefined &&
        !CONTEXT_FILTERS.has(node.name) &&
        place.compilation.engine.filters.get(node.name)?.origin === 'jinja' &&
        all([node.input, ...argumentsOf(node.args)])
      );
    case 'test':
      return (
        place.compilation.engine.tests.get(node.name)?.origin === 'jinja' &&
        all([node.input, ...argumentsOf(node.args)])
      );
    case 'unary':
    case 'not':
      return isFoldable(node.operand, place);
    case 'binary':
    case 'and':
    case 'or':
      return all([node.left, node.right]);
    case 'compare':
      return all([node.first, ...node.rest.map(({ operand }) => operand)]);
    case 'concat':
      return all(node.parts);
    case 'condition':
      return all([node.test, node.then, node.otherwise]);
  }
}

function argumentsOf(args: ArgumentNodes): readonly (Expression | undefined)[] {
  const { positional, named, star, doubleStar } = args;
  return [...positional, ...named.map(({ value }) => value), star, doubleStar];
}

function isUnchangeable(value: Value): boolean {
  if (typeof value === 'string') return value.length <= KEPT_CHARS_MAX;
  if (value === null || typeof value !== 'object') return true;
  if (value instanceof Markup) return value.text.length <= KEPT_CHARS_MAX;
  if (value instanceof Tuple)
    return value.items.length <= KEPT_ITEMS_MAX && value.items.every(isUnchangeable);
  return value instanceof Float;
}
