/** What Salt's filters answered (scripts/record-salt/filter_cases.py), and our filters called with the same arguments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callRecorded, type RecordedAnswer, type RecordedCall } from './recorded-calls.ts';

/** `scripts/record-salt.sh --fresh` has new cases. */
const FOLDER = process.env.ZESTER_SALT_CASES ?? join(import.meta.dirname, '../fixtures/jinja');
const CALLS = readFileSync(join(FOLDER, 'salt-filters.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedCall);

const names = [...new Set(CALLS.map(({ filter }) => filter))].sort();

describe("what Salt's filters answer", () => {
  it.each(names)('%s', (name) => {
    const wrong = CALLS.filter(({ filter }) => filter === name).flatMap((call) => {
      const ours = callRecorded(call);
      const { filter, in: input, args, named, ...salt } = call;
      return isSame(salt, ours) ? [] : [{ input, args, named, salt, ours }];
    });
    expect(wrong).toEqual([]);
  });
});

/**
 * What fails in Salt fails here, in the same words; for a value of a wrong type, of which Python complains somewhere
 * inside of Salt's code, in words of our own.
 */
function isSame(salt: RecordedAnswer, ours: RecordedAnswer): boolean {
  const isInner = ['TypeError', 'AttributeError', 'IndexError', 'KeyError'].includes(salt.err?.type ?? '');
  return isInner ? ours.err !== undefined : JSON.stringify(ours) === JSON.stringify(salt);
}
