import { describe, expect, it } from 'vitest';
import { runsInMemory, type Toy, toyState, toyStates } from '../../../test/harness/states/state-runs.ts';
import { succeeded } from '../../core/states/run-summary.ts';
import { ERROR_CHARS_MAX } from './error-text.ts';
import { GUARD_NOT_MET } from './plan-view.ts';
import { CHANGED_EARLIER, STATES_AT_ONCE_MAX } from './state-runner.ts';

const CHANGES: Toy = { act: { predicts: 'change', changed: true } };
const FAILS: Toy = { plan: 'fails' };
const NOP: Toy = {};

/** `name: what became of it`, in the order of the results. */
async function told(
  states: Parameters<ReturnType<typeof runsInMemory>['run']>[0],
  mode: 'apply' | 'check' = 'apply',
  runs = runsInMemory(),
): Promise<string[]> {
  const { results } = await runs.run(states, mode);
  return results.map(({ name, changed, error, skipped, skipReason }) => {
    if (skipped) return `${name}: skipped ${skipReason}`.trim();
    return `${name}: ${error !== '' ? 'failed' : changed ? 'changed' : 'same'}`;
  });
}

describe('apply', () => {
  it('carries out what is missing, and a second time finds nothing to do', async () => {
    const runs = runsInMemory();
    const states = [toyState('a', { makes: ['/tmp/a', '/tmp/b'] })];
    const first = await runs.run(states);
    expect(first).toMatchObject({ changed: 1, failed: 0, skipped: 0, canceled: false });
    expect(first.results[0]).toMatchObject({ changed: true, diff: '2 steps', details: { toy: 'a' } });
    expect(await runs.exists('/tmp/b')).toBe(true);
    const second = await runs.run(states);
    expect(second.results[0]).toMatchObject({ changed: false, diff: '', error: '' });
    expect(succeeded(second)).toBe(true);
  });

  it('writes each step into the journal before it happens, and what cannot be undone', async () => {
    const runs = runsInMemory();
    await runs.run([toyState('a', { makes: ['/tmp/a', '/tmp/b'], ...CHANGES })]);
    expect(runs.events).toEqual([
      'plan a',
      'planned a',
      'before a /tmp/a',
      'write /tmp/a',
      'before a /tmp/b',
      'write /tmp/b',
      'cannot undo runs a',
      'act a',
    ]);
  });

  it('ends a state at its first failing step, keeps the details and says what was done already', async () => {
    const { results, failed } = await runsInMemory().run(
      toyStates({
        a: [{ makes: ['/tmp/a'], breaks: true, ...CHANGES }],
        b: [{ makes: ['/tmp/b'], act: { predicts: 'change', changed: false, failures: 1 } }],
      }),
    );
    expect(failed).toBe(2);
    expect(results[0]).toMatchObject({ changed: true, diff: '', details: { toy: 'a' } });
    expect(results[0]?.details).not.toHaveProperty('ran');
    expect(results[0]?.error).toMatch(/\/missing.*\[FILE_[A-Z_]+\]; already done: write \/tmp\/a$/);
    expect(results[1]).toMatchObject({
      changed: true,
      error: 'failure 1; already done: write /tmp/b',
      details: { toy: 'b', ran: 'b' },
    });
  });

  it('takes a bug of a module for a failure of that state, with a message that ends', async () => {
    const { results } = await runsInMemory().run(toyStates({ a: [{ plan: 'throws' }], b: [CHANGES] }));
    expect(results[0]?.error).toMatch(
      /^a bug in Zester, please report it: Error: bug x+… \(\d+ characters\)$/,
    );
    expect(results[0]?.error.length).toBeLessThan(ERROR_CHARS_MAX + 30);
    expect(results[1]).toMatchObject({ changed: true, error: '' });
  });

  it('tells a program that changed nothing from one that did', async () => {
    const states = toyStates({
      a: [{ act: { predicts: 'no change', changed: false } }],
      b: [{ act: { predicts: 'unknown', changed: false } }],
      c: [{ act: { predicts: 'unknown', changed: true } }],
    });
    expect(await told(states)).toEqual(['a: same', 'b: same', 'c: changed']);
  });

  it('runs the example of the specification', async () => {
    const states = toyStates({
      install_nginx: [CHANGES],
      install_postgres: [FAILS],
      deploy_nginx_conf: [CHANGES, { require: ['install_nginx'] }],
      deploy_pg_conf: [CHANGES, { require: ['install_postgres'] }],
      start_all: [CHANGES, { require: ['deploy_nginx_conf', 'deploy_pg_conf'] }],
    });
    expect(await told(states)).toEqual([
      'install_nginx: changed',
      'install_postgres: failed',
      'deploy_nginx_conf: changed',
      'deploy_pg_conf: skipped require_failed',
      'start_all: skipped require_failed',
    ]);
  });

  it('forces a state that watches a change', async () => {
    const states = (watched: Toy) => toyStates({ a: [watched], b: [{ reacts: true }, { watch: ['a'] }] });
    expect(await told(states(CHANGES))).toEqual(['a: changed', 'b: changed']);
    expect(await told(states(NOP))).toEqual(['a: same', 'b: same']);
  });

  it('tells each result as soon as it is there', async () => {
    const runs = runsInMemory();
    const heard: string[] = [];
    runs.onResult.call = ({ name }) => heard.push(name);
    const { results } = await runs.run(toyStates({ a: [{ takesMs: 20 }], b: [{ takesMs: 10 }] }));
    expect(heard).toEqual(['b', 'a']);
    expect(results.map(({ name, duration }) => [name, duration])).toEqual([
      ['a', 20_000_000n],
      ['b', 10_000_000n],
    ]);
  });
});

describe('a level', () => {
  it('runs together and is over before the next one begins', async () => {
    const runs = runsInMemory();
    await runs.run(
      toyStates({
        slow: [{ takesMs: 100 }],
        quick: [{ takesMs: 1 }],
        next: [{ takesMs: 10 }, { require: ['quick'] }],
      }),
    );
    expect(runs.events).toEqual([
      'plan quick',
      'plan slow',
      'planned quick',
      'planned slow',
      'plan next',
      'planned next',
    ]);
    expect(runs.elapsedMs()).toBe(110);
  });

  it(`has at most ${STATES_AT_ONCE_MAX} states at work`, async () => {
    const names = Array.from({ length: 2 * STATES_AT_ONCE_MAX + 1 }, (_, n) => `s${n}`);
    const runs = runsInMemory();
    await runs.run(names.map((name) => toyState(name, { takesMs: 10 })));
    expect(runs.elapsedMs()).toBe(30);
    const begun = runs.events.findIndex((event) => event.startsWith('planned'));
    expect(begun).toBe(STATES_AT_ONCE_MAX);
  });

  it('lets only one of its states work on a path, in launch order, and none waits for ever', async () => {
    const runs = runsInMemory();
    const { results } = await runs.run(
      toyStates({
        c: [{ makes: ['/tmp/1', '/tmp//1', '/tmp/2'], takesMs: 5 }],
        b: [{ makes: ['/tmp/2', '/tmp/1/'], takesMs: 5 }, { order: 1 }],
        a: [{ makes: ['/tmp/2'], takesMs: 5 }, { order: -1 }],
      }),
    );
    expect(results.map(({ name, error }) => [name, error])).toEqual([
      ['a', ''],
      ['c', ''],
      ['b', ''],
    ]);
    expect(runs.events.filter((event) => event.startsWith('plan'))).toEqual([
      'plan a',
      'planned a',
      'plan c',
      'planned c',
      'plan b',
      'planned b',
    ]);
  });
});

describe('guards', () => {
  const answers: Record<string, (n: { sleep(ms: number): Promise<void> }) => number | Promise<number>> = {
    yes: () => 0,
    no: () => 3,
    slow: async ({ sleep }) => {
      await sleep(120_000);
      return 0;
    },
  };
  const guarded = (ran: string[] = []) =>
    runsInMemory({
      programs: ([, , command = '']) => {
        ran.push(command);
        return answers[command];
      },
    });

  it.each([
    [['yes', 'yes'], [], 'changed'],
    [['yes', 'no', 'never asked'], [], 'same'],
    [[], ['no', 'no'], 'changed'],
    [[], ['no', 'yes', 'never asked'], 'same'],
    [['yes'], ['no'], 'changed'],
    [[true, 'yes'], [false, 'no'], 'changed'],
    [[false, 'never asked'], [], 'same'],
    [[], [true, 'never asked'], 'same'],
  ] as const)('onlyif %j, unless %j: %s, in a dry run too', async (onlyif, unless, wanted) => {
    for (const mode of ['apply', 'check'] as const) {
      const ran: string[] = [];
      const runs = guarded(ran);
      const { results, skipped } = await runs.run([toyState('a', CHANGES, { onlyif, unless })], mode);
      expect(results[0]).toMatchObject({ changed: wanted === 'changed', error: '', skipped: false });
      expect(results[0]?.diff).toBe(wanted === 'changed' ? '1 steps' : GUARD_NOT_MET);
      expect(skipped).toBe(0);
      expect(ran).not.toContain('never asked');
      expect(runs.events.includes('plan a')).toBe(wanted === 'changed');
    }
  });

  it('that cannot be started or do not end fail the state', async () => {
    const { results } = await guarded().run(
      toyStates({ a: [CHANGES, { onlyif: ['nowhere'] }], b: [CHANGES, { unless: ['slow'] }] }),
    );
    expect(results[0]?.error).toMatch(/^onlyif "nowhere": .*\[PROCESS_START_FAILED\]$/);
    expect(results[1]?.error).toBe('unless "slow": timed out after 1m, killed');
  });

  it('are not asked of a state that is skipped anyway', async () => {
    const ran: string[] = [];
    const states = toyStates({ a: [FAILS], b: [CHANGES, { require: ['a'], onlyif: ['yes'] }] });
    expect(await told(states, 'apply', guarded(ran))).toEqual(['a: failed', 'b: skipped require_failed']);
    expect(ran).toEqual([]);
  });

  it('of a dry run look at the machine before earlier changes: then the prediction is a guess', async () => {
    const states = (first: Toy) =>
      toyStates({ a: [first], b: [CHANGES, { require: ['a'], onlyif: ['no'] }] });
    const second = async (first: Toy) => (await guarded().run(states(first), 'check')).results[1]?.details;
    expect(await second(NOP)).not.toHaveProperty('prediction');
    expect(await second(CHANGES)).toMatchObject({ prediction: 'unknown' });
  });
});

describe('prereq', () => {
  const states = (target: Toy) =>
    toyStates({ before: [{ reacts: true }, { prereq: ['target'] }], target: [target] });

  it('runs, forced, before a target that is going to change something', async () => {
    for (const mode of ['apply', 'check'] as const)
      expect(await told(states({ makes: ['/tmp/a'] }), mode)).toEqual(['before: changed', 'target: changed']);
  });

  it('is skipped where no target is going to change anything', async () => {
    for (const mode of ['apply', 'check'] as const)
      expect(await told(states(NOP), mode)).toEqual(['before: skipped prereq_not_met', 'target: same']);
  });

  it('runs where a target cannot be planned, and says why', async () => {
    for (const mode of ['apply', 'check'] as const) {
      const { results } = await runsInMemory().run(states(FAILS), mode);
      expect(results[0]).toMatchObject({ skipped: false, changed: true });
      expect(results[0]?.details.prereq).toMatch(
        /^runs to be safe: target cannot be planned yet: .*the plan fails/,
      );
    }
  });

  it('that failed keeps its target from running', async () => {
    const toys = toyStates({ a: [{ ...CHANGES, breaks: true }, { prereq: ['b'] }], b: [CHANGES] });
    expect(await told(toys)).toEqual(['a: failed', 'b: skipped require_failed']);
  });

  it('leaves nothing behind by looking', async () => {
    const runs = runsInMemory();
    await runs.run(
      toyStates({
        a: [{ ...NOP }, { prereq: ['b'] }],
        b: [{ makes: ['/tmp/b'] }, { require: ['c'] }],
        c: [FAILS],
      }),
    );
    expect(await runs.exists('/tmp/b')).toBe(false);
    expect(runs.events).not.toContain('before b /tmp/b');
  });
});

describe('retry', () => {
  const stubborn = (failures: number, attempts: number) =>
    toyState(
      'a',
      { act: { predicts: 'change', changed: true, failures } },
      { retry: { attempts, intervalMs: 5_000, splayMs: 0 } },
    );

  it('tries again after its interval until it goes well', async () => {
    const runs = runsInMemory();
    const { results } = await runs.run([stubborn(2, 3)]);
    expect(results[0]).toMatchObject({ changed: true, error: '', details: { attempts: '3' } });
    expect(runs.elapsedMs()).toBe(10_000);
  });

  it('waits longer by chance, at most by its splay', async () => {
    const runs = runsInMemory();
    const toy: Toy = { act: { predicts: 'change', changed: true, failures: 20 } };
    const retry = { attempts: 20, intervalMs: 5_000, splayMs: 2_000 };
    await runs.run([toyState('a', toy, { retry })]);
    expect(runs.elapsedMs()).toBeGreaterThan(20 * 5_000);
    expect(runs.elapsedMs()).toBeLessThan(20 * 7_000);
    expect(runs.elapsedMs() % 1_000).not.toBe(0);
  });

  it('gives up after as many additional attempts as were asked for', async () => {
    const runs = runsInMemory();
    const { results } = await runs.run([stubborn(9, 2)]);
    expect(results[0]).toMatchObject({ changed: false, error: 'failure 3', details: { attempts: '3' } });
    expect(runs.events.filter((event) => event === 'act a')).toHaveLength(3);
  });

  it('does not happen in a dry run', async () => {
    const runs = runsInMemory();
    const retry = { attempts: 5, intervalMs: 5_000, splayMs: 0 };
    const { results } = await runs.run([toyState('a', FAILS, { retry })], 'check');
    expect(results[0]?.error).not.toBe('');
    expect(runs.elapsedMs()).toBe(0);
    expect(runs.events).toEqual(['plan a', 'planned a']);
  });

  it('remembers what an attempt that failed had changed', async () => {
    const toy: Toy = { makes: ['/tmp/a'], act: { predicts: 'no change', changed: false, failures: 1 } };
    const states = [toyState('a', toy, { retry: { attempts: 1, intervalMs: 1, splayMs: 0 } })];
    const { results } = await runsInMemory().run(states);
    expect(results[0]).toMatchObject({ changed: true, diff: CHANGED_EARLIER, error: '' });
  });

  it('ends with a cancel while it waits: the failure stays, the rest is skipped', async () => {
    const runs = runsInMemory();
    runs.clock.after(1_000, runs.cancel);
    const outcome = await runs.run([stubborn(9, 2), toyState('b', CHANGES, { onfail: ['a'] })]);
    expect(outcome).toMatchObject({ canceled: true, failed: 1, skipped: 1 });
    expect(runs.elapsedMs()).toBe(1_000);
    expect(outcome.results[0]).toMatchObject({ error: 'failure 1', skipped: false });
  });
});

describe('failhard', () => {
  it('skips all later levels and lets its own level finish', async () => {
    const states = toyStates({
      hard: [FAILS, { failhard: true }],
      mate: [{ ...CHANGES, takesMs: 10 }],
      later: [CHANGES, { require: ['mate'] }],
      rescue: [CHANGES, { onfail: ['hard'] }],
    });
    const wanted = [
      'hard: failed',
      'mate: changed',
      'later: skipped failhard_abort',
      'rescue: skipped failhard_abort',
    ];
    expect(await told(states)).toEqual(wanted);
    expect(await told(states, 'check')).toEqual(wanted);
  });

  it('does nothing for a state that went well, would change or was skipped', async () => {
    const states = toyStates({
      a: [CHANGES, { failhard: true }],
      b: [FAILS],
      c: [CHANGES, { require: ['b'], failhard: true }],
      d: [CHANGES, { onfail: ['b'], require: ['a'] }],
      e: [CHANGES, { require: ['d'] }],
    });
    for (const mode of ['apply', 'check'] as const)
      expect((await told(states, mode)).slice(2)).toEqual([
        'c: skipped require_failed',
        'd: changed',
        'e: changed',
      ]);
  });
});

describe('a cancel', () => {
  const states = toyStates({
    working: [{ makes: ['/tmp/a'], act: { predicts: 'change', changed: true, takesMs: 1_000 } }],
    planning: [{ ...CHANGES, takesMs: 900 }],
    quick: [CHANGES],
    later: [CHANGES, { require: ['quick'] }],
  });

  it('ends what works at its next step, and skips the rest without a reason', async () => {
    const runs = runsInMemory();
    runs.clock.after(500, runs.cancel);
    const outcome = await runs.run(states);
    const byName = Object.fromEntries(outcome.results.map((result) => [result.name, result]));
    expect(outcome).toMatchObject({ canceled: true, failed: 1, skipped: 2, changed: 2 });
    expect(succeeded(outcome)).toBe(false);
    expect(byName.working).toMatchObject({
      changed: true,
      error: 'execution canceled; already done: write /tmp/a',
      details: { ran: 'working' },
    });
    expect(byName.planning).toMatchObject({ skipped: true, skipReason: '', error: '', changed: false });
    expect(byName.quick).toMatchObject({ changed: true, error: '' });
    expect(byName.later).toMatchObject({ skipped: true, skipReason: '', error: '' });
    expect(runs.events).not.toContain('act planning');
  });

  it('comes between two steps: the first is done, the second is not begun', async () => {
    const runs = runsInMemory({ fault: ({ name }) => (name === 'rename' ? { delayMs: 1_000 } : undefined) });
    runs.clock.after(500, runs.cancel);
    const { results } = await runs.run([toyState('a', { makes: ['/tmp/a', '/tmp/b'] })]);
    expect(results[0]).toMatchObject({
      changed: true,
      error: 'execution canceled; already done: write /tmp/a',
    });
    expect(runs.events).not.toContain('before a /tmp/b');
  });

  it('before the run skips everything', async () => {
    const runs = runsInMemory();
    runs.cancel();
    expect(await runs.run(states)).toMatchObject({ canceled: true, skipped: 4, failed: 0, changed: 0 });
    expect(runs.events).toEqual([]);
  });

  it('after the last state has ended changes nothing', async () => {
    const runs = runsInMemory();
    runs.onResult.call = ({ name }) => name === 'later' && runs.cancel();
    expect(await runs.run(states)).toMatchObject({ canceled: false, skipped: 0, changed: 4 });
  });
});
