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
  if (node === undefined) return true;
  const isPartConstant = () => operandsOf(node).every((each) => isConstant(each, place));
  switch (node.kind) {
    case 'name':
    case 'call':
      return false;
    case 'filter':
      return !place.volatile && !CONTEXT_FILTERS.has(node.name) && isPartConstant();
    case 'test':
      return !place.volatile && isPartConstant();
    default:
      return isPartConstant();
  }
}

/** The expressions that an expression is made of. */
export function operandsOf(node: Expression): readonly (Expression | undefined)[] {
  switch (node.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'call':
      return [node.callee, ...argumentsOf(node.args)];
    case 'tuple':
    case 'list':
      return node.items;
    case 'dict':
      return node.pairs.flatMap(({ key, value }) => [key, value]);
    case 'attribute':
      return [node.object];
    case 'item':
      return [node.object, node.key];
    case 'slice':
      return [node.start, node.stop, node.step];
    case 'filter':
    case 'test':
      return [node.input, ...argumentsOf(node.args)];
    case 'unary':
    case 'not':
      return [node.operand];
    case 'binary':
    case 'and':
    case 'or':
      return [node.left, node.right];
    case 'compare':
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case 'concat':
      return node.parts;
    case 'condition':
      return [node.test, node.then, node.otherwise];
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
