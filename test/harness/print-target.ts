/**
 * `printTarget` writes the expression back from its data, in one canonical form: single blanks, lower-case operators,
 * no parentheses to spare.
 */
import { never } from '../../src/core/assert.ts';
import { isBlank, operatorOf } from '../../src/core/target/lex-target.ts';
import type { Combination, FactMatcher, TagMatcher, TargetNode } from '../../src/core/target/target.ts';

export function printTarget(node: TargetNode): string {
  switch (node.kind) {
    case 'glob':
      return quoteWord(node.pattern);
    case 'regex':
      return quoteWord(`E@${node.pattern}`);
    case 'fact':
      return printFact(node);
    case 'tag':
      return printTag(node);
    case 'list':
      return `L@${node.peels.join(',')}`;
    case 'not':
      return `not ${printPart(node.part, 'not')}`;
    case 'and':
    case 'or':
      return node.parts.map((part) => printPart(part, node.kind)).join(` ${node.kind} `);
    default:
      return never(node);
  }
}

/** `and` binds closer than `or`, `not` closer than both; everything else needs parentheses to stay a part of its own. */
function printPart(part: TargetNode, around: Combination['kind'] | 'not'): string {
  const bare = part.kind === 'or' ? false : part.kind === 'and' ? around === 'or' : true;
  return bare ? printTarget(part) : `(${printTarget(part)})`;
}

function printFact({ prefix, path, operator, value }: FactMatcher): string {
  const sign = operator === '=' ? '' : operator;
  return `${quoteWord(`${prefix}@${path}`)}:${sign}${quoteWord(value)}`;
}

function printTag({ name, wanted }: TagMatcher): string {
  const word = quoteWord(`T@${name}`);
  if (wanted === undefined) return word;
  const sign = wanted.operator === '=' ? '' : wanted.operator;
  return `${word}:${sign}${quoteWord(wanted.value)}`;
}

/** As it is, if it is read back as one word; otherwise in quotes, each stretch in the kind it does not contain. */
function quoteWord(text: string): string {
  const isPlain = text !== '' && operatorOf(text) === undefined && ![...text].some(needsQuotes);
  if (isPlain) return text;
  return (
    text
      .split(/("+)/)
      .map((stretch) => (stretch.startsWith('"') ? `'${stretch}'` : stretch === '' ? '' : `"${stretch}"`))
      .join('') || '""'
  );
}

function needsQuotes(char: string): boolean {
  return isBlank(char) || '()"\''.includes(char);
}
