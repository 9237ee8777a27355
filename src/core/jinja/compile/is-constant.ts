/**
 * `isConstant` tells which expressions Jinja2 computes before a template runs; a few of its rules about HTML depend on
 * that.
 */
import type { ArgumentNodes, Expression } from '../parse/ast.ts';
import type { CompilePlace } from './compile-place.ts';

/** Filters that look at the context, which is not there yet. */
export const CONTEXT_FILTERS: ReadonlySet<string> = new Set([
  'map',
  'select',
  'reject',
  'selectattr',
  'rejectattr',
  'random',
]);

export function isConstant(node: Expression | undefined, place: CompilePlace): boolean {
  const all = (nodes: readonly (Expression | undefined)[]): boolean =>
    nodes.every((each) => isConstant(each, place));
  switch (node?.kind) {
    case undefined:
    case 'literal':
      return true;
    case 'name':
    case 'call':
      return false;
    case 'tuple':
    case 'list':
      return all(node.items);
    case 'dict':
      return node.pairs.every(({ key, value }) => all([key, value]));
    case 'attribute':
      return isConstant(node.object, place);
    case 'item':
      return all([node.object, node.key]);
    case 'slice':
      return all([node.start, node.stop, node.step]);
    case 'filter':
      return (
        !place.volatile && !CONTEXT_FILTERS.has(node.name) && all([node.input, ...argumentsOf(node.args)])
      );
    case 'test':
      return !place.volatile && all([node.input, ...argumentsOf(node.args)]);
    case 'unary':
    case 'not':
      return isConstant(node.operand, place);
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

function argumentsOf({
  positional,
  named,
  star,
  doubleStar,
}: ArgumentNodes): readonly (Expression | undefined)[] {
  return [...positional, ...named.map(({ value }) => value), star, doubleStar];
}
