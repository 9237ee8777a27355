/** The sentences of the specification, held against random graphs of states that do random things. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStates } from '../../../test/harness/states/random-states.ts';
import { runsInMemory, type Toy, type ToyAct, unannounced } from '../../../test/harness/states/state-runs.ts';
import type { CompiledState } from '../../core/states/compiled-state.ts';
import { stateGraph } from '../../core/states/graph/graph.ts';
import type { ProgramTable } from '../../system/memory/memory-process-calls.ts';
import type { StateResult } from '../../wire/records/exec.ts';

const anyAct = (predicts: ToyAct['predicts'][]): fc.Arbitrary<ToyAct> =>
  fc
    .record({
      predicts: fc.constantFrom(...predicts),
      changed: fc.boolean(),
      failures: fc.constantFrom(0, 0, 1),
    })
    .map((act) => (act.predicts === 'unknown' ? act : { ...act, changed: act.predicts === 'change' }));

interface Wish {
  readonly toy: Toy;
  readonly makesOwn: boolean;
  readonly needsEarlier: boolean;
  readonly failhard: boolean;
  readonly attempts: number;
  readonly guard: 'onlyif' | 'unless' | undefined;
}

function anyWish(options: { readonly acts: ToyAct['predicts'][]; readonly failures: boolean }) {
  const { acts, failures } = options;
  const toy = fc.record(
    {
      plan: fc.constantFrom(...([undefined, undefined, undefined, 'fails'] as const)),
      breaks: fc.constantFrom(false, false, false, true),
      act: fc.option(
        anyAct(acts).map((act) => (failures ? act : { ...act, failures: 0 })),
        { nil: undefined },
      ),
      reacts: fc.boolean(),
      makes: fc.subarray(['/tmp/shared-1', '/tmp/shared-2'], { maxLength: 1 }),
      takesMs: fc.constantFrom(0, 1, 2, 5),
    },
    { requiredKeys: ['makes'] },
  );
  return fc.record({
    toy,
    makesOwn: fc.boolean(),
    needsEarlier: fc.constantFrom(false, false, true),
    failhard: fc.constantFrom(false, false, false, false, true),
    attempts: fc.constantFrom(0, 0, 1, 2),
    guard: fc.constantFrom(...([undefined, undefined, 'onlyif', 'unless'] as const)),
  });
}

/** Each may make a file of its own, and need those of the states it names. A shared file is everybody's. */
function anyRun(
  options: { acts?: ToyAct['predicts'][]; failures?: boolean; failhard?: boolean; guards?: boolean } = {},
): fc.Arbitrary<readonly CompiledState[]> {
  const {
    acts = ['change', 'no change', 'unknown'],
    failures = true,
    failhard = false,
    guards = false,
  } = options;
  return anyStates().chain((states) =>
    fc
      .array(anyWish({ acts, failures }), { minLength: states.length, maxLength: states.length })
      .map((wishes) =>
        states.map((state, index) => withToy(state, wishes[index] as Wish, { failhard, guards })),
      ),
  );
}

function withToy(
  state: CompiledState,
  wish: Wish,
  allow: { readonly failhard: boolean; readonly guards: boolean },
): CompiledState {
  const { prereq: _, ...naming } = state.requisites;
  const earlier = Object.values(naming).flat().map(ownFile);
  const toy: Toy = {
    ...Object.fromEntries(Object.entries(wish.toy).filter(([, value]) => value !== undefined)),
    makes: [...(wish.makesOwn ? [ownFile(state.name)] : []), ...(wish.toy.makes ?? [])],
    needs: wish.needsEarlier ? earlier : [],
  };
  return {
    ...state,
    module: 'toy',
    values: toy as Record<string, unknown>,
    attributes: {
      ...state.attributes,
      failhard: allow.failhard && wish.failhard,
      ...(allow.guards && wish.guard !== undefined ? { [wish.guard]: earlier.slice(0, 1) } : {}),
      retry: wish.attempts === 0 ? undefined : { attempts: wish.attempts, intervalMs: 10, splayMs: 0 },
    },
  };
}

function ownFile(name: string): string {
  return `/tmp/${name}`;
}

/** The fate of each state, by name, in words of the specification. */
class Fates {
  private readonly results: ReadonlyMap<string, StateResult>;

  constructor(results: readonly StateResult[]) {
    this.results = new Map(results.map((result) => [result.name, result]));
  }

  of(name: string): StateResult {
    const result = this.results.get(name);
    if (result === undefined) throw new Error(`no result of ${name}`);
    return result;
  }

  failed = (name: string) => this.of(name).error !== '';
  changed = (name: string) => this.of(name).changed;
  /** Failed, or skipped because of a failure before it. */
  lost = (name: string) => this.failed(name) || this.of(name).skipReason === 'require_failed';
  ran = (name: string) => !this.of(name).skipped;
}

/** What must be true of every state in every run that was not cut off, in apply and in check. */
function holdToRules(states: readonly CompiledState[], fates: Fates): void {
  for (const { name, requisites: r } of states) {
    const result = fates.of(name);
    const reason = result.skipReason;
    const preparers = states.filter((other) => other.requisites.prereq.includes(name));
    const mustBeWell = [...r.require, ...r.watch, ...r.onchanges, ...preparers.map((other) => other.name)];
    if (mustBeWell.some(fates.lost)) expect([name, reason]).toEqual([name, 'require_failed']);
    for (const group of [r.require_any, r.watch_any])
      if (group.length > 0 && group.every(fates.lost))
        expect([name, reason]).toEqual([name, 'require_failed']);
    for (const group of [r.onchanges, r.onchanges_any])
      if (group.length > 0 && !group.some(fates.changed))
        expect([name, result.skipped]).toEqual([name, true]);
    for (const group of [r.onfail, r.onfail_any])
      if (group.length > 0 && !group.some(fates.failed)) expect([name, result.skipped]).toEqual([name, true]);
    if (!r.onfail_all.every(fates.failed)) expect([name, result.skipped]).toEqual([name, true]);

    if (reason === 'require_failed')
      expect([
        ...mustBeWell.map(fates.lost),
        ...[r.require_any, r.watch_any, r.onchanges_any].map((g) => g.length > 0 && g.every(fates.lost)),
      ]).toContain(true);
    if (reason === 'onchanges_not_met')
      expect([r.onchanges, r.onchanges_any].some((g) => g.length > 0 && !g.some(fates.changed))).toBe(true);
    if (reason === 'onfail_not_met')
      expect(
        [r.onfail, r.onfail_any].some((g) => g.length > 0 && !g.some(fates.failed)) ||
          !r.onfail_all.every(fates.failed),
      ).toBe(true);
    if (reason === 'prereq_not_met') expect(r.prereq).not.toEqual([]);
    if (result.skipped) {
      expect(result).toMatchObject({ changed: false, error: '', diff: '', duration: 0n });
      expect(reason).not.toBe('');
    }
  }
}

function orderOf(states: readonly CompiledState[]): string[] {
  return stateGraph(states).levels.flatMap((level) => level.map(({ name }) => name));
}

const seen = ({ name, changed, diff, error, skipped, skipReason }: StateResult) => ({
  name,
  changed,
  diff,
  error,
  skipped,
  skipReason,
});

describe('any run', () => {
  it.each(['apply', 'check'] as const)('%s keeps every rule of requisites and failures', async (mode) => {
    await fc.assert(
      fc.asyncProperty(anyRun(), async (states) => {
        const outcome = await runsInMemory().run(states, mode);
        expect(outcome.results.map(({ name }) => name)).toEqual(orderOf(states));
        holdToRules(states, new Fates(outcome.results));
        expect(outcome).toMatchObject({
          canceled: false,
          failed: outcome.results.filter(({ error }) => error !== '').length,
          changed: outcome.results.filter(({ changed }) => changed).length,
          skipped: outcome.results.filter(({ skipped }) => skipped).length,
        });
      }),
    );
  });

  it('a state without a lost or unmet requisite runs, whatever happens elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun(), async (states) => {
        const fates = new Fates((await runsInMemory().run(states)).results);
        const targets = new Set(states.flatMap(({ requisites }) => requisites.prereq));
        for (const { name, requisites } of states)
          if (Object.values(requisites).every((names) => names.length === 0) && !targets.has(name))
            expect(fates.ran(name)).toBe(true);
      }),
    );
  });

  it('a watched change forces, and nothing else but a prereq does', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun(), async (states) => {
        const runs = runsInMemory();
        const fates = new Fates((await runs.run(states)).results);
        for (const { name, values, requisites: r } of states) {
          const { reacts, act, breaks, plan } = values as Toy;
          if (
            !fates.ran(name) ||
            reacts !== true ||
            act !== undefined ||
            breaks ||
            plan ||
            fates.failed(name)
          )
            continue;
          const forced = [...r.watch, ...r.watch_any].some(fates.changed) || r.prereq.length > 0;
          expect([name, runs.events.includes(`act ${name}`)]).toEqual([name, forced]);
        }
      }),
    );
  });

  it('is the same every time', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRun(),
        fc.constantFrom('apply' as const, 'check' as const),
        async (states, mode) => {
          const once = await runsInMemory().run(states, mode);
          expect(await runsInMemory().run([...states].reverse(), mode)).toEqual(once);
        },
      ),
    );
  });

  it('ends every level before the next begins', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun(), async (states) => {
        const runs = runsInMemory();
        const heard: string[] = [];
        runs.onResult.call = ({ name }) => heard.push(name);
        await runs.run(states);
        const levels = stateGraph(states).levels.map((level) => level.map(({ name }) => name).sort());
        let from = 0;
        for (const level of levels) {
          expect(heard.slice(from, from + level.length).sort()).toEqual(level);
          from += level.length;
        }
      }),
    );
  });

  it('writes every file step into the journal before it happens', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun(), async (states) => {
        const runs = runsInMemory();
        await runs.run(states);
        expect(unannounced(runs.events)).toEqual([]);
      }),
    );
  });

  it('tries a failing state as often as it may, and a good one once', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun(), async (states) => {
        const runs = runsInMemory();
        const fates = new Fates((await runs.run(states)).results);
        const targets = new Set(states.flatMap(({ requisites }) => requisites.prereq));
        for (const { name, attributes } of states) {
          if (targets.has(name)) continue; // Planned by those that prepare it as well.
          const plans = runs.events.filter((event) => event === `plan ${name}`).length;
          const most = 1 + (attributes.retry?.attempts ?? 0);
          if (!fates.ran(name)) expect([name, plans]).toEqual([name, 0]);
          else if (fates.failed(name)) expect([name, plans]).toEqual([name, most]);
          else expect(plans).toBeLessThanOrEqual(most);
          expect(fates.of(name).details.attempts ?? '1').toBe(String(Math.max(1, plans)));
        }
      }),
    );
  });
});

/** A guard is the path of a file, and asks whether it is there. */
const IS_THERE: ProgramTable =
  ([, , path = '']) =>
  async ({ files }) =>
    (await files.lstat(path)) === undefined ? 1 : 0;

describe('a dry run', () => {
  it('foretells what the apply reports, state by state', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun({ acts: ['change', 'no change'], failures: false }), async (states) => {
        const once = states.map((state) => ({
          ...state,
          attributes: { ...state.attributes, retry: undefined },
        }));
        const runs = runsInMemory();
        const dry = await runs.run(once, 'check');
        const real = await runs.run(once);
        expect(dry.results.map(seen)).toEqual(real.results.map(seen));
        for (const { details } of dry.results) expect(details).not.toHaveProperty('prediction');
      }),
      { numRuns: 300 },
    );
  });

  it('is wrong only where it says that it does not know', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun({ failures: false, failhard: true, guards: true }), async (states) => {
        const runs = runsInMemory({ programs: IS_THERE });
        const dry = await runs.run(states, 'check');
        const real = await runs.run(states);
        const known = dry.results.filter(({ details }) => details.prediction === undefined);
        const names = new Set(known.map(({ name }) => name));
        const brief = ({ name, changed, error, skipReason }: StateResult) => ({
          name,
          changed,
          failed: error !== '',
          skipReason,
        });
        expect(known.map(brief)).toEqual(real.results.filter(({ name }) => names.has(name)).map(brief));
      }),
      { numRuns: 300 },
    );
  });

  it('makes no call that changes the machine, and starts no program', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun(), async (states) => {
        const calls = new Set<string>();
        const runs = runsInMemory({ fault: ({ name }) => void calls.add(name) });
        await runs.run(states, 'check');
        expect([...calls].filter((name) => !LOOKING.includes(name))).toEqual([]);
        expect(runs.events.filter((event) => !event.startsWith('plan'))).toEqual([]);
      }),
    );
  });
});

/** System calls that only look. A file that is opened is looked at unless something is written to it or synced. */
const LOOKING = ['open', 'close', 'read', 'stat', 'lstat', 'readLink', 'realPath', 'names'];

describe('failhard', () => {
  it('skips exactly the levels after the first failure of such a state', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun({ failhard: true }), async (states) => {
        const fates = new Fates((await runsInMemory().run(states)).results);
        let aborted = false;
        for (const level of stateGraph(states).levels) {
          for (const { name } of level)
            expect([name, fates.of(name).skipReason === 'failhard_abort']).toEqual([name, aborted]);
          aborted ||= level.some(({ name, attributes }) => attributes.failhard && fates.failed(name));
        }
      }),
    );
  });
});

describe('a cancel at any moment', () => {
  it('leaves a result of every state: done, failed as canceled, or skipped without a reason', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun(), fc.integer({ min: 0, max: 40 }), async (states, atMs) => {
        const undisturbed = runsInMemory();
        const whole = await undisturbed.run(states);
        const runs = runsInMemory();
        runs.clock.after(atMs, runs.cancel);
        const outcome = await runs.run(states);
        expect(outcome.results.map(({ name }) => name)).toEqual(orderOf(states));
        if (!outcome.canceled) {
          expect(outcome).toEqual(whole);
          return;
        }
        expect(runs.elapsedMs()).toBeLessThanOrEqual(undisturbed.elapsedMs());
        const levels = stateGraph(states).levels;
        const fates = new Fates(outcome.results);
        const wholeFates = new Fates(whole.results);
        const stoppedTrying = (name: string) =>
          fates.failed(name) && fates.of(name).details.attempts !== wholeFates.of(name).details.attempts;
        const cut = (name: string) =>
          (fates.of(name).skipped && fates.of(name).skipReason === '') ||
          fates.of(name).error.startsWith('execution canceled') ||
          stoppedTrying(name);
        // Levels before the cut are as without it; all after it are skipped without a reason.
        const first = levels.findIndex((level) => level.some(({ name }) => cut(name)));
        expect(first).toBeGreaterThanOrEqual(0);
        levels.forEach((level, index) => {
          for (const { name } of level) {
            if (index < first) expect(fates.of(name)).toEqual(wholeFates.of(name));
            if (index > first)
              expect(fates.of(name)).toMatchObject({ skipped: true, skipReason: '', error: '' });
          }
        });
      }),
    );
  });
});
