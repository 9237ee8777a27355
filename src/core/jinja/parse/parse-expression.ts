/**
 * The expression parser reads expressions, with Jinja2's grammar where it differs from Python's: `**` groups to the
 * left and less tightly than a minus, a filter applies to the minus before it, and every word is a name where a value
 * is expected.
 *
 * A node of an operator, a lookup or a filter points at the operator or the name, not at the start of its left side: that
 * is where an error's caret helps.
 */

import type { LateFaults } from '../render/late-faults.ts';
import { repr } from '../values/print.ts';
import type {
  ArgumentNodes,
  BinaryOperator,
  CallNode,
  CompareNode,
  CompareOperator,
  DictNode,
  Expression,
  FilterNode,
  Keyword,
  LiteralNode,
  SliceNode,
} from './ast.ts';
import type { Depth } from './parse-depth.ts';
import { checkNamedOnce } from './parse-names.ts';
import { describeToken, type Token } from './token.ts';
import type { TokenStream } from './token-stream.ts';

export interface TupleRules {
  /** Whether `a if b` is allowed; a bare `for … if` and `if` need it off. */
  readonly conditions?: boolean;
  /** Within parentheses nothing at all is the empty tuple. */
  readonly parenthesised?: boolean;
}

const NO_ARGUMENTS: ArgumentNodes = { positional: [], named: [], star: undefined, doubleStar: undefined };

/** How tightly the operators between two values bind, loosest first. `not` stands before a value but has a place here. */
const OR = 1;
const AND = 2;
const NOT = 3;
const COMPARE = 4;
const SUM = 5;
const CONCAT = 6;
const PRODUCT = 7;
const POWER = 8;

const BINDING: ReadonlyMap<string, number> = new Map([
  ...['==', '!=', '<', '<=', '>', '>='].map((operator) => [operator, COMPARE] as const),
  ...['+', '-'].map((operator) => [operator, SUM] as const),
  ['~', CONCAT],
  ...['*', '/', '//', '%'].map((operator) => [operator, PRODUCT] as const),
  ['**', POWER],
]);

export class ExpressionParser {
  private readonly stream: TokenStream;
  private readonly depth: Depth;
  private readonly late: LateFaults;

  constructor(stream: TokenStream, depth: Depth, late: LateFaults) {
    this.stream = stream;
    this.depth = depth;
    this.late = late;
  }

  parse(conditions = true): Expression {
    const first = this.stream.index;
    const outermost = this.depth.enterExpression();
    const expression = conditions ? this.parseCondition() : this.parseOperators(OR);
    this.depth.leaveExpression();
    if (outermost) this.depth.checkTree(expression, first);
    return expression;
  }

  /** One expression, or several with commas between them, which make a tuple even without parentheses. */
  parseTuple(rules: TupleRules = {}): Expression {
    const stream = this.stream;
    const start = stream.current.at;
    const items: Expression[] = [];
    let isTuple = false;
    while (true) {
      if (items.length > 0) stream.expectOperator(',');
      if (this.isTupleEnd()) break;
      items.push(this.parse(rules.conditions ?? true));
      if (!stream.isOperator(',')) break;
      isTuple = true;
    }
    const only = items[0];
    if (!isTuple && only !== undefined) return only;
    if (!isTuple && rules.parenthesised !== true)
      throw stream.error(`Expected an expression, got ${repr(describeToken(stream.current))}`);
    return { kind: 'tuple', at: start, items };
  }

  /** What may follow a comma after the last item. A word may not: `{% for a, in b %}` takes `in` for a second name. */
  isTupleEnd(): boolean {
    const { type } = this.stream.current;
    return type === 'variableEnd' || type === 'blockEnd' || this.stream.isOperator(')');
  }

  private parseCondition(): Expression {
    const stream = this.stream;
    // As in Jinja2, a condition stands where its first word stands: its message names that line.
    let { at } = stream.current;
    let expression = this.parseOperators(OR);
    while (stream.isName('if')) {
      stream.next();
      const test = this.parseOperators(OR);
      const otherwise = stream.skipName('else') ? this.parse() : undefined;
      // biome-ignore lint/suspicious/noThenProperty: nobody awaits a node of the tree
      expression = { kind: 'condition', at, test, then: expression, otherwise };
      at = stream.current.at;
    }
    return expression;
  }

  /** A value and everything that binds to it at least as tightly as `binding`. */
  private parseOperators(binding: number): Expression {
    let left = this.parseOperand(binding);
    for (let next = this.bindingOfCurrent(); next >= binding; next = this.bindingOfCurrent())
      left = this.parseRightSide(left, next);
    return left;
  }

  private parseOperand(binding: number): Expression {
    // Where a tighter operator waits for its right side, `not` is a name like any other.
    if (binding > NOT || !this.stream.isName('not')) return this.parseUnary(true);
    this.depth.enterExpression();
    const { at } = this.stream.next();
    const operand = this.parseOperators(NOT);
    this.depth.leaveExpression();
    return { kind: 'not', at, operand };
  }

  private bindingOfCurrent(): number {
    const { type, text } = this.stream.current;
    if (type === 'operator') return BINDING.get(text) ?? 0;
    if (type !== 'name') return 0;
    if (text === 'or') return OR;
    if (text === 'and') return AND;
    return this.isComparison() ? COMPARE : 0;
  }

  private isComparison(): boolean {
    const stream = this.stream;
    if (stream.current.type === 'operator') return BINDING.get(stream.current.text) === COMPARE;
    if (stream.isName('in')) return true;
    if (!stream.isName('not')) return false;
    const following = stream.look();
    return following.type === 'name' && following.text === 'in';
  }

  private parseRightSide(left: Expression, binding: number): Expression {
    if (binding === COMPARE) return this.parseComparisons(left);
    const { at, text } = this.stream.next();
    const right = this.parseOperators(binding + 1);
    switch (binding) {
      case OR:
        return { kind: 'or', at, left, right };
      case AND:
        return { kind: 'and', at, left, right };
      case CONCAT: {
        const parts = [left, right];
        while (this.stream.skipOperator('~')) parts.push(this.parseOperators(CONCAT + 1));
        return { kind: 'concat', at, parts };
      }
      default:
        return { kind: 'binary', at, operator: text as BinaryOperator, left, right };
    }
  }

  private parseComparisons(first: Expression): CompareNode {
    const stream = this.stream;
    const { at } = stream.current;
    const rest: { at: typeof at; operator: CompareOperator; operand: Expression }[] = [];
    while (this.isComparison()) {
      const token = stream.next();
      const operator = token.text === 'not' ? 'not in' : (token.text as CompareOperator);
      if (operator === 'not in') stream.next();
      rest.push({ at: token.at, operator, operand: this.parseOperators(COMPARE + 1) });
    }
    return { kind: 'compare', at, first, rest };
  }

  private parseUnary(withFilters: boolean): Expression {
    const stream = this.stream;
    let expression: Expression;
    if (stream.isOperator('-') || stream.isOperator('+')) {
      this.depth.enterExpression();
      const { at, text } = stream.next();
      const operand = this.parseUnary(false);
      this.depth.leaveExpression();
      expression = { kind: 'unary', at, operator: text === '-' ? '-' : '+', operand };
    } else expression = this.parsePostfix(this.parsePrimary());
    return withFilters ? this.parseFiltersAndTests(expression) : expression;
  }

  parsePrimary(): Expression {
    const stream = this.stream;
    const token = stream.current;
    switch (token.type) {
      case 'name':
        stream.next();
        return nameOrConstant(token);
      case 'string': {
        let value = '';
        while (stream.current.type === 'string') value += stream.next().text;
        return literal(token, { type: 'str', value });
      }
      case 'integer':
        stream.next();
        return literal(token, { type: 'int', value: token.number });
      case 'float':
        stream.next();
        return literal(token, { type: 'float', value: Number(token.number) });
      default:
        return this.parseBrackets(token);
    }
  }

  private parseBrackets(token: Token): Expression {
    const stream = this.stream;
    if (stream.skipOperator('(')) {
      const inside = this.parseTuple({ parenthesised: true });
      stream.expectOperator(')');
      return inside;
    }
    if (stream.skipOperator('[')) return { kind: 'list', at: token.at, items: this.parseItems(']') };
    if (stream.isOperator('{')) return this.parseDict();
    throw stream.error(`unexpected ${repr(describeToken(token))}`);
  }

  private parseItems(closer: string): Expression[] {
    const items: Expression[] = [];
    this.eachUntil(closer, () => items.push(this.parse()));
    return items;
  }

  private parseDict(): DictNode {
    const { at } = this.stream.next();
    const pairs: { key: Expression; value: Expression }[] = [];
    this.eachUntil('}', () => {
      const key = this.parse();
      this.stream.expectOperator(':');
      pairs.push({ key, value: this.parse() });
    });
    return { kind: 'dict', at, pairs };
  }

  /** Things with commas between them, and perhaps one after the last, up to a closing bracket. */
  private eachUntil(closer: string, parseOne: () => void): void {
    const stream = this.stream;
    for (let first = true; !stream.isOperator(closer); first = false) {
      if (!first) {
        stream.expectOperator(',');
        if (stream.isOperator(closer)) break;
      }
      parseOne();
    }
    stream.expectOperator(closer);
  }

  /** Attributes, items and calls. */
  parsePostfix(start: Expression): Expression {
    const stream = this.stream;
    let expression = start;
    while (stream.current.type === 'operator') {
      if (stream.isOperator('.')) expression = this.parseAttribute(expression);
      else if (stream.isOperator('[')) expression = this.parseItem(expression);
      else if (stream.isOperator('(')) expression = this.parseCall(expression);
      else break;
    }
    return expression;
  }

  private parseAttribute(object: Expression): Expression {
    const stream = this.stream;
    stream.next();
    const token = stream.next();
    if (token.type === 'name') return { kind: 'attribute', at: token.at, object, name: token.text };
    if (token.type !== 'integer') throw stream.error('expected name or number', token.at);
    const key = literal(token, { type: 'int', value: token.number });
    return { kind: 'item', at: token.at, object, key };
  }

  private parseItem(object: Expression): Expression {
    const stream = this.stream;
    const { at } = stream.next();
    const keys: Expression[] = [];
    // Unlike in a list, a comma after the last key is a mistake; no key at all is the empty tuple.
    while (!stream.isOperator(']')) {
      if (keys.length > 0) stream.expectOperator(',');
      keys.push(this.parseKey());
    }
    stream.next();
    const only = keys.length === 1 ? keys[0] : undefined;
    if (only !== undefined) return { kind: 'item', at, object, key: only };
    const slice = keys.find((key) => key.kind === 'slice');
    if (slice !== undefined)
      this.late.python(
        stream.error('invalid syntax: a slice must be the only thing in its brackets', slice.at),
      );
    return { kind: 'item', at, object, key: { kind: 'tuple', at, items: keys } };
  }

  private parseKey(): Expression {
    const stream = this.stream;
    const { at } = stream.current;
    const start = stream.isOperator(':') ? undefined : this.parse();
    if (start !== undefined && !stream.isOperator(':')) return start;
    stream.next();
    const stop = stream.isOperator(':') ? undefined : this.parseSlicePart();
    const step = stream.skipOperator(':') ? this.parseSlicePart() : undefined;
    const slice: SliceNode = { kind: 'slice', at, start, stop, step };
    return slice;
  }

  private parseSlicePart(): Expression | undefined {
    const ends = this.stream.isOperator(']') || this.stream.isOperator(',');
    return ends ? undefined : this.parse();
  }

  private parseCall(callee: Expression): CallNode {
    return { kind: 'call', at: callee.at, callee, args: this.parseArguments() };
  }

  private parseArguments(): ArgumentNodes {
    const stream = this.stream;
    const open = stream.next();
    const positional: Expression[] = [];
    const named: Keyword[] = [];
    let star: Expression | undefined;
    let doubleStar: Expression | undefined;
    const inOrder = (fine: boolean): void => {
      if (!fine) throw stream.error('invalid syntax for function call expression', open.at);
    };
    this.eachUntil(')', () => {
      if (stream.isOperator('*')) {
        inOrder(star === undefined && doubleStar === undefined);
        stream.next();
        star = this.parse();
      } else if (stream.isOperator('**')) {
        inOrder(doubleStar === undefined);
        stream.next();
        doubleStar = this.parse();
      } else if (this.isNamedArgument()) {
        inOrder(doubleStar === undefined);
        const { at, text } = stream.next();
        stream.next();
        named.push({ at, name: text, value: this.parse() });
      } else {
        inOrder(star === undefined && doubleStar === undefined && named.length === 0);
        positional.push(this.parse());
      }
    });
    checkNamedOnce(named, stream, this.late);
    return { positional, named, star, doubleStar };
  }

  private isNamedArgument(): boolean {
    if (this.stream.current.type !== 'name') return false;
    const following = this.stream.look();
    return following.type === 'operator' && following.text === '=';
  }

  private parseFiltersAndTests(start: Expression): Expression {
    const stream = this.stream;
    let expression = start;
    while (true) {
      if (stream.skipOperator('|')) expression = this.parseFilter(expression);
      else if (stream.isName('is')) expression = this.parseTest(expression);
      else if (stream.isOperator('(')) expression = this.parseCall(expression);
      else return expression;
    }
  }

  /** The filters of a filter block, where the first stands without a bar. */
  parseFilterChain(): FilterNode {
    const first = this.stream.index;
    let filter = this.parseFilter(undefined);
    while (this.stream.skipOperator('|')) filter = this.parseFilter(filter);
    this.depth.checkTree(filter, first);
    return filter;
  }

  /** The filters behind the name in a block set; there may be none. */
  parseOptionalFilterChain(): FilterNode | undefined {
    return this.stream.skipOperator('|') ? this.parseFilterChain() : undefined;
  }

  private parseFilter(input: Expression | undefined): FilterNode {
    const { at, name } = this.parseDottedName();
    const args = this.stream.isOperator('(') ? this.parseArguments() : NO_ARGUMENTS;
    return { kind: 'filter', at, input, name, args };
  }

  private parseTest(input: Expression): Expression {
    const stream = this.stream;
    const is = stream.next();
    const negated = stream.skipName('not');
    const { at, name } = this.parseDottedName();
    const test: Expression = { kind: 'test', at, input, name, args: this.parseTestArguments() };
    return negated ? { kind: 'not', at: is.at, operand: test } : test;
  }

  /** In parentheses, or one value without them: `x is divisibleby 3`. */
  private parseTestArguments(): ArgumentNodes {
    const stream = this.stream;
    if (stream.isOperator('(')) return this.parseArguments();
    const { type, text } = stream.current;
    const mayStart =
      type === 'operator'
        ? text === '[' || text === '{'
        : type === 'string' || type === 'integer' || type === 'float' || type === 'name';
    if (!mayStart || (type === 'name' && (text === 'else' || text === 'or' || text === 'and')))
      return NO_ARGUMENTS;
    if (stream.isName('is')) throw stream.error('You cannot chain multiple tests with is');
    return { ...NO_ARGUMENTS, positional: [this.parsePostfix(this.parsePrimary())] };
  }

  private parseDottedName(): { readonly at: Token['at']; readonly name: string } {
    const stream = this.stream;
    const { at, text } = stream.expect('name');
    let name = text;
    while (stream.skipOperator('.')) name += `.${stream.expect('name').text}`;
    return { at, name };
  }
}

function literal(token: Token, value: LiteralNode['literal']): LiteralNode {
  return { kind: 'literal', at: token.at, literal: value };
}

function nameOrConstant(token: Token): Expression {
  switch (token.text) {
    case 'true':
    case 'True':
      return literal(token, { type: 'bool', value: true });
    case 'false':
    case 'False':
      return literal(token, { type: 'bool', value: false });
    case 'none':
    case 'None':
      return literal(token, { type: 'none' });
    default:
      return { kind: 'name', at: token.at, name: token.text };
  }
}
