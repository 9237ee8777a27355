/**
 * What people are told while a command waits, and what Ctrl-C does there: with a busy peel, a peel that is away, a master
 * that does not answer and none at all. The built programs on a real nats-server.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUCKETS } from '../../src/wire/names/buckets.ts';
import type { Jid } from '../../src/wire/names/ids.ts';
import { streamPurgeSubject } from '../../src/wire/names/jetstream.ts';
import { kvStreamName, kvSubject } from '../../src/wire/names/store-subjects.ts';
import type { FleetProgram } from '../harness/programs/fleet-program.ts';
import { ProcessFleet } from '../harness/programs/process-fleet.ts';
import type { Ended, RunningProgram } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';

const fleet = new ProcessFleet();
const BUSY = 'web-01';
const FREE = 'web-02';
const EXIT_INTERRUPTED = 130;

beforeAll(async () => {
  await fleet.open();
  await fleet.master();
  await fleet.peel(BUSY);
  await fleet.peel(FREE);
}, 120_000);
afterAll(() => fleet.close());

const jidIn = (program: RunningProgram) =>
  until(() => /Job (\w{27}) dispatched/.exec(program.err())?.[1], 'the dispatch');

/** A job that holds the worker of a peel; resolves when the command runs there. */
async function occupy(peel: string): Promise<{ jid: string; end(): Promise<void> }> {
  const job = fleet.markingJob([peel], 'sleep 600');
  await fleet.dispatch(job);
  await until(() => fleet.effects(peel).has(job.jid), 'the worker to be busy', 30_000);
  return {
    jid: job.jid,
    async end() {
      expect((await fleet.cli('job', 'kill', job.jid)).code).toBe(0);
    },
  };
}

async function interrupt(program: RunningProgram, signal: NodeJS.Signals = 'SIGINT'): Promise<Ended> {
  program.child.kill(signal);
  return program.ended;
}

describe('a busy peel', () => {
  let first: Awaited<ReturnType<typeof occupy>>;
  beforeAll(async () => {
    first = await occupy(BUSY);
  }, 60_000);
  afterAll(() => first.end());

  it('a job that waits in its queue is not called running: in show, active, list, and while one follows it', async () => {
    const second = fleet.startCli(BUSY, 'cmd.run', 'true');
    const jid = await jidIn(second);
    const waits = `waits behind job ${first.jid}`;
    await until(async () => (await fleet.cli('job', 'show', jid)).out.includes(waits), 'the ack');
    const shown = (await fleet.cli('job', 'show', jid)).out;
    expect(shown).toContain(`Job ${jid}: ${waits}\n`);
    expect(shown).toMatch(new RegExp(`^${BUSY} +${waits} `, 'm'));
    for (const list of ['active', 'list'])
      expect((await fleet.cli('job', list)).out).toMatch(new RegExp(`^${jid} .*${waits}`, 'm'));
    const attached = fleet.startCli('job', 'attach', jid);
    const line = `0/1 returned, 0 running, 1 waiting behind job ${first.jid}, 0 unreachable so far`;
    await until(() => attached.err().includes(line), 'the progress of the attached', 30_000);
    await until(() => second.err().includes(line), 'the progress', 30_000);
    const left = await interrupt(attached);
    expect([left.code, left.err]).toEqual([EXIT_INTERRUPTED, expect.stringContaining('the job goes on')]);
    expect((await fleet.cli('job', 'kill', jid.slice(0, 20))).code).toBe(0);
    await second.ended;
  }, 90_000);

  it('one attaches to a job that runs and sees it run', async () => {
    const attached = fleet.startCli('job', 'attach', first.jid);
    await until(() => attached.err().includes('0/1 returned, 1 running, 0 unreachable so far'), 'it', 30_000);
    expect((await interrupt(attached, 'SIGTERM')).code).toBe(EXIT_INTERRUPTED);
  }, 60_000);

  it('answers a direct call at its deadline with what it waited for, and is not called unreachable', async () => {
    const { code, out } = await fleet.cli(BUSY, 'cmd.run', 'true', '--direct', '--timeout', '2s');
    expect(code).toBe(2);
    expect(out).toContain(`expired: not started before its deadline, it waited behind job ${first.jid}`);
    expect(out).not.toContain('UNREACHABLE');
    const both = await fleet.cli(BUSY, 'test.ping', '--direct', '--no-wait-offline');
    expect([both.code, both.err]).toEqual([1, expect.stringContaining('has no use with --direct')]);
  }, 30_000);

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'a direct call hears %s, and says what goes on',
    async (signal) => {
      const direct = fleet.startCli('web-*', 'cmd.run', 'true', '--direct');
      await until(() => direct.err().includes('1/2 answered'), 'its progress', 30_000);
      const { code, out, err } = await interrupt(direct, signal);
      expect([code, out]).toEqual([EXIT_INTERRUPTED, expect.stringContaining(`${FREE}:`)]);
      expect(err).toMatch(/what was asked may run there until \S+Z, and its answer is lost: web-01 /);
    },
    60_000,
  );
});

describe('a peel that is away', () => {
  const AWAY = 'db-01';
  let peel: FleetProgram;
  beforeAll(async () => {
    peel = await fleet.peel(AWAY);
    expect((await fleet.cli(AWAY, 'test.ping')).code).toBe(0);
    await peel.stop();
    // As its time to live would do it, half a minute later: not even a mark of it stays.
    const { name } = BUCKETS.peelHeartbeat;
    await fleet.admin.api(streamPurgeSubject(kvStreamName(name)), { filter: kvSubject(name, AWAY) });
  }, 120_000);

  it('has a time when it was last seen', async () => {
    expect((await fleet.cli('peel', 'list')).out).toMatch(
      /^db-01 .* no +\d+[sm] ago or later, by a job +-$/m,
    );
    const { out } = await fleet.cli('peel', 'list', '--online-only');
    expect(out).toContain(FREE);
    expect(out).not.toContain(AWAY);
  });

  it('can be left out', async () => {
    const { code, err } = await fleet.cli('*', 'test.ping', '--online-only');
    expect([code, err]).toEqual([0, expect.stringContaining(`offline and left out: ${AWAY}\n`)]);
    const none = await fleet.cli(AWAY, 'test.ping', '--online-only');
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('[CLI_NONE_ONLINE]')]);
  });

  it('is not waited for if so asked, but gets its job when it is back in time', async () => {
    const { code, out, err } = await fleet.cli('*', 'test.ping', '--no-wait-offline', '--timeout', '5m');
    expect(code).toBe(3);
    expect(out).toContain(`${BUSY}, ${FREE}: (2 alike)`);
    expect(err).toContain(`offline and not waited for: ${AWAY}\n`);
    const jid = /Job (\w{27}) dispatched/.exec(err)?.[1] ?? '';
    expect(err).toContain(`No word yet from ${AWAY}. The job goes on until its deadline, `);
    expect((await fleet.cli('job', 'show', jid)).out).toMatch(/^db-01 +unreachable so far /m);
    await peel.start();
    expect(await fleet.ended({ jid: jid as Jid })).toMatchObject({ status: 'complete', returnCount: 3 });
  }, 90_000);
});

describe('ids', () => {
  it('may be cut, as far as they are still the only ones', async () => {
    const jids: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { out } = await fleet.cli(FREE, 'test.ping', '--format', 'json');
      jids.push(JSON.parse(out).jid);
    }
    const [jid = ''] = jids;
    expect((await fleet.cli('job', 'show', jid.slice(0, 18))).out).toContain(`Job ${jid}: complete`);
    const short = await fleet.cli('job', 'show', jid.slice(0, 2));
    expect([short.code, short.err]).toEqual([1, expect.stringContaining('[CLI_JOB_AMBIGUOUS]')]);
    expect(short.err).toMatch(new RegExp(`^ +${jid} +\\S+Z +test.ping`, 'm'));
    const unknown = await fleet.cli('job', 'show', 'zzz');
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('[CLI_JOB_UNKNOWN]')]);
  }, 30_000);
});

describe('a master that does not answer', () => {
  it('is named as what is waited for, and can be left', async () => {
    const [master] = fleet.masters;
    const open = fleet.markingJob([FREE], 'sleep 600');
    await fleet.dispatch(open);
    master?.freeze();
    try {
      const asking = fleet.startCli('*', 'test.ping');
      await until(() => asking.err().includes('waiting for a master to say which peels * means'), 'the wait');
      const left = await interrupt(asking);
      expect([left.code, left.err]).toEqual([EXIT_INTERRUPTED, expect.stringContaining('nothing was sent')]);
      const killing = fleet.startCli('job', 'kill', open.jid);
      await until(() => killing.err().includes('waiting for its master to end the job'), 'the wait');
      const gone = await interrupt(killing);
      expect([gone.code, gone.err]).toEqual([
        EXIT_INTERRUPTED,
        expect.stringContaining('the cancel is stored'),
      ]);
    } finally {
      master?.thaw();
    }
    expect(await fleet.ended(open)).toMatchObject({ status: 'canceled' });
  }, 90_000);
});

describe('no master', () => {
  it('is told in a few seconds, and the dispatch can be left', async () => {
    await fleet.masters[0]?.kill9();
    const asking = fleet.startCli('*', 'test.ping');
    await until(
      () => asking.err().includes('no master is there to take the job; trying again'),
      'the reason',
    );
    await until(() => /waiting for a master to take job \w{27}/.test(asking.err()), 'the wait');
    const { code, err } = await interrupt(asking);
    expect(code).toBe(EXIT_INTERRUPTED);
    expect(err).toMatch(
      /whether it was dispatched is not known .*\n {2}next: to go on: if a master has taken it, .*job attach \w{27} /,
    );
  }, 60_000);
});

describe('a NATS that does not answer', () => {
  it('is named, and a listing can be left', async () => {
    process.kill(fleet.server.pid, 'SIGSTOP');
    try {
      const asking = fleet.startCli('job', 'list');
      await until(() => asking.err().includes('waiting for NATS at'), 'the wait', 20_000);
      expect((await interrupt(asking)).code).toBe(EXIT_INTERRUPTED);
    } finally {
      process.kill(fleet.server.pid, 'SIGCONT');
    }
  }, 60_000);
});
