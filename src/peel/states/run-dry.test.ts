/** What a dry run says, and where it says that it does not know. */
import { describe, expect, it } from 'vitest';
import type { Sketch } from '../../../test/harness/states/random-states.ts';
import { runsInMemory, type Toy, toyStates } from '../../../test/harness/states/state-runs.ts';

const CHANGES: Toy = { act: { predicts: 'change', changed: true } };
const NOP: Toy = {};
type Toys = Parameters<typeof toyStates>[0];

describe('a dry run', () => {
  it('changes nothing, starts nothing, and sees what earlier states would have done', async () => {
    const runs = runsInMemory();
    const states = toyStates({
      a: [{ makes: ['/tmp/a'] }],
      b: [{ needs: ['/tmp/a'], makes: ['/tmp/b'], ...CHANGES }, { require: ['a'] }],
    });
    const { results } = await runs.run(states, 'check');
    expect(results.map(({ changed, error }) => [changed, error])).toEqual([
      [true, ''],
      [true, ''],
    ]);
    expect(await runs.exists('/tmp/a')).toBe(false);
    expect(runs.events).toEqual(['plan a', 'planned a', 'plan b', 'planned b']);
  });

  it('fails where the apply will fail', async () => {
    const states = toyStates({ a: [{ makes: ['/tmp/a'], breaks: true }], b: [{ needs: ['/tmp/no'] }] });
    const dry = await runsInMemory().run(states, 'check');
    const real = await runsInMemory().run(states);
    const seen = ({ results }: typeof dry) =>
      results.map(({ changed, diff, error }) => [changed, diff, error]);
    expect(seen(dry)).toEqual(seen(real));
    expect(dry.failed).toBe(2);
  });

  it('says unknown where only running can tell, and so of what hangs on it', async () => {
    const states = toyStates({
      a: [{ act: { predicts: 'unknown', changed: false } }],
      b: [NOP, { onchanges: ['a'] }],
      c: [{ reacts: true }, { watch: ['b'], require: ['a'] }],
      too: [{ makes: ['/tmp/a'], act: { predicts: 'unknown', changed: false } }],
    });
    const { results } = await runsInMemory().run(states, 'check');
    const seen = results.map(({ name, changed, details }) => [name, changed, details.prediction]);
    expect(seen).toEqual([
      ['a', true, 'unknown'],
      ['too', true, 'unknown'],
      ['b', false, 'unknown'],
      ['c', false, 'unknown'],
    ]);
  });

  it('after a program that may change files takes a plan that fails for a change that it cannot describe', async () => {
    const states = (opaque: boolean) =>
      toyStates({
        a: [{ act: { predicts: 'change', changed: true, opaque, makes: '/tmp/made' } }],
        b: [{ needs: ['/tmp/made'] }, { require: ['a'] }],
      });
    const [, after] = (await runsInMemory().run(states(true), 'check')).results;
    expect(after).toMatchObject({ changed: true, error: '', details: { prediction: 'unknown' } });
    expect(after?.diff).toMatch(/^cannot be told before earlier .*\/tmp\/made is missing/);
    const [, without] = (await runsInMemory().run(states(false), 'check')).results;
    expect(without).toMatchObject({ changed: false, details: {} });
    expect(without?.error).toContain('/tmp/made is missing');
  });

  it('promises nothing about what hangs on a program that may change files or fail', async () => {
    const states = toyStates({
      a: [{ act: { predicts: 'change', changed: true, opaque: true } }],
      b: [NOP, { require: ['a'] }],
      c: [CHANGES, { onfail: ['a'] }],
      d: [CHANGES, { onchanges: ['b'] }],
      e: [NOP],
    });
    const { results } = await runsInMemory().run(states, 'check');
    expect(results.map(({ name, details }) => [name, details.prediction])).toEqual([
      ['a', undefined],
      ['e', undefined],
      ['b', 'unknown'],
      ['c', 'unknown'],
      ['d', 'unknown'],
    ]);
  });

  it('cut off skips what it had not looked at', async () => {
    const runs = runsInMemory();
    runs.clock.after(5, runs.cancel);
    const outcome = await runs.run(toyStates({ a: [{ takesMs: 10, ...CHANGES }], b: [CHANGES] }), 'check');
    expect(outcome).toMatchObject({ canceled: true, failed: 0, skipped: 1, changed: 1 });
  });
});

describe('a doubt of a dry run', () => {
  /** `doubted` is guarded and comes after a change, `later` comes after everything and names none of the others. */
  async function predictionOfLater(
    doubted: readonly [Toy, Sketch],
    others: Toys,
    later: Toy,
  ): Promise<unknown> {
    const runs = runsInMemory({
      programs:
        ([, , command]) =>
        () =>
          command === 'yes' ? 0 : 1,
    });
    const [toy, sketch] = doubted;
    const states = toyStates({
      change: [CHANGES],
      doubted: [toy, { ...sketch, require: ['change'] }],
      ...others,
      z0: [NOP],
      z1: [NOP, { require: ['z0'] }],
      z2: [NOP, { require: ['z1'] }],
      later: [later, { require: ['z2'] }],
    });
    const { results } = await runs.run(states, 'check');
    return results.find(({ name }) => name === 'later')?.details.prediction;
  }
  const MAKES_F: Toy = { makes: ['/tmp/f'] };

  it('reaches whoever looks at a file that may or may not have been written', async () => {
    for (const onlyif of [['yes'], ['no']]) {
      expect(await predictionOfLater([MAKES_F, { onlyif }], {}, MAKES_F)).toBe('unknown');
      expect(await predictionOfLater([MAKES_F, { onlyif }], {}, { makes: ['/tmp/g'] })).toBeUndefined();
    }
  });

  it('reaches what a skipped state touches that may run after all', async () => {
    const skipped: Toys = { skipped: [MAKES_F, { onchanges: ['doubted'] }] };
    expect(await predictionOfLater([CHANGES, { onlyif: ['no'] }], skipped, MAKES_F)).toBe('unknown');
    expect(await predictionOfLater([CHANGES, { onlyif: ['no'] }], skipped, NOP)).toBeUndefined();
  });

  it('reaches everything after a state that may fail hard', async () => {
    expect(await predictionOfLater([CHANGES, { onlyif: ['no'], failhard: true }], {}, NOP)).toBe('unknown');
  });
});
