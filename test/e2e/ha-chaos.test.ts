/** Forty seconds of everything going wrong; `npm run soak` does the same for an hour. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { ChaosRun } from '../harness/chaos/run-chaos.ts';

/** Another run every time; the seed is printed. */
const seed = Number(process.env.ZESTER_CHAOS_SEED ?? Math.floor(systemClock.nowMs() / 1_000) % 1_000_000);
const run = new ChaosRun({
  seed,
  again: `ZESTER_CHAOS_SEED=${seed} npx vitest run test/e2e/ha-chaos.test.ts`,
  masters: 3,
  peels: 20,
  lengthMs: 40_000,
  pauseMs: { min: 300, max: 2_200 },
  longShare: 0,
  everyMs: 300,
  timeoutMs: { min: 6_000, max: 15_000 },
  handOverMsMax: 15_000,
});

beforeAll(() => {
  console.log(`seed ${seed}`);
  return run.open();
}, 90_000);
afterAll(() => run.close(), 60_000);

it('kills, freezes and partitions of masters, peels and server: every job ends with true rows, and nothing happens twice', async () => {
  const wrong = await run.run();
  console.log(run.summary());
  if (wrong.length > 0) console.error(run.story(wrong));
  expect(wrong).toEqual([]);
}, 300_000);
