import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/ids.ts';
import { jobCodec } from '../../wire/job.ts';
import { returnCodec } from '../../wire/job-return.ts';
import { standings } from './target-standing.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const [a, b, c, d] = ['a', 'b', 'c', 'd'] as unknown as [PeelId, PeelId, PeelId, PeelId];

describe('standings', () => {
  it('tells each target apart by its row, its ack and its heartbeat', () => {
    const job = jobCodec.create({ jid: JID, function: 'cmd.run', targets: [a, b, c, d], status: 'running' });
    const rows = [returnCodec.create({ jid: JID, peelId: a, success: true })];
    const signs = {
      ackedMs: new Map([
        [a, 0],
        [b, 5_000],
        [c, 5_000],
      ]),
      heartbeatMs: new Map([['b', 8_000]]),
      nowMs: 10_000,
    };
    expect(standings(job, rows, signs).map(({ peel, standing, proof }) => [peel, standing, proof])).toEqual([
      ['a', 'returned', 'acked 10s ago, no heartbeat'],
      ['b', 'running', 'acked 5s ago, heartbeat 2s ago'],
      ['c', 'delivered', 'acked 5s ago, no heartbeat'],
      ['d', 'not delivered', 'no ack, no heartbeat'],
    ]);
  });
});
