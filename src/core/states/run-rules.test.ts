import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sketchState } from '../../../test/harness/states/random-states.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import { REQUISITE_KINDS, type RequisiteKind } from './compiled-state.ts';
import { brokenRequisites, hangsOnDoubt, judge, type RunVerdict, type SkipReason } from './run-rules.ts';
import { succeeded, summarize } from './run-summary.ts';

const WELL: StateResult = {
  name: '',
  changed: false,
  diff: '',
  duration: 0n,
  details: {},
  error: '',
  skipped: false,
  skipReason: '',
  data: {},
  state: undefined,
};
const ENDS = {
  well: WELL,
  changed: { ...WELL, changed: true },
  failed: { ...WELL, error: 'no' },
  halfway: { ...WELL, changed: true, error: 'no' },
  blocked: { ...WELL, skipped: true, skipReason: 'require_failed' },
  idle: { ...WELL, skipped: true, skipReason: 'onchanges_not_met' },
  unneeded: { ...WELL, skipped: true, skipReason: 'onfail_not_met' },
  unprepared: { ...WELL, skipped: true, skipReason: 'prereq_not_met' },
} as const satisfies Record<string, StateResult>;
type End = keyof typeof ENDS;

function judged(wishes: Partial<Record<RequisiteKind, readonly End[]>>): RunVerdict {
  const results = new Map(Object.entries(ENDS).map(([name, result]) => [name, { ...result, name }]));
  return judge(sketchState('me', wishes), results);
}

function brief(verdict: RunVerdict): string {
  if (verdict.do === 'skip') return verdict.reason;
  return verdict.forced ? 'forced' : 'run';
}

describe('brokenRequisites', () => {
  it('names what failed or was skipped for a failure, once each, and nothing else', () => {
    const results = new Map(Object.entries(ENDS).map(([name, result]) => [name, { ...result, name }]));
    const state = sketchState('me', {
      require: ['well', 'failed', 'idle'],
      watch: ['blocked', 'failed'],
      onchanges_any: ['changed', 'halfway'],
      onfail: ['failed'],
    });
    expect(brokenRequisites(state, results)).toEqual(['failed', 'blocked', 'halfway']);
  });
});

describe('judge', () => {
  it('runs what waits for nobody', () => {
    expect(judged({})).toEqual({ do: 'run', forced: false, askPrereq: false });
  });

  const table: readonly [RequisiteKind, readonly End[], SkipReason | 'run' | 'forced'][] = [
    ['require', ['well', 'changed', 'idle', 'unneeded', 'unprepared'], 'run'],
    ['require', ['well', 'failed'], 'require_failed'],
    ['require', ['well', 'blocked'], 'require_failed'],
    ['require_any', ['failed', 'blocked', 'well'], 'run'],
    ['require_any', ['failed', 'idle'], 'run'],
    ['require_any', ['failed', 'blocked'], 'require_failed'],
    ['watch', ['well', 'idle'], 'run'],
    ['watch', ['well', 'changed'], 'forced'],
    ['watch', ['changed', 'failed'], 'require_failed'],
    ['watch', ['changed', 'blocked'], 'require_failed'],
    ['watch_any', ['failed', 'well'], 'run'],
    ['watch_any', ['failed', 'changed'], 'forced'],
    ['watch_any', ['halfway', 'well'], 'forced'],
    ['watch_any', ['failed', 'blocked'], 'require_failed'],
    ['onchanges', ['well', 'changed'], 'run'],
    ['onchanges', ['well', 'idle'], 'onchanges_not_met'],
    ['onchanges', ['changed', 'failed'], 'require_failed'],
    ['onchanges', ['changed', 'blocked'], 'require_failed'],
    ['onchanges_any', ['failed', 'changed'], 'run'],
    ['onchanges_any', ['halfway', 'well'], 'run'],
    ['onchanges_any', ['failed', 'well'], 'onchanges_not_met'],
    ['onchanges_any', ['failed', 'blocked'], 'require_failed'],
    ['onfail', ['failed', 'well'], 'run'],
    ['onfail', ['well', 'changed', 'idle'], 'onfail_not_met'],
    ['onfail', ['blocked'], 'onfail_not_met'],
    ['onfail_any', ['failed', 'well'], 'run'],
    ['onfail_any', ['blocked', 'well'], 'onfail_not_met'],
    ['onfail_all', ['failed', 'halfway'], 'run'],
    ['onfail_all', ['failed', 'well'], 'onfail_not_met'],
  ];
  it.each(table)('%s of %j: %s', (kind, ends, wanted) => {
    expect(brief(judged({ [kind]: ends }))).toBe(wanted);
  });

  it('leaves the question of prereq to whoever can look', () => {
    expect(judged({ prereq: ['failed'] })).toEqual({ do: 'run', forced: false, askPrereq: true });
    expect(brief(judged({ prereq: ['well'], require: ['failed'] }))).toBe('require_failed');
  });

  it('asks for failures first, then onchanges, then onfail', () => {
    const all = { onchanges: ['well'], onfail: ['well'] } as const;
    expect(brief(judged({ ...all, require: ['failed'] }))).toBe('require_failed');
    expect(brief(judged(all))).toBe('onchanges_not_met');
    expect(brief(judged({ onfail: ['well'] }))).toBe('onfail_not_met');
  });

  it('with several kinds runs only what each kind alone would run, and skips for a reason one of them has', () => {
    const anyEnds = fc.uniqueArray(fc.constantFrom(...(Object.keys(ENDS) as End[])), { maxLength: 3 });
    const anyWishes = fc.record(
      Object.fromEntries(REQUISITE_KINDS.map((kind) => [kind, anyEnds])) as Record<
        RequisiteKind,
        typeof anyEnds
      >,
    );
    fc.assert(
      fc.property(anyWishes, (wishes) => {
        const together = brief(judged(wishes));
        const alone = REQUISITE_KINDS.map((kind) => brief(judged({ [kind]: wishes[kind] })));
        const reasons = alone.filter((each) => each !== 'run' && each !== 'forced');
        if (reasons.length > 0) expect(reasons).toContain(together);
        else expect(together).toBe(alone.includes('forced') ? 'forced' : 'run');
      }),
    );
  });
});

describe('a doubt of a dry run', () => {
  const results = new Map<string, StateResult>([
    ['perhaps changed', ENDS.changed],
    ['perhaps anything', ENDS.well],
    ['perhaps failed', ENDS.failed],
    ['changed', ENDS.changed],
    ['well', ENDS.well],
    ['failed', ENDS.failed],
  ]);
  const doubts = new Set(['perhaps changed', 'perhaps anything', 'perhaps failed']);
  const hangs = (wishes: Partial<Record<RequisiteKind, readonly string[]>>) =>
    hangsOnDoubt(sketchState('me', wishes), results, doubts);

  it('how a state ends is one of whatever names it, unless something else decides', () => {
    for (const name of doubts)
      for (const kind of REQUISITE_KINDS.filter((each) => each !== 'prereq'))
        expect([kind, hangs({ [kind]: [name] })]).toEqual([kind, true]);
    expect(hangs({ require: ['perhaps failed', 'failed'] })).toBe(false);
    expect(hangs({ require_any: ['perhaps failed', 'well'] })).toBe(false);
    expect(hangs({ onfail: ['perhaps anything', 'failed'] })).toBe(false);
    expect(hangs({ prereq: ['perhaps failed'] })).toBe(false);
  });

  it('is found by four questions wherever any way to resolve it matters', () => {
    const names = [...results.keys()];
    const anyWishes = fc.dictionary(
      fc.constantFrom(...REQUISITE_KINDS),
      fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
      { maxKeys: 3 },
    );
    const ways = names
      .filter((name) => doubts.has(name))
      .reduce<Map<string, StateResult>[]>(
        (all, name) => all.flatMap((way) => Object.values(ENDS).map((end) => new Map([...way, [name, end]]))),
        [new Map(results)],
      );
    fc.assert(
      fc.property(anyWishes, (wishes) => {
        const state = sketchState('me', wishes);
        const verdicts = new Set(ways.map((way) => JSON.stringify(judge(state, way))));
        expect(hangsOnDoubt(state, results, doubts)).toBe(verdicts.size > 1);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the numbers of a run', () => {
  it('count changed, failed and skipped states', () => {
    const { well, changed, failed, halfway, blocked, idle } = ENDS;
    expect(summarize([well, changed, failed, halfway, blocked, idle], false)).toMatchObject({
      changed: 2,
      failed: 2,
      skipped: 2,
      canceled: false,
    });
  });

  it('say success when nothing failed and nothing was cut off', () => {
    expect(succeeded(summarize([ENDS.well, ENDS.idle, ENDS.changed], false))).toBe(true);
    expect(succeeded(summarize([], false))).toBe(true);
    expect(succeeded(summarize([ENDS.well, ENDS.failed], false))).toBe(false);
    expect(succeeded(summarize([ENDS.well], true))).toBe(false);
  });
});
