import { describe, expect, it } from 'vitest';
import { jobWaitsBehind } from '../../client/jobs/job-acks.ts';
import type { Signs } from '../../client/jobs/job-details.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid, MasterId, PeelId } from '../../wire/names/ids.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { rowCodec } from '../../wire/records/job-return.ts';
import { jobText } from './job-text.ts';
import type { standings } from './target-standing.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const FIRST = '2hPx2Kd8VnR7YmWqTz4PLsCfNjA';
const [WEB, DB] = ['web-01', 'db_example_com'] as [PeelId, PeelId];
const NOW_MS = 1_770_733_845_000;
const command = (verb: string) => `bin/zester job ${verb} ${JID}`;

const job = (given: Partial<Job>): Job =>
  jobCodec.create({
    jid: JID,
    function: 'state.apply',
    stateId: 'webserver',
    args: { test: true, note: "it's" },
    targets: [WEB, DB],
    targetExpr: 'web* or db*',
    user: 'alice',
    owner: 'master-a' as MasterId,
    created: nanosFromMs(NOW_MS - 45_000),
    updated: nanosFromMs(NOW_MS - 30_000),
    deadline: nanosFromMs(NOW_MS + 255_000),
    timeout: nanosFromMs(300_000),
    ...given,
  });

const show = (shown: Job, signs: Partial<Signs>, rows: Parameters<typeof standings>[1] = []) => {
  const all: Signs = { acks: new Map(), heartbeatMs: new Map(), nowMs: NOW_MS, ...signs };
  const waitsBehind = jobWaitsBehind({
    targets: shown.targets,
    acks: all.acks,
    hasReturn: rows.length > 0,
  });
  return jobText({ job: shown, rows, signs: all, waitsBehind }, command);
};

describe('a job for people', () => {
  it('that has ended: who, what, when, each target, why it failed, and where the answers are', () => {
    const rows = [
      rowCodec.create({ jid: JID, peelId: WEB, success: true, duration: nanosFromMs(12_300) }),
      rowCodec.create({ jid: JID, peelId: DB, error: 'no such\nstate', duration: nanosFromMs(1_000) }),
    ];
    const ended = job({ status: 'failed', returnCount: 2, successCount: 1 });
    expect(show(ended, {}, rows)).toBe(`Job ${JID}: failed
  function   state.apply
  arguments  webserver test=true note='it'\\''s'
  target     web* or db* (2 peels)
  user       alice
  created    2026-02-10T14:30:00Z (45s ago)
  ended      2026-02-10T14:30:15Z (30s ago); 2 of 2 returned, 1 good
  owner      master-a

PEEL            STATUS    SUCCESS  DURATION  PROOF
web-01          returned  true     12s300ms  no heartbeat
db.example.com  failed    false    1s        no heartbeat

Errors:
  db.example.com: no such state

next: what each target answered: bin/zester job attach ${JID}
`);
  });

  it('that is open: its deadline, who runs it, who waits and who is silent, and how to follow or stop it', () => {
    const acks = new Map([[WEB, { ackedMs: NOW_MS - 40_000, behind: undefined }]]);
    const text = show(job({ status: 'running' }), { acks, heartbeatMs: new Map([[WEB, NOW_MS - 3_000]]) });
    expect(text).toContain(`Job ${JID}: running\n`);
    expect(text).toContain('  deadline   2026-02-10T14:35:00Z (in 4m15s)\n');
    expect(text).toMatch(/web-01 +running +- +- +acked 40s ago, heartbeat 3s ago\n/);
    expect(text).toMatch(/db\.example\.com +unreachable so far +- +- +no ack, no heartbeat\n/);
    expect(text).toContain(`next: follow it: bin/zester job attach ${JID}\n`);
    expect(text).toContain(`stop it: bin/zester job kill ${JID}\n`);
  });

  it('that no target has begun is not called running', () => {
    const acks = new Map([[WEB, { ackedMs: NOW_MS - 1_000, behind: FIRST }]]);
    const text = show(job({ status: 'running' }), { acks });
    expect(text).toContain(`Job ${JID}: waits behind job ${FIRST}\n`);
    expect(text).toMatch(new RegExp(`web-01 +waits behind job ${FIRST} `));
  });

  it('that one target has returned is not said to wait, although that one sent no ack', () => {
    const acks = new Map([[WEB, { ackedMs: NOW_MS - 1_000, behind: FIRST }]]);
    const rows = [rowCodec.create({ jid: JID, peelId: DB, success: true })];
    const text = show(job({ status: 'running' }), { acks }, rows);
    expect(text).toContain(`Job ${JID}: running\n`);
    expect(text).toMatch(new RegExp(`web-01 +waits behind job ${FIRST} `));
  });

  it('cannot be made to say what it does not: no line of a record becomes a line of ours', () => {
    const text = show(job({ status: 'running', user: 'eve\n  owner      root', stateId: '\u001b[2Jx' }), {});
    expect(text).not.toMatch(/^ {2}owner +root/m);
    expect(text).not.toContain('\u001b');
  });
});
