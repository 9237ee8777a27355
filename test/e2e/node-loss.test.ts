/**
 * The loss of any one NATS node of three fails no command and blinds no listing: they wait for the election, no longer.
 * A hundred kills are in test/soak/node-loss.test.ts.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NodeLoss } from '../harness/servers/node-loss.ts';

const run = new NodeLoss();

beforeAll(() => run.open(), 120_000);
afterAll(() => run.close(), 60_000);

it('kill -9 of a follower, of a leader, of the meta leader: every command succeeds', async () => {
  for (const victim of ['follower', 'leader of the jobs', 'meta leader'] as const) await run.lose(victim);
  await run.finish();
  console.log(run.summary());
  expect(run.complaints).toEqual([]);
}, 300_000);
