import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DataMap, type DataValue, dataEntries, dataMapOf } from '../data/data-value.ts';
import { ProblemList } from '../states/compile/problem-list.ts';
import { printProblems } from '../states/state-problem.ts';
import { DEFAULT_MERGE_RULE, depthOf, mergeByRule, readMergeRule } from './merge-rule.ts';
import { MergedSoFar } from './merged-so-far.ts';

// What Salt answers is in test/salt-settings; here is what holds for everything.
describe('mergeByRule', () => {
  const key = fc.constantFrom('a', 'b', '1');
  const { settings } = fc.letrec<{ settings: DataMap; value: DataValue }>((tie) => ({
    settings: fc
      .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 3, selector: ([name]) => name })
      .map((entries) => dataMapOf(entries)),
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('x', 'y', null),
      fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
      tie('settings'),
    ),
  }));
  const rule = fc.record({
    strategy: fc.constantFrom('smart', 'recurse', 'aggregate', 'overwrite'),
    lists: fc.constantFrom('replace', 'append'),
  });

  it('with nothing changes nothing, and the same on top a second time changes nothing more', () => {
    fc.assert(
      fc.property(settings, settings, rule, (under, over, how) => {
        expect(mergeByRule(under, {}, how)).toEqual(under);
        expect(mergeByRule({}, over, how)).toEqual(over);
        const merged = mergeByRule(under, over, how);
        expect(mergeByRule(merged, over, how)).toEqual(merged);
      }),
    );
  });

  it('one after the other is the same without copying, and leaves what was given as it was', () => {
    fc.assert(
      fc.property(fc.array(settings, { maxLength: 4 }), rule, (maps, how) => {
        const before = structuredClone(maps);
        const soFar = new MergedSoFar(depthOf(how));
        for (const each of maps) soFar.add(each);
        expect(dataEntries(soFar.data)).toEqual(
          dataEntries(maps.reduce<DataMap>((under, over) => mergeByRule(under, over, how), {})),
        );
        expect(maps).toEqual(before);
      }),
    );
  });

  it('leaves both maps as they were', () => {
    fc.assert(
      fc.property(settings, settings, rule, (under, over, how) => {
        const before = structuredClone([under, over]);
        mergeByRule(under, over, how);
        expect([under, over]).toEqual(before);
      }),
    );
  });
});

describe('readMergeRule', () => {
  const read = (text: string | undefined) => {
    const list = new ProblemList();
    const rule = readMergeRule(text, list);
    return { rule, problems: list.errors };
  };

  it('has a default, of which a file says what it wants otherwise', () => {
    expect(read(undefined)).toEqual({ rule: DEFAULT_MERGE_RULE, problems: [] });
    expect(read('# nothing\n')).toEqual({ rule: DEFAULT_MERGE_RULE, problems: [] });
    expect(read('lists: append\n').rule).toEqual({ strategy: 'smart', lists: 'append' });
    expect(read('strategy: overwrite\n').rule).toEqual({ strategy: 'overwrite', lists: 'replace' });
  });

  it('tells what it does not know, with the place and what may be meant', () => {
    const { rule, problems } = read('stragety: recurse\nlists: [append]\nstrategy: recursive\nmore: 1\n');
    expect(rule).toEqual(DEFAULT_MERGE_RULE);
    expect(printProblems(problems)).toBe(
      [
        '_merge.zy:1:1: the merge rule has no key stragety',
        '  next: did you mean strategy?',
        '_merge.zy:2:8: lists is one of replace, append, not a list',
        '  next: see the settings guide for what each of them does',
        '_merge.zy:3:11: strategy is one of smart, recurse, aggregate, overwrite, not "recursive"',
        '  next: did you mean recurse?',
        '_merge.zy:4:1: the merge rule has no key more',
        '  next: it has only strategy and lists',
      ].join('\n'),
    );
  });

  it.each([
    ['- a\n', '_merge.zy:1:1: the file of the merge rule is a mapping, not a list'],
    ['lists: {{ how }}\n', '_merge.zy:1:9: a list or a mapping cannot be a key'],
  ])('refuses %j', (text, problem) => {
    expect(printProblems(read(text).problems).split('\n')[0]).toBe(problem);
  });
});
