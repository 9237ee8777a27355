/**
 * These functions compile operators, with fast paths for what templates do most: adding whole numbers, comparing
 * numbers and texts.
 */
import type { BinaryNode, CompareNode, CompareOperator, ConcatNode, UnaryNode } from '../parse/ast.ts';
import { compareWork, searchWork, withWorkCounted } from '../render/long-work.ts';
import { checkTextLength } from '../values/bounds.ts';
import { contains, equals, order } from '../values/compare.ts';
import { binary, unary } from '../values/number/arithmetic.ts';
import { str } from '../values/print.ts';
import { Markup } from '../values/text/markup.ts';
import { escapeHtml } from '../values/text/markup-escape.ts';
import type { RenderLimits, Value } from '../values/value.ts';
import { compileAll, compileExpression } from './compile-parts.ts';
import { type CompilePlace, siteOf } from './compile-place.ts';
import type { Evaluate } from './compiled-template.ts';
import { isConstant } from './is-constant.ts';
import type { Site } from './site.ts';

export function compileUnary(node: UnaryNode, place: CompilePlace): Evaluate {
  const { operator } = node;
  const operand = compileExpression(node.operand, place);
  const site = siteOf(place, node.at);
  return (frame) => {
    const value = operand(frame);
    frame.pass.at = site;
    return unary(operator, value);
  };
}

export function compileBinary(node: BinaryNode, place: CompilePlace): Evaluate {
  const { operator } = node;
  const left = compileExpression(node.left, place);
  const right = compileExpression(node.right, place);
  const site = siteOf(place, node.at);
  const short = operator === '+' || operator === '-' || operator === '*' ? operator : undefined;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (short !== undefined && typeof a === 'number' && typeof b === 'number') {
      const result = short === '+' ? a + b : short === '-' ? a - b : a * b;
      // Adding zero: there is no -0 among Python's ints.
      if (Number.isSafeInteger(result)) return result + 0;
    }
    frame.pass.at = site;
    return withWorkCounted(binary(operator, a, b, frame.context.limits), frame.pass.steps);
  };
}

type Comparison = (a: Value, b: Value) => boolean;

const COMPARISONS: Readonly<Record<CompareOperator, Comparison>> = {
  '==': equals,
  '!=': (a, b) => !equals(a, b),
  '<': (a, b) => (typeof a === 'number' && typeof b === 'number' ? a < b : order('<', a, b)),
  '<=': (a, b) => (typeof a === 'number' && typeof b === 'number' ? a <= b : order('<=', a, b)),
  '>': (a, b) => (typeof a === 'number' && typeof b === 'number' ? a > b : order('>', a, b)),
  '>=': (a, b) => (typeof a === 'number' && typeof b === 'number' ? a >= b : order('>=', a, b)),
  in: (a, b) => contains(b, a),
  'not in': (a, b) => !contains(b, a),
};

export function compileCompare(node: CompareNode, place: CompilePlace): Evaluate {
  const first = compileExpression(node.first, place);
  const rest = node.rest.map(({ at, operator, operand }) => ({
    site: siteOf(place, at),
    compare: COMPARISONS[operator],
    work: operator === 'in' || operator === 'not in' ? inWork : compareWork,
    operand: compileExpression(operand, place),
  }));
  const [only] = rest;
  if (only !== undefined && rest.length === 1) return compileOne(first, only);
  return (frame) => {
    let left = first(frame);
    for (const { site, compare, operand, work } of rest) {
      const right = operand(frame);
      frame.pass.at = site;
      frame.pass.steps.charge(work(left, right));
      if (!compare(left, right)) return false;
      left = right;
    }
    return true;
  };
}

/** `a in b` looks through b. */
function inWork(_: Value, b: Value): number {
  return searchWork(b);
}

function compileOne(
  first: Evaluate,
  {
    site,
    compare,
    operand,
    work,
  }: {
    readonly site: Site;
    readonly compare: Comparison;
    readonly operand: Evaluate;
    readonly work: typeof compareWork;
  },
): Evaluate {
  return (frame) => {
    const left = first(frame);
    const right = operand(frame);
    frame.pass.at = site;
    if (typeof right !== 'number') {
      const steps = work(left, right);
      if (steps > 0) frame.pass.steps.charge(steps);
    }
    return compare(left, right);
  };
}

/** `a ~ b`. Where the template is known to escape, one part that is HTML makes the whole HTML, and the rest escaped. */
export function compileConcat(node: ConcatNode, place: CompilePlace): Evaluate {
  const parts = compileAll(node.parts, place);
  const sites = node.parts.map((part) => siteOf(place, part.at));
  // Jinja2 computes what is constant beforehand, and forgets there which parts are HTML.
  const escapes = place.autoescape && !place.volatile && !node.parts.every((part) => isConstant(part, place));
  return (frame) => {
    const values: Value[] = [];
    for (let i = 0; i < parts.length; i++) values.push((parts[i] as Evaluate)(frame));
    if (escapes && values.some((value) => value instanceof Markup)) {
      const { limits } = frame.context;
      return new Markup(join(values, (value) => escapeHtml(value).text, limits));
    }
    let text = '';
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as Value;
      if (typeof value !== 'string') frame.pass.at = sites[i] as Site;
      text += str(value);
    }
    checkTextLength(text.length, frame.context.limits);
    return text;
  };
}

function join(values: readonly Value[], print: (value: Value) => string, limits: RenderLimits): string {
  let text = '';
  for (const value of values) text += print(value);
  checkTextLength(text.length, limits);
  return text;
}
