/** All masters are away for ten minutes, longer than anything of theirs lives in the store, and come back. */
import { afterAll, beforeAll, it } from 'vitest';
import { ProcessFleet } from '../harness/programs/process-fleet.ts';
import { MasterlessJobs } from '../harness/servers/masterless-time.ts';

const MINUTE_MS = 60_000;
const TIME = { downMs: 10 * MINUTE_MS, shortMs: 5 * MINUTE_MS, longMs: 30 * MINUTE_MS };
const PEELS = ['web-01', 'web-02'] as const;
/** Nothing tells any more whether the owners are dead: that takes two looks, 20 s apart. */
const ENDED_MS_MAX = 55_000;
const fleet = new ProcessFleet();

beforeAll(async () => {
  await fleet.open();
  await Promise.all([fleet.master(), fleet.master(), fleet.master()]);
  const [, away] = await Promise.all(PEELS.map((id) => fleet.peel(id)));
  await away?.stop();
});
afterAll(() => fleet.close());

it('ten minutes without a master: every job ends with true rows', async () => {
  const jobs = new MasterlessJobs(fleet, PEELS, TIME);
  await jobs.run(TIME);
  await jobs.expectTrueRows(ENDED_MS_MAX);
});
