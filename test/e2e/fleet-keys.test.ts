/** A master as a real process whose key is not that of the fleet: it ends, and says why and what to do. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BUCKETS } from '../../src/wire/names/buckets.ts';
import { MASTER_CURVE_KEY } from '../../src/wire/names/keys.ts';
import { ProcessFleet } from '../harness/programs/process-fleet.ts';
import { ROOT, start } from '../harness/programs/program.ts';

const fleet = new ProcessFleet();

beforeAll(async () => {
  await fleet.open();
  await fleet.master();
}, 60_000);
afterAll(() => fleet.close(), 60_000);

it('a master with another key than the fleet does not start', async () => {
  const secrets = fleet.admin.bucket(BUCKETS.secrets.name);
  const own = await secrets.getLatest(MASTER_CURVE_KEY);
  const revision = await secrets.put(MASTER_CURVE_KEY, Buffer.from(`X${'A'.repeat(55)}`));
  const options = [
    '--nats-url',
    fleet.address,
    '--auth-dir',
    join(fleet.dir, 'auth'),
    '--health-addr',
    'off',
  ];
  const stranger = start(process.execPath, [join(ROOT, 'dist/zester-master.cjs'), ...options]);
  const { code, err } = await stranger.ended;
  expect(code).toBe(1);
  expect(err).toMatch(
    /^zester-master: this master has another fleet key than the fleet: .*\[MASTER_OTHER_KEYS\]$/m,
  );
  expect(err).toContain('next: copy the auth directory of a master that works');
  expect((await secrets.getLatest(MASTER_CURVE_KEY)).revision).toBe(revision);
  if (own.found) await secrets.put(MASTER_CURVE_KEY, own.value);
  await (await fleet.master()).stop();
}, 60_000);
