/**
 * This is the parser of target expressions, and their grammar. Whoever resolves targets parses here first: the command
 * line, masters for requests, top files, the reactor. Everything that can be wrong with an expression is found here,
 * with its place, so matching cannot fail.
 *
 *     or      = and { "or" and }
 *     and     = not { "and" not }
 *     not     = "not" not | primary
 *     primary = "(" or ")" | matcher            matchers: parse-matcher.ts
 *
 * There is one grammar and nothing to guess: a single matcher is the shortest expression (decision 16). A caller that
 * knows what the text is says so by its type, and then all of it is that one matcher, blanks and quotes included.
 */
import { never } from '../assert.ts';
import { zesterError } from '../errors/zester-error.ts';
import { nearestWord } from '../suggest.ts';
import {
  lexTarget,
  type TargetOperator,
  type TargetToken,
  unclosedParenthesis,
  type Word,
  wholeWord,
} from './lex-target.ts';
import { MatcherParser } from './parse-matcher.ts';
import { NESTING_MAX, TARGET_CHARS_MAX, type Target, type TargetNode } from './target.ts';
import { placeIn, quoted, tooLarge } from './target-error.ts';
import { parseTargetType, type TargetType } from './target-type.ts';

/** Throws a TARGET_… error with the column. `type` as in a request: empty or left out, the text tells. */
export function parseTarget(expression: string, type = ''): Target {
  const known = parseTargetType(type);
  if (expression.length > TARGET_CHARS_MAX)
    throw tooLarge(expression, TARGET_CHARS_MAX + 1, { max: TARGET_CHARS_MAX, what: 'characters' });
  const whole = wholeWord(expression);
  if (whole === undefined) throw zesterError('TARGET_EMPTY', {}, placeIn(expression, 1));
  return { expression, root: parseAs(expression, whole, known) };
}

function parseAs(expression: string, whole: Word, type: TargetType | undefined): TargetNode {
  const matchers = new MatcherParser(expression);
  switch (type) {
    case undefined:
    case 'compound':
      return new ExpressionParser(expression, matchers).parse();
    case 'glob':
      return matchers.parseGlob(whole);
    case 'pcre':
      return matchers.parseRegex(whole, prefixLength(whole, 'E@'));
    case 'fact':
      return matchers.parseFact(whole, prefixLength(whole, 'G@'), 'G');
    case 'settings':
      return matchers.parseFact(whole, prefixLength(whole, 'I@'), 'I');
    case 'tag':
      return matchers.parseTag(whole, prefixLength(whole, 'T@'));
    case 'list':
      return matchers.parseList(whole, prefixLength(whole, 'L@'));
    default:
      return never(type);
  }
}

/** With a type the prefix is not needed, but people who move an expression about leave it there. */
function prefixLength(word: Word, prefix: string): number {
  return word.text.startsWith(prefix) ? prefix.length : 0;
}

class ExpressionParser {
  private readonly expression: string;
  private readonly matchers: MatcherParser;
  private readonly tokens: readonly TargetToken[];
  private next = 0;

  constructor(expression: string, matchers: MatcherParser) {
    this.expression = expression;
    this.matchers = matchers;
    this.tokens = lexTarget(expression);
  }

  parse(): TargetNode {
    const root = this.parseCombination('or', 0);
    const left = this.peek();
    if (left === undefined) return root;
    throw left.kind === ')'
      ? this.fault('the `)` has no `(` before it', left.column)
      : this.operatorMissing(left);
  }

  private parseCombination(operator: 'or' | 'and', nesting: number): TargetNode {
    const parsePart = () =>
      operator === 'or' ? this.parseCombination('and', nesting) : this.parseNegation(nesting);
    const first = parsePart();
    const parts = [first];
    while (this.takeOperator(operator)) parts.push(parsePart());
    return parts.length === 1 ? first : { kind: operator, column: first.column, parts };
  }

  private parseNegation(nesting: number): TargetNode {
    const column = this.peek()?.column ?? this.expression.length;
    if (nesting > NESTING_MAX)
      throw tooLarge(this.expression, column, {
        max: NESTING_MAX,
        what: 'parentheses and `not` inside one another',
      });
    if (!this.takeOperator('not')) return this.parsePrimary(nesting);
    return { kind: 'not', column, part: this.parseNegation(nesting + 1) };
  }

  private parsePrimary(nesting: number): TargetNode {
    const token = this.peek();
    if (token?.kind === '(') return this.parseGroup(token.column, nesting);
    if (token?.kind !== 'word' || token.operator !== undefined) throw this.matcherMissing(token);
    this.next++;
    return this.matchers.parse(token);
  }

  private parseGroup(openColumn: number, nesting: number): TargetNode {
    this.next++;
    const inner = this.parseCombination('or', nesting + 1);
    const close = this.peek();
    if (close === undefined) throw unclosedParenthesis(this.expression, openColumn);
    if (close.kind !== ')') throw this.operatorMissing(close);
    this.next++;
    return inner;
  }

  private peek(): TargetToken | undefined {
    return this.tokens[this.next];
  }

  private takeOperator(operator: TargetOperator): boolean {
    const token = this.peek();
    if (token?.kind !== 'word' || token.operator !== operator) return false;
    this.next++;
    return true;
  }

  /** A matcher or a group must come here and does not. What stands before tells best what is wrong. */
  private matcherMissing(found: TargetToken | undefined): Error {
    const before = this.tokens[this.next - 1];
    if (before?.kind === 'word')
      return this.fault(`${quoted(before.text)} needs a matcher after it`, before.column);
    if (found?.kind === 'word')
      return this.fault(`${quoted(found.text)} needs a matcher before it`, found.column);
    if (before === undefined) return this.fault('the `)` has no `(` before it', found?.column ?? 1);
    if (found === undefined) return unclosedParenthesis(this.expression, before.column);
    return this.fault('the parentheses are empty', before.column);
  }

  /** Two matchers with nothing between them: `found` starts the second one. */
  private operatorMissing(found: TargetToken): Error {
    if (found.kind !== 'word') return this.fault('`and` or `or` is missing before the `(`', found.column);
    if (found.operator === 'not')
      return this.fault('`not` cannot follow a matcher; did you mean `and not`?', found.column);
    const meant = OPERATOR_SYMBOLS[found.text] ?? nearestWord(found.text, ['and', 'or', 'not']);
    const advice =
      meant === undefined ? '; a value with blanks needs quotes' : `; did you mean \`${meant}\`?`;
    return this.fault(`\`and\` or \`or\` is missing before ${quoted(found.text)}${advice}`, found.column);
  }

  private fault(problem: string, column: number): Error {
    const place = placeIn(this.expression, column);
    return zesterError('TARGET_SYNTAX', { problem, excerpt: place.excerpt }, place);
  }
}

/** What people write who come from elsewhere. */
const OPERATOR_SYMBOLS: Readonly<Record<string, string>> = {
  '&&': 'and',
  '&': 'and',
  ',': 'or',
  '||': 'or',
  '|': 'or',
  '+': 'and',
};
