/** All masters die at once and come back: with short deadlines here, after ten minutes in `npm run soak`. */
import { afterAll, beforeAll, it } from 'vitest';
import { ProcessFleet } from '../harness/programs/process-fleet.ts';
import { MasterlessJobs } from '../harness/servers/masterless-time.ts';

const TIME = { downMs: 8_000, shortMs: 5_000, longMs: 60_000 };
const PEELS = ['web-01', 'web-02'] as const;
/** Who starts on the machine of a dead master sees at once that it is dead. */
const ENDED_MS_MAX = 10_000;
const fleet = new ProcessFleet();

beforeAll(async () => {
  await fleet.open();
  await Promise.all([fleet.master(), fleet.master(), fleet.master()]);
  const [, away] = await Promise.all(PEELS.map((id) => fleet.peel(id)));
  await away?.stop();
}, 60_000);
afterAll(() => fleet.close(), 60_000);

it('without masters for a while, every job ends with true rows, and those over their deadline at once', async () => {
  const jobs = new MasterlessJobs(fleet, PEELS, TIME);
  await jobs.run(TIME);
  await jobs.expectTrueRows(ENDED_MS_MAX);
}, 120_000);
