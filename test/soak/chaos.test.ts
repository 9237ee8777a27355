/**
 * Everything going wrong for an hour, or as long as `--minutes` says: the same as the minute in `npm test`, with troubles
 * that last long enough for a master to be declared dead.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { ChaosRun } from '../harness/chaos/run-chaos.ts';

const MINUTE_MS = 60_000;
const minutes = Number(process.env.ZESTER_SOAK_MINUTES ?? 60);
const seed = Number(process.env.ZESTER_CHAOS_SEED ?? Math.floor(systemClock.nowMs() / 1_000) % 1_000_000);
const run = new ChaosRun({
  seed,
  again: `npm run soak -- --minutes ${minutes} --seed ${seed} chaos`,
  masters: 3,
  peels: 20,
  lengthMs: minutes * MINUTE_MS,
  pauseMs: { min: 500, max: 7_000 },
  longShare: 0.2,
  everyMs: 500,
  timeoutMs: { min: 10_000, max: 120_000 },
  handOverMsMax: 2_000,
});

beforeAll(() => run.open());
afterAll(() => run.close());

it(`${minutes} minutes of kills, freezes and partitions: every job ends with true rows, and nothing happens twice`, async () => {
  console.log(`seed ${seed}`);
  const wrong = await run.run();
  console.log(run.summary());
  if (wrong.length > 0) console.error(run.story(wrong));
  expect(wrong).toEqual([]);
});
