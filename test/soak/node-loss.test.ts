/** A hundred NATS nodes killed with -9, one after another, whatever they lead: no command fails, no listing is blind. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NodeLoss, VICTIMS } from '../harness/servers/node-loss.ts';

const KILLS = 100;
const run = new NodeLoss();

beforeAll(() => run.open());
afterAll(() => run.close());

it(`${KILLS} kills of NATS nodes: every command succeeds`, async () => {
  for (let i = 0; i < KILLS; i++) {
    await run.lose(VICTIMS[i % VICTIMS.length] ?? 'follower');
    if (i % 10 === 9) console.log(run.summary());
  }
  await run.finish();
  console.log(run.summary());
  expect(run.complaints).toEqual([]);
});
