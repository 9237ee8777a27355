import { describe, expect, it } from 'vitest';
import { runsInMemory, STUCK, toyStates, unannounced } from '../../../test/harness/states/state-runs.ts';
import type { Fault } from '../../system/memory/memory-gate.ts';

const PATHS = ['/tmp/a', '/tmp/b', '/tmp/c'];
const STATES = toyStates({
  a: [{ makes: ['/tmp/a', '/tmp/b'] }],
  mate: [{ makes: ['/tmp/b'] }],
  b: [{ needs: ['/tmp/a'], makes: ['/tmp/c'] }, { require: ['a'] }],
});

/** Counts the calls of the machine, and answers none from the given one on. */
function dyingAt(deathCall: number): { readonly fault: () => Fault; readonly calls: () => number } {
  let calls = 0;
  return { fault: () => (++calls >= deathCall ? 'hang' : undefined), calls: () => calls };
}

async function callsOfRun(): Promise<number> {
  const { fault, calls } = dyingAt(Number.POSITIVE_INFINITY);
  await runsInMemory({ fault }).run(STATES);
  return calls();
}

describe('a run that dies', () => {
  it('at any call of the machine has announced what it wrote, and the next run finishes the work', async () => {
    const calls = await callsOfRun();
    expect(calls).toBeGreaterThan(20);
    for (let deathCall = 1; deathCall <= calls; deathCall++) {
      let dead = false;
      const { fault } = dyingAt(deathCall);
      const runs = runsInMemory({ fault: () => (dead ? undefined : fault()) });
      await expect(runs.run(STATES)).rejects.toThrow(STUCK);
      const before = [...runs.events];
      expect(unannounced(before)).toEqual([]);

      dead = true;
      const next = runs.crash();
      const outcome = await next.run(STATES);
      expect([deathCall, outcome.failed, outcome.canceled]).toEqual([deathCall, 0, false]);
      for (const path of PATHS) expect([path, await next.exists(path)]).toEqual([path, true]);
      expect((await next.run(STATES)).changed).toBe(0);
      // The dead one did nothing more.
      expect(runs.events).toEqual(before);
    }
  });

  it('at a call that fails is a state that failed, and the run goes on', async () => {
    const calls = await callsOfRun();
    let failures = 0;
    for (let failingCall = 1; failingCall <= calls; failingCall++) {
      let call = 0;
      const runs = runsInMemory({ fault: () => (++call === failingCall ? { fail: 'EIO' } : undefined) });
      const outcome = await runs.run(STATES);
      expect(outcome.results).toHaveLength(3);
      failures += outcome.failed > 0 ? 1 : 0;
      expect(unannounced(runs.events)).toEqual([]);
      const again = await runs.run(STATES);
      expect([failingCall, again.failed]).toEqual([failingCall, 0]);
    }
    // Not every one: closing a file or sweeping up may fail unnoticed.
    expect(failures).toBeGreaterThan(calls / 2);
  });
});
