/** What Salt's filters answered (scripts/record-salt/filter_cases.py), and our filters called with the same arguments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callRecorded, type RecordedCall } from './recorded-calls.ts';

const CALLS = readFileSync(join(import.meta.dirname, '../fixtures/jinja/salt-filters.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedCall);

const byFilter = Map.groupBy(CALLS, ({ filter }) => filter);

describe("what Salt's filters answer", () => {
  it.each([...byFilter.keys()].sort())('%s', (name) => {
    const wrong = (byFilter.get(name) ?? []).flatMap((call) => {
      const ours = callRecorded(call);
      const { filter, in: input, args, named, ...salt } = call;
      return JSON.stringify(ours) === JSON.stringify(salt) ? [] : [{ input, args, named, salt, ours }];
    });
    expect(wrong).toEqual([]);
  });
});
