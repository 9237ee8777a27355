/** Two maps merged by Salt's own `salt.utils.dictupdate.merge` (scripts/record-salt.sh), and by ours: the same keys, order and types. */
import { describe, expect, it } from 'vitest';
import { type MergeRule, mergeByRule } from '../../src/core/settings/merge-rule.ts';
import { dataOfRecorded, mapOfRecorded, recordedCases, recordedText } from './recorded-data.ts';

interface RecordedMerge extends MergeRule {
  readonly under: unknown;
  readonly over: unknown;
  readonly merged: unknown;
}

describe('two maps merged as Salt merges them', () => {
  const cases = recordedCases<RecordedMerge>('merges');

  it('come out the same with every strategy', () => {
    expect(new Set(cases.map(({ strategy, lists }) => `${strategy} ${lists}`)).size).toBe(8);
    const wrong = cases.flatMap(({ under, over, merged, strategy, lists }) => {
      const ours = mergeByRule(mapOfRecorded(under), mapOfRecorded(over), { strategy, lists });
      const [salt, text] = [recordedText(dataOfRecorded(merged)), recordedText(ours)];
      return salt === text ? [] : [{ strategy, lists, under, over, salt, ours: text }];
    });
    expect(wrong).toEqual([]);
  });
});
