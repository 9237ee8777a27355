/**
 * Operator words are what operators say of a peel, at its enrollment or later: tags, and facts. A peel cannot choose them, so
 * secrets may hang on them (decision 21), and `T@` looks at nothing else. Masters take them from the enrollment, a peel from
 * what masters publish for it. Tags are no secret within the fleet; facts may be, so nobody but masters, operators and the peel
 * itself gets to match or see them. Pure.
 */
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { factPath, factValues } from './fact-values.ts';

export interface OperatorWords {
  readonly tags: Readonly<Record<string, string>>;
  readonly facts: WireMap;
}

/** Of a peel that nobody has said anything of, and of one that never enrolled. */
export const NO_WORDS: OperatorWords = { tags: {}, facts: {} };

/** The values that `T@name` compares, in lower case: of the tag, or else of the operators' fact. Undefined: there is neither. */
export function wordValues(words: OperatorWords, name: string): readonly string[] | undefined {
  return tagValues(words, name) ?? factValues({ id: '', facts: words.facts }, wordPath(name));
}

/** The same with tags alone, for whoever may not know the facts. */
export function tagValues({ tags }: OperatorWords, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(tags, name) ? tags[name] : undefined;
  return value === undefined ? undefined : [value.toLowerCase()];
}

export function hasWords({ tags, facts }: OperatorWords): boolean {
  return Object.keys(tags).length + Object.keys(facts).length > 0;
}

/** What the peel says of itself, with what operators say in its place where both do. */
export function factsWithWords(facts: WireMap, words: OperatorWords): WireMap {
  return Object.keys(words.facts).length === 0 ? facts : { ...facts, ...words.facts };
}

/** Every text of the facts with its path, and every number as it would be printed: what a book of secrets must know. */
export function factTexts({ facts }: OperatorWords): readonly (readonly [path: string, text: string])[] {
  return textsIn(facts, 'facts');
}

function textsIn(value: WireValue, path: string): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'number' || typeof value === 'bigint') return [[path, `${value}`]];
  if (Array.isArray(value)) return value.flatMap((item: WireValue, at) => textsIn(item, `${path}.${at}`));
  if (!isWireMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, `${path}.${key}`));
}

/** Without Salt's names: those are worked out from what machines say. */
function wordPath(name: string): ReturnType<typeof factPath> {
  return { ...factPath(name), grain: undefined };
}
