/**
 * `Depth` bounds how deep a template may nest. A parser and an evaluator that call themselves would otherwise end in a
 * stack overflow, which a hostile template could cause at will. Python's own limits are lower than these.
 */

import type { TemplateError } from '../errors.ts';
import type { Expression } from './ast.ts';
import type { TokenStream } from './token-stream.ts';

/** Brackets in brackets, `not not`, `--x`, chains of inline conditions. */
export const EXPRESSION_NESTING_MAX = 200;
export const NESTED_TOO_DEEP = `the expression is nested more than ${EXPRESSION_NESTING_MAX} levels deep`;
/** Of an expression's tree: `a + b + c` is a tree as deep as it has operators. */
const EXPRESSION_DEPTH_MAX = 500;
/** Tags in tags. */
const STATEMENT_NESTING_MAX = 250;

export class Depth {
  private readonly stream: TokenStream;
  private expressions = 0;
  private statements = 0;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  /** Whether the expression is inside of no other. */
  enterExpression(): boolean {
    if (++this.expressions > EXPRESSION_NESTING_MAX) throw this.tooDeep(NESTED_TOO_DEEP);
    return this.expressions === 1;
  }

  leaveExpression(): void {
    this.expressions--;
  }

  enterStatement(): void {
    if (++this.statements > STATEMENT_NESTING_MAX)
      throw this.tooDeep(`tags are nested more than ${STATEMENT_NESTING_MAX} levels deep`);
  }

  leaveStatement(): void {
    this.statements--;
  }

  /** Measures an expression, unless it has so few tokens that it cannot be deep. */
  checkTree(expression: Expression, firstToken: number): void {
    if (this.stream.index - firstToken <= EXPRESSION_DEPTH_MAX) return;
    if (isDeeperThan(EXPRESSION_DEPTH_MAX, expression))
      throw this.tooDeep(
        `the expression has more than ${EXPRESSION_DEPTH_MAX} operators, filters or lookups that build on each other`,
      );
  }

  private tooDeep(message: string): TemplateError {
    return this.stream.error(message, undefined, { type: 'LimitError' });
  }
}

/** It uses no recursion itself, and looks at nodes by what they hold, not by their kind. */
function isDeeperThan(max: number, expression: Expression): boolean {
  const waiting: { readonly part: object; readonly depth: number }[] = [{ part: expression, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const depth = 'kind' in next.part ? next.depth + 1 : next.depth;
    if (depth > max) return true;
    for (const [key, part] of Object.entries(next.part))
      if (typeof part === 'object' && part !== null && key !== 'at') waiting.push({ part, depth });
  }
  return false;
}
