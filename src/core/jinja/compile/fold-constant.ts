/**
 * `folded` computes an expression of constants once, when it is first reached, and keeps the value for all renders of
 * the template. What fails is not kept, so that an error stays where it is and comes every time. Only values that
 * nothing can change are kept: `[1, 2]` is a new list each time, `[1, 2]|join` is one text.
 */
import type { Expression } from '../parse/ast.ts';
import { Tuple } from '../values/container/tuple.ts';
import { Float } from '../values/number/float.ts';
import { Markup } from '../values/text/markup.ts';
import type { Value } from '../values/value.ts';
import type { CompilePlace } from './compile-place.ts';
import type { Evaluate } from './compiled-template.ts';
import { CONTEXT_FILTERS, operandsOf } from './is-constant.ts';

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
  if (node === undefined) return true;
  const { filters, tests } = place.compilation.engine;
  const isPartFoldable = () => operandsOf(node).every((each) => isFoldable(each, place));
  switch (node.kind) {
    case 'name':
      return false;
    case 'call':
      // A method of a constant; a name could be anything.
      return node.callee.kind === 'attribute' && isPartFoldable();
    case 'filter':
      return (
        node.input !== undefined &&
        !CONTEXT_FILTERS.has(node.name) &&
        filters.get(node.name)?.origin === 'jinja' &&
        isPartFoldable()
      );
    case 'test':
      return tests.get(node.name)?.origin === 'jinja' && isPartFoldable();
    default:
      return isPartFoldable();
  }
}

function isUnchangeable(value: Value): boolean {
  if (typeof value === 'string') return value.length <= KEPT_CHARS_MAX;
  if (value === null || typeof value !== 'object') return true;
  if (value instanceof Markup) return value.text.length <= KEPT_CHARS_MAX;
  if (value instanceof Tuple)
    return value.items.length <= KEPT_ITEMS_MAX && value.items.every(isUnchangeable);
  return value instanceof Float;
}
