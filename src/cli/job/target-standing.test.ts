import { describe, expect, it } from 'vitest';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobCodec } from '../../wire/records/job.ts';
import { rowCodec } from '../../wire/records/job-return.ts';
import { standings } from './target-standing.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const OTHER = '2hPx2Kd8VnR7YmWqTz4PLsCfNjA';
const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'] as unknown as [PeelId, PeelId, PeelId, PeelId, PeelId];

describe('standings', () => {
  it('tells each target apart by its row, its ack and its heartbeat', () => {
    const job = jobCodec.create({
      jid: JID,
      function: 'cmd.run',
      targets: [a, b, c, d, e],
      status: 'running',
    });
    const rows = [rowCodec.create({ jid: JID, peelId: a, success: true })];
    const signs = {
      acks: new Map([
        [a, { ackedMs: 0, behind: undefined }],
        [b, { ackedMs: 5_000, behind: undefined }],
        [c, { ackedMs: 5_000, behind: undefined }],
        [e, { ackedMs: 5_000, behind: OTHER }],
      ]),
      heartbeatMs: new Map([
        ['b', 8_000],
        ['e', 9_000],
      ]),
      nowMs: 10_000,
    };
    expect(standings(job, rows, signs).map(({ peel, standing, proof }) => [peel, standing, proof])).toEqual([
      ['a', 'returned', 'acked 10s ago, no heartbeat'],
      ['b', 'running', 'acked 5s ago, heartbeat 2s ago'],
      ['c', 'delivered', 'acked 5s ago, no heartbeat'],
      ['d', 'unreachable so far', 'no ack, no heartbeat'],
      ['e', `waits behind job ${OTHER}`, 'acked 5s ago, heartbeat 1s ago'],
    ]);
  });

  it('a row that a master wrote keeps the proof of that time, whatever the peel did since', () => {
    const job = jobCodec.create({ jid: JID, function: 'cmd.run', targets: [a, b], status: 'timeout' });
    const row = { jid: JID, unreachable: true } as const;
    const rows = [
      rowCodec.create({
        ...row,
        peelId: a,
        outcome: 'running',
        proof: { acked: nanosFromMs(4_000), heartbeatAge: nanosFromMs(2_000), epoch: 1 },
      }),
      rowCodec.create({
        ...row,
        peelId: b,
        outcome: 'unreachable',
        proof: { acked: undefined, heartbeatAge: undefined, epoch: 1 },
      }),
    ];
    const signs = {
      acks: new Map([[b, { ackedMs: 9_000, behind: undefined }]]),
      heartbeatMs: new Map([
        ['a', 10_000],
        ['b', 10_000],
      ]),
      nowMs: 10_000,
    };
    expect(standings(job, rows, signs).map(({ standing, proof }) => [standing, proof])).toEqual([
      ['running', 'acked 6s ago, heartbeat 2s old then'],
      ['unreachable', 'no ack, no heartbeat then'],
    ]);
  });
});
