/** These functions guess what somebody who wrote a wrong word in a tag may have meant. */
import { nearNames } from '../render/near-names.ts';
import { describeType, type Token } from './token.ts';

/** Words that may follow an expression or a name inside of a tag. */
const FOLLOWING_WORDS = [
  'and',
  'or',
  'not',
  'in',
  'is',
  'if',
  'else',
  'as',
  'import',
  'recursive',
  'scoped',
  'required',
  'ignore',
  'missing',
  'with',
  'without',
  'context',
];

/** Tags of other template languages, and what does their work here. */
const FOREIGN_TAGS: ReadonlyMap<string, string> = new Map([
  ['elseif', 'elif'],
  ['elsif', 'elif'],
  ['foreach', 'for'],
  ['endforeach', 'endfor'],
  ['let', 'set'],
  ['var', 'set'],
  ['assign', 'set'],
  ['verbatim', 'raw'],
  ['comment', '{# #}'],
]);

/** For a token that stands where another is expected. */
export function meantInstead({
  expected,
  got,
  before,
}: {
  readonly expected: string;
  readonly got: Token;
  readonly before: Token | undefined;
}): readonly string[] {
  const endsTag = expected === describeType('blockEnd') || expected === describeType('variableEnd');
  if (got.type === 'operator') {
    if (endsTag && got.text === '=') return ['=='];
    return before?.text === '|' && got.text === '|' ? ['or'] : [];
  }
  if (got.type !== 'name') return [];
  if (endsTag && before?.type === 'name' && before.text === 'else' && got.text === 'if') return ['elif'];
  return nearNames(got.text, endsTag ? FOLLOWING_WORDS : [expected]);
}

/** For an unknown tag: `known` are the tags that may start here, `closing` those that the innermost open tag waits for. */
export function meantTag(
  wrong: string,
  known: Iterable<string>,
  closing: readonly string[],
): readonly string[] {
  const foreign = FOREIGN_TAGS.get(wrong);
  if (foreign !== undefined) return [foreign];
  if (wrong === 'end') return closing.filter((tag) => tag.startsWith('end'));
  return nearNames(wrong, [...closing, ...known]);
}
