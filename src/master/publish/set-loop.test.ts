import { describe, expect, it } from 'vitest';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { CHECK_MS, setLoop } from './set-loop.ts';
import type { TurnOptions } from './set-publisher.ts';

interface Turn {
  readonly isMoving: boolean;
  readonly said: string;
}

function setUp() {
  const clock = virtualClock();
  const log = jsonLog({ clock, write: () => undefined });
  const turns: { readonly atMs: number; readonly options: TurnOptions }[] = [];
  const script = { isMoving: false, error: undefined as Error | undefined, takesMs: 0 };
  const loop = setLoop<Turn>({
    runtime: { clock, random: seededRandom(1), log },
    async turn(options) {
      turns.push({ atMs: clock.monotonicMs(), options });
      const number = turns.length;
      if (script.takesMs > 0) await new Promise<void>((resolve) => clock.after(script.takesMs, resolve));
      if (script.error !== undefined) throw script.error;
      return { isMoving: script.isMoving, said: `turn ${number}` };
    },
    failed: (error) => ({ isMoving: false, said: `failed: ${error.message}` }),
  });
  return { clock, turns, script, loop };
}

const times = (turns: readonly { readonly atMs: number }[]) => turns.map(({ atMs }) => atMs);

describe('a set', () => {
  it('has its turn again and again', async () => {
    const { clock, loop, turns } = setUp();
    loop.wake();
    await clock.advance(10 * CHECK_MS);
    expect(turns.length).toBeGreaterThanOrEqual(9);
    expect(turns.length).toBeLessThanOrEqual(12);
  });

  it('has one when it has been quiet for a moment after a hint', async () => {
    const { clock, loop, turns } = setUp();
    loop.wake();
    await clock.advance(1_000);
    loop.hint();
    await clock.advance(299);
    expect(turns).toHaveLength(1);
    await clock.advance(1);
    expect(times(turns)).toEqual([0, 1_300]);
  });

  it('does not wait for ever while hints go on', async () => {
    const { clock, loop, turns } = setUp();
    for (let i = 0; i < 30; i++) {
      loop.hint();
      await clock.advance(100);
    }
    expect(times(turns)).toEqual([900, 1_800, 2_700]);
  });

  it('is not put off by a turn that ends after the hint', async () => {
    const { clock, loop, turns, script } = setUp();
    script.takesMs = 200;
    loop.wake();
    await clock.advance(100);
    loop.hint();
    await clock.advance(2_000);
    expect(times(turns)).toEqual([0, 400]);
  });

  it('has another one soon, and then less soon, while something moves', async () => {
    const { clock, loop, turns, script } = setUp();
    script.isMoving = true;
    loop.wake();
    await clock.advance(2_000);
    script.isMoving = false;
    await clock.advance(20_000);
    expect(times(turns)).toEqual([0, 300, 900, 2_100]);
  });

  it('is not forgotten when a turn fails', async () => {
    const { clock, loop, turns, script } = setUp();
    script.error = new Error('no store');
    loop.wake();
    await clock.advance(5_000);
    expect(loop.latest()).toMatchObject({ said: 'failed: no store' });
    script.error = undefined;
    await clock.advance(5_000);
    expect(turns.length).toBeGreaterThan(3);
    expect(loop.latest()).toMatchObject({ said: `turn ${turns.length}` });
  });
});

describe('a request', () => {
  it('gets the turn that begins after it, with what was asked for', async () => {
    const { clock, loop, turns, script } = setUp();
    script.takesMs = 100;
    loop.wake();
    await clock.advance(50);
    const answers = [
      loop.request({ again: true, force: false }),
      loop.request({ again: false, force: true }),
    ];
    await clock.advance(1_000);
    expect((await Promise.all(answers)).map(({ said }) => said)).toEqual(['turn 2', 'turn 2']);
    expect(turns.map(({ options }) => options)).toEqual([
      { again: false, force: false },
      { again: true, force: true },
    ]);
  });

  it('waits while something moves, and gets the turn in which nothing does', async () => {
    const { clock, loop, script, turns } = setUp();
    script.isMoving = true;
    const answer = loop.request({ again: true, force: true });
    await clock.advance(1_000);
    script.isMoving = false;
    await clock.advance(5_000);
    expect((await answer).said).toBe('turn 4');
    expect(turns.every(({ options }) => options.again && options.force)).toBe(true);
  });

  it('is told that things move where they do not stop, and when the loop ends', async () => {
    const { clock, loop, script } = setUp();
    script.isMoving = true;
    const patient = loop.request({ again: true, force: false });
    await clock.advance(30_000);
    expect((await patient).isMoving).toBe(true);
    const late = loop.request({ again: true, force: false });
    await loop.stop();
    expect((await late).isMoving).toBe(true);
  });

  it('is answered when its turn fails, and force is not repeated by itself', async () => {
    const { clock, loop, turns, script } = setUp();
    script.error = new Error('no store');
    const answer = loop.request({ again: true, force: true });
    await clock.advance(0);
    expect((await answer).said).toBe('failed: no store');
    await clock.advance(1_000);
    expect(turns.slice(1).every(({ options }) => !options.force)).toBe(true);
  });
});

it('a loop that is stopped waits for its turn and begins no other', async () => {
  const { clock, loop, turns, script } = setUp();
  script.takesMs = 500;
  loop.wake();
  let isStopped = false;
  void loop.stop().then(() => {
    isStopped = true;
  });
  loop.hint();
  loop.wake();
  await clock.advance(499);
  expect(isStopped).toBe(false);
  await clock.advance(1);
  expect(isStopped).toBe(true);
  await clock.advance(10 * CHECK_MS);
  expect(turns).toHaveLength(1);
});
