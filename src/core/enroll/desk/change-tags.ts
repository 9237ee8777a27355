/**
 * These functions change what operators say of a peel, its tags and facts, and say what is wrong with a change. Tags are words: one line,
 * bounded, nothing that a terminal obeys. The same change twice gives the same.
 */
import type { WireMap } from '../../../wire/msgpack/wire-value.ts';
import { type Enrollment, TAGS_MAX } from '../../../wire/records/enroll/enrollment.ts';
import { FACT_KEYS } from '../../../wire/records/facts.ts';
import { hasUnprintable } from '../../printable.ts';

export interface SaidOfPeel {
  readonly tags: Readonly<Record<string, string>>;
  readonly facts: WireMap;
}

export interface TagChange {
  readonly setTags: Readonly<Record<string, string>>;
  readonly removeTags: readonly string[];
  readonly setFacts: WireMap;
  readonly removeFacts: readonly string[];
}

const TAG_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/;
const TAG_CHARS_MAX = 256;
/** What programs go by: `os` by hand would break every target and template. */
const RESERVED_FACTS: ReadonlySet<string> = new Set(Object.values(FACT_KEYS));

/** What was said, with the change; a text says why it cannot be. */
export function changedTags(said: SaidOfPeel, change: TagChange): SaidOfPeel | string {
  const tags = changed(said.tags, change.setTags, change.removeTags);
  const facts = changed(said.facts, change.setFacts, change.removeFacts);
  return tagsProblem({ tags, facts }) ?? { tags, facts };
}

export function tagsProblem({ tags, facts }: SaidOfPeel): string | undefined {
  const wrong = [...Object.keys(tags), ...Object.keys(facts)].find((name) => !TAG_NAME.test(name));
  if (wrong !== undefined) return 'a name has other characters, or is longer than 64';
  const fact = Object.keys(facts).find((name) => name.includes('.') || RESERVED_FACTS.has(name));
  if (fact !== undefined) return `the fact ${fact} belongs to the machine, or has a dot in its name`;
  for (const [name, value] of Object.entries(tags))
    if (value.length > TAG_CHARS_MAX || value.includes('\n') || hasUnprintable(value))
      return `the value of ${name} is longer than ${TAG_CHARS_MAX} characters or not one line`;
  const most = Math.max(Object.keys(tags).length, Object.keys(facts).length);
  return most > TAGS_MAX ? `a peel has at most ${TAGS_MAX} of each` : undefined;
}

/** What people are shown of the facts of an enrollment. */
export function factNames({ facts, sealedFacts }: Pick<Enrollment, 'facts' | 'sealedFacts'>): string[] {
  return [...new Set([...Object.keys(facts), ...Object.keys(sealedFacts)])].sort();
}

function changed<T>(
  before: Readonly<Record<string, T>>,
  set: Readonly<Record<string, T>>,
  remove: readonly string[],
): Record<string, T> {
  const kept = Object.entries(before).filter(([name]) => !remove.includes(name));
  return Object.fromEntries([...kept, ...Object.entries(set)]);
}
