/** A whole peel against the wire, in virtual time: what a master sees of it, whatever is sent to it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROTATION_MS } from '../../src/peel/trusted-keys.ts';
import { PATIENCE_MS } from '../../src/peel/turned-away.ts';
import { makeCommandProof } from '../../src/trust/command-proof.ts';
import { signCancelAsMaster, signCancelAsOperator } from '../../src/trust/signed-proof.ts';
import { BUCKETS } from '../../src/wire/buckets.ts';
import { execRequestCodec, execResponseCodec } from '../../src/wire/exec.ts';
import { FACT_KEYS, factsCodec } from '../../src/wire/facts.ts';
import { PROOF_HEADER } from '../../src/wire/headers.ts';
import { peelHeartbeatCodec } from '../../src/wire/heartbeat.ts';
import type { PeelId } from '../../src/wire/ids.ts';
import { returnCodec } from '../../src/wire/job-return.ts';
import { commandSubject, jobCancelSubject } from '../../src/wire/subjects.ts';
import { nanosFromMs } from '../../src/wire/time.ts';
import { DATA_DIR, PEEL, PeelWorld } from './peel-world.ts';

describe('a job', () => {
  it('is accepted, acknowledged, run once and returned, and leaves only its dedup entry', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { args: { ms: 1_500 } });
    world.send(job);
    await world.advance(10);
    expect(await world.acksOf(job.jid)).toBe(1);
    expect(await world.returnsOf(job.jid)).toEqual([]);
    await world.advance(5_000);
    expect(world.runsOf(job.jid)).toBe(1);
    expect(await world.returnsOf(job.jid)).toMatchObject([
      { jid: job.jid, peelId: PEEL, success: true, error: '', duration: 1_500_000_000n, outcome: undefined },
    ]);
    expect(await world.files(`${DATA_DIR}/jobs`)).toEqual([]);
    expect(await world.files(DATA_DIR)).toContain('peel-dedup.msgpack');
  });

  it.each([
    ['at the same epoch', 7, 'rejected duplicate dispatch (jid already observed at this epoch)'],
    ['at a lower epoch', 6, 'rejected stale dispatch (epoch too old)'],
    ['at a higher epoch', 8, 'rejected duplicate dispatch (jid already observed at an earlier epoch)'],
  ])(
    'that comes again %s is not run again, but acknowledged and returned again',
    async (_how, epoch, line) => {
      const world = await PeelWorld.withPeel();
      const job = world.request('test.act');
      world.send(job);
      await world.advance(5_000);
      world.send({ ...job, epoch });
      await world.advance(5_000);
      expect(world.runsOf(job.jid)).toBe(1);
      expect(world.acksHeard(job.jid)).toBe(2);
      expect(await world.returnsOf(job.jid)).toHaveLength(1);
      expect(world.logged(line)).toHaveLength(1);
    },
  );

  it('that comes again after a restart, long after its return, is still known', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act');
    world.send(job);
    await world.advance(5_000);
    world.crash('power');
    world.startPeel();
    await world.advance(2_000);
    world.send(job);
    await world.advance(2_000);
    expect([world.runsOf(job.jid), world.acksHeard(job.jid)]).toEqual([1, 2]);
  });

  it('whose function breaks or does not exist returns with the reason', async () => {
    const world = await PeelWorld.withPeel();
    const broken = world.request('test.broken');
    const unknown = world.request('test.lok');
    world.send(broken);
    world.send(unknown);
    await world.advance(1_000);
    expect(await world.returnsOf(broken.jid)).toMatchObject([
      { success: false, error: 'the function broke: undefined is not a function' },
    ]);
    const [answer] = await world.returnsOf(unknown.jid);
    expect(answer?.error).toMatch(/test\.lok.*test\.look/);
  });

  it('of a newer protocol is answered, not run', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { protocol: 2 });
    world.send(job);
    await world.advance(1_000);
    expect(world.runsOf(job.jid)).toBe(0);
    expect(await world.returnsOf(job.jid)).toMatchObject([
      { success: false, error: 'the request speaks protocol 2, this peel speaks 1' },
    ]);
  });

  it('that only looks runs beside the one that works', async () => {
    const world = await PeelWorld.withPeel();
    const [slow, next, look] = [
      world.request('test.act', { args: { ms: 60_000 } }),
      world.request('test.act'),
      world.request('test.look'),
    ];
    for (const job of [slow, next, look]) world.send(job);
    await world.advance(1_000);
    expect([slow, next, look].map((job) => world.runsOf(job.jid))).toEqual([1, 0, 1]);
    await world.advance(60_000);
    expect(world.runsOf(next.jid)).toBe(1);
  });
});

describe('proofs', () => {
  it('a job without a proof, with one for other bytes, another peel or other keys is refused', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act');
    const payload = execRequestCodec.encode(job);
    const { proofKey } = world.keys;
    world.sendRaw(payload, undefined);
    world.sendRaw(payload, makeCommandProof(proofKey, PEEL, payload.slice(1)));
    world.sendRaw(payload, makeCommandProof(proofKey, 'web-02' as PeelId, payload));
    world.sendRaw(payload, makeCommandProof(world.newKeys().proofKey, PEEL, payload));
    world.sendRaw(payload, signCancelAsMaster(world.keys.command, job.jid));
    await world.advance(1_000);
    expect(world.runsOf(job.jid)).toBe(0);
    expect(world.acksHeard(job.jid)).toBe(0);
    expect(world.logged('refused a message').map((line) => line.reason)).toEqual([
      'no proof',
      'proof does not fit',
      'proof does not fit',
      'proof does not fit',
      'wrong kind of proof',
    ]);
    expect(world.peel.state().counts.refused).toBe(5);
  });

  it('a proven job is not a direct request, and the other way round', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act');
    const payload = execRequestCodec.encode(job);
    world.sendRaw(payload, makeCommandProof(world.keys.proofKey, PEEL, payload), 'zester.test.reply');
    await world.advance(1_000);
    expect(world.runsOf(job.jid)).toBe(0);
  });

  it('accept_unsigned takes what has no proof, never what has a wrong one', async () => {
    const world = await PeelWorld.withPeel({ settings: { acceptUnsigned: true } });
    const [unsigned, forged] = [world.request('test.look'), world.request('test.look')];
    world.sendRaw(execRequestCodec.encode(unsigned), undefined);
    const payload = execRequestCodec.encode(forged);
    world.sendRaw(payload, makeCommandProof(world.newKeys().proofKey, PEEL, payload));
    await world.advance(1_000);
    expect([unsigned, forged].map((job) => world.runsOf(job.jid))).toEqual([1, 0]);
  });

  it('old and new keys count for ten minutes after a rotation, then only the new', async () => {
    const world = await PeelWorld.withPeel();
    const old = world.keys;
    world.keys = world.newKeys();
    await Promise.all([world.publishKeys(), world.advance(100)]);
    const sent = async (keys: typeof old) => {
      const job = world.request('test.look');
      const payload = execRequestCodec.encode(job);
      world.sendRaw(payload, makeCommandProof(keys.proofKey, PEEL, payload));
      await world.advance(1_000);
      return world.runsOf(job.jid);
    };
    expect([await sent(old), await sent(world.keys)]).toEqual([1, 1]);
    world.crash();
    world.startPeel();
    await world.advance(1_000);
    expect(await sent(old)).toBe(1);
    await world.advance(ROTATION_MS);
    expect([await sent(old), await sent(world.keys)]).toEqual([0, 1]);
  });

  it('a peel that restarts while the keys cannot be read goes by those it has stored', async () => {
    const world = await PeelWorld.withPeel();
    world.crash('power');
    const secrets = world.master.bucket(BUCKETS.secrets.name);
    await Promise.all([
      secrets.delete('_master_curve_pub'),
      secrets.delete('_command_pub'),
      world.advance(10),
    ]);
    world.startPeel();
    await world.advance(5_000);
    const job = world.request('test.look');
    world.send(job);
    await world.advance(1_000);
    expect(world.runsOf(job.jid)).toBe(1);
  });
});

describe('cancel', () => {
  it('ends a running job', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { args: { ms: 60_000 } });
    world.send(job);
    await world.advance(1_000);
    world.sendCancel(job.jid);
    await world.advance(100);
    expect(await world.returnsOf(job.jid)).toMatchObject([
      { success: false, error: 'execution canceled', outcome: 'canceled' },
    ]);
  });

  it('ends a waiting job at once, which then never runs', async () => {
    const world = await PeelWorld.withPeel();
    const [slow, waiting] = [world.request('test.act', { args: { ms: 60_000 } }), world.request('test.act')];
    world.send(slow);
    world.send(waiting);
    await world.advance(100);
    world.sendCancel(waiting.jid, signCancelAsOperator(world.keys.operator, waiting.jid));
    await world.advance(100);
    expect(await world.returnsOf(waiting.jid)).toMatchObject([{ outcome: 'canceled' }]);
    await world.advance(120_000);
    expect([world.runsOf(slow.jid), world.runsOf(waiting.jid)]).toEqual([1, 0]);
  });

  it('that overtakes its job wins, also over a power loss', async () => {
    const world = await PeelWorld.withPeel();
    const [now, later] = [world.request('test.act'), world.request('test.act')];
    world.sendCancel(now.jid);
    world.sendCancel(later.jid);
    world.send(now);
    await world.advance(100);
    world.crash('power');
    world.startPeel();
    await world.advance(1_000);
    world.send(later);
    await world.advance(1_000);
    for (const job of [now, later]) {
      expect(world.runsOf(job.jid)).toBe(0);
      expect(await world.returnsOf(job.jid)).toMatchObject([
        { success: false, error: 'execution canceled', outcome: 'canceled' },
      ]);
    }
  });

  it('that is forged, or of another job, changes nothing; one that comes again changes nothing more', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { args: { ms: 60_000 } });
    const other = world.newJid();
    world.send(job);
    await world.advance(100);
    world.master.publish(jobCancelSubject(job.jid), new Uint8Array());
    world.sendCancel(job.jid, signCancelAsMaster(world.newKeys().command, job.jid));
    world.sendCancel(job.jid, signCancelAsMaster(world.keys.command, other));
    await world.advance(10_000);
    expect(await world.returnsOf(job.jid)).toEqual([]);
    world.sendCancel(job.jid);
    world.sendCancel(job.jid);
    await world.advance(10_000);
    world.sendCancel(job.jid);
    await world.advance(60_000);
    expect(await world.returnsOf(job.jid)).toHaveLength(1);
  });

  it('of a function that does not hear it leaves it behind, and the worker goes on', async () => {
    const world = await PeelWorld.withPeel();
    const [deaf, next] = [world.request('test.deaf'), world.request('test.act')];
    world.send(deaf);
    world.send(next);
    await world.advance(100);
    world.sendCancel(deaf.jid);
    await world.advance(14_000);
    expect(world.runsOf(next.jid)).toBe(0);
    await world.advance(2_000);
    expect((await world.returnsOf(deaf.jid))[0]).toMatchObject({ outcome: 'canceled' });
    expect((await world.returnsOf(deaf.jid))[0]?.error).toMatch(/did not stop within 15 s/);
    expect(world.runsOf(next.jid)).toBe(1);
  });
});

describe('deadlines', () => {
  const inMs = (world: PeelWorld, ms: number) => nanosFromMs(world.clock.nowMs() + ms);

  it('a job that comes too late is not started, and stays unstarted when the clock goes back', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { deadline: inMs(world, -1) });
    world.send(job);
    await world.advance(1_000);
    world.clock.jumpWall(-3_600_000);
    world.send(job);
    await world.advance(1_000);
    expect(world.runsOf(job.jid)).toBe(0);
    const returns = await world.returnsOf(job.jid);
    expect(returns).toMatchObject([{ success: false, outcome: 'expired' }]);
    expect(returns[0]?.error).toMatch(
      /^expired: not started, its deadline was 2026-.*Z and the clock here says/,
    );
  });

  it('a job that waited too long is not started', async () => {
    const world = await PeelWorld.withPeel();
    const slow = world.request('test.act', { args: { ms: 20_000 } });
    const waiting = world.request('test.act', { deadline: inMs(world, 10_000) });
    world.send(slow);
    world.send(waiting);
    await world.advance(30_000);
    expect(world.runsOf(waiting.jid)).toBe(0);
    expect(await world.returnsOf(waiting.jid)).toMatchObject([{ outcome: 'expired' }]);
  });

  it('a job that runs into it is cancelled', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { deadline: inMs(world, 10_000), args: { ms: 60_000 } });
    world.send(job);
    await world.advance(11_000);
    expect(await world.returnsOf(job.jid)).toMatchObject([
      { success: false, error: 'execution canceled: the deadline passed', outcome: undefined },
    ]);
  });
});

describe('a full queue', () => {
  const settings = { queueSlots: 2 };

  it('turns a job away without a word, and takes it when it comes again and there is room', async () => {
    const world = await PeelWorld.withPeel({ settings });
    const jobs = Array.from({ length: 4 }, () => world.request('test.act', { args: { ms: 4_000 } }));
    for (const job of jobs) world.send(job);
    await world.advance(100);
    const last = jobs[3] ?? jobs[0];
    if (last === undefined) throw new Error('no job');
    expect([await world.acksOf(last.jid), await world.returnsOf(last.jid)]).toEqual([0, []]);
    expect(world.logged('peel busy: execution queue full')).toHaveLength(1);
    await world.advance(5_000);
    world.send(last);
    await world.advance(20_000);
    for (const job of jobs) expect(await world.returnsOf(job.jid)).toMatchObject([{ success: true }]);
    expect(jobs.map((job) => world.runsOf(job.jid))).toEqual([1, 1, 1, 1]);
  });

  it('answers busy when there is still no room after a while, and then never runs it', async () => {
    const world = await PeelWorld.withPeel({ settings });
    const slow = Array.from({ length: 3 }, () => world.request('test.act', { args: { ms: 60_000 } }));
    const late = world.request('test.act');
    for (const job of [...slow, late]) world.send(job);
    await world.advance(PATIENCE_MS + 1_000);
    const busy = { success: false, error: 'peel busy: execution queue full', outcome: undefined };
    expect(await world.returnsOf(late.jid)).toMatchObject([busy]);
    await world.advance(70_000);
    world.send(late);
    await world.advance(1_000);
    expect(world.runsOf(late.jid)).toBe(0);
    expect(await world.returnsOf(late.jid)).toMatchObject([busy]);
  });

  it('a job that was turned away can be cancelled', async () => {
    const world = await PeelWorld.withPeel({ settings });
    const slow = Array.from({ length: 3 }, () => world.request('test.act', { args: { ms: 60_000 } }));
    const late = world.request('test.act');
    for (const job of [...slow, late]) world.send(job);
    world.sendCancel(late.jid);
    await world.advance(1_000);
    expect(await world.returnsOf(late.jid)).toMatchObject([{ outcome: 'canceled' }]);
  });

  it('200 jobs at once each end in one row: those that found room ran, the others say busy', async () => {
    const world = await PeelWorld.withPeel();
    const jobs = Array.from({ length: 200 }, () => world.request('test.act', { args: { ms: 100 } }));
    for (const job of jobs) world.send(job);
    await world.advance(5_000);
    for (const job of jobs) if (world.acksHeard(job.jid) === 0) world.send(job);
    await world.advance(120_000);
    let ran = 0;
    const rows = await world.allReturns();
    for (const job of jobs) {
      const [row, ...others] = rows.get(job.jid) ?? [];
      expect(others).toEqual([]);
      expect(row?.success).toBe(world.runsOf(job.jid) === 1);
      ran += world.runsOf(job.jid);
    }
    // 65 at first, as many as left their slot within 5 s when they came again, and those at the last look.
    expect(ran).toBeGreaterThan(110);
  });
});

describe('NATS', () => {
  it('a peel starts without it, and works as soon as it is there', async () => {
    const world = await PeelWorld.open();
    world.server.stop();
    await world.settle();
    world.startPeel();
    await world.advance(60_000);
    expect(world.peel.state()).toMatchObject({ phase: 'ready', connection: 'connecting' });
    world.server.start();
    await world.advance(5_000);
    const job = world.request('test.act');
    world.send(job);
    await world.advance(1_000);
    expect(world.runsOf(job.jid)).toBe(1);
  });

  it('a return that is made while it is away is sent when it is back, once', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { args: { ms: 1_000 } });
    world.send(job);
    await world.advance(500);
    world.server.stop();
    await world.advance(10_000);
    expect(world.peel.state()).toMatchObject({ spooled: 1, running: 0 });
    world.server.start();
    await world.advance(5_000);
    expect(await world.returnsOf(job.jid)).toMatchObject([{ success: true, duration: 1_000_000_000n }]);
    expect(world.peel.state().spooled).toBe(0);
  });

  it('a return that is made while it is away survives a power loss', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { args: { ms: 1_000 } });
    world.send(job);
    await world.advance(500);
    world.server.stop();
    await world.advance(10_000);
    world.crash('power');
    world.server.start();
    world.startPeel();
    await world.advance(5_000);
    expect(await world.returnsOf(job.jid)).toMatchObject([{ success: true, duration: 1_000_000_000n }]);
    expect(world.runsOf(job.jid)).toBe(1);
  });

  it('that refuses to store keeps returns waiting, and jobs acknowledged late', async () => {
    const world = await PeelWorld.withPeel();
    const stream = { name: 'job-events' };
    await Promise.all([world.master.api(`$JS.API.STREAM.DELETE.${stream.name}`, {}), world.advance(10)]);
    const job = world.request('test.act');
    world.send(job);
    await world.advance(10_000);
    expect([world.runsOf(job.jid), world.peel.state().spooled]).toEqual([1, 1]);
  });

  it('a return too large for a message is shortened, with a mark, and still a success', async () => {
    const world = await PeelWorld.withPeel({ payloadBytesMax: 64 * 1024 });
    const job = world.request('test.big', { args: { chars: 1_000_000 } });
    world.send(job);
    await world.advance(1_000);
    const [row] = await world.returnsOf(job.jid);
    expect(row?.success).toBe(true);
    const response = execResponseCodec.decode(row?.returnData ?? new Uint8Array());
    expect(response.results[0]?.details.result).toMatch(
      /^x{15000,}… \[shortened by zester: \d+ of \d+ characters left out\]$/,
    );
    expect(returnCodec.encode(row ?? (undefined as never)).length).toBeLessThan(64 * 1024);
  });
});

describe('restart', () => {
  it('a job that was running is reported as interrupted, and not run again', async () => {
    const world = await PeelWorld.withPeel();
    const [running, waiting] = [
      world.request('test.act', { args: { ms: 60_000 } }),
      world.request('test.act'),
    ];
    world.send(running);
    world.send(waiting);
    await world.advance(1_000);
    world.crash('power');
    world.startPeel();
    await world.advance(5_000);
    for (const job of [running, waiting]) {
      world.send(job);
      await world.advance(1_000);
      expect(await world.returnsOf(job.jid)).toMatchObject([
        { success: false, error: 'interrupted by restart', outcome: undefined },
      ]);
    }
    expect([world.runsOf(running.jid), world.runsOf(waiting.jid)]).toEqual([1, 0]);
  });

  it('stop answers what waits, lets short work end, cancels long work, and sends all of it', async () => {
    const world = await PeelWorld.withPeel({ settings: { stopGraceMs: 1_000 } });
    const [long, waiting, short] = [
      world.request('test.act', { args: { ms: 60_000 } }),
      world.request('test.act'),
      world.request('test.look', { args: { ms: 500 } }),
    ];
    for (const job of [long, waiting, short]) world.send(job);
    await world.advance(100);
    const stopped = world.peel.stop();
    await world.advance(5_000);
    await stopped;
    expect(world.peel.state().phase).toBe('stopped');
    expect(await world.returnsOf(long.jid)).toMatchObject([{ error: 'interrupted by restart' }]);
    expect(await world.returnsOf(waiting.jid)).toMatchObject([
      { error: 'interrupted by restart: it had not been started' },
    ]);
    expect(await world.returnsOf(short.jid)).toMatchObject([{ success: true }]);
    expect(world.runsOf(waiting.jid)).toBe(0);
    expect(await world.files(`${DATA_DIR}/jobs`)).toEqual([]);
    // Nothing of it lives on: no timer of the peel fires any more.
    const job = world.request('test.act');
    world.send(job);
    await world.advance(60_000);
    expect(world.runsOf(job.jid)).toBe(0);
  });

  it('does not start on a dedup record that it cannot read', async () => {
    const world = await PeelWorld.open();
    const { files } = world.machine.boot();
    await files.makeDirectory(DATA_DIR, { parents: true });
    await files.writeAtomic(`${DATA_DIR}/peel-dedup.msgpack`, Uint8Array.of(0xc1));
    world.startPeel();
    await expect(world.peel.ready).rejects.toThrow(/damaged/);
    expect(world.peel.state().phase).toBe('failed');
    await world.peel.stop();
  });
});

describe('a disk that is full', () => {
  it('a job that cannot be recorded is not run, and says why', async () => {
    let full = false;
    const fault = () => (full ? { fail: 'ENOSPC' } : undefined);
    const world = await PeelWorld.withPeel({
      fault: (call) => (call.path.includes('/jobs/') ? fault() : undefined),
    });
    full = true;
    const job = world.request('test.act');
    world.send(job);
    await world.advance(1_000);
    full = false;
    world.send(job);
    await world.advance(1_000);
    expect(world.runsOf(job.jid)).toBe(0);
    const [row, ...others] = await world.returnsOf(job.jid);
    expect(others).toEqual([]);
    expect(row?.error).toMatch(/not run: the peel could not record it .*space/i);
  });
});

describe('direct requests', () => {
  it('are answered on their own subject, without ack, record or return', async () => {
    const world = await PeelWorld.withPeel();
    const asked = world.request('test.look', { epoch: 0, protocol: 0, deadline: undefined });
    const answers = await world.sendDirect(asked);
    await world.advance(1_000);
    expect(answers).toHaveLength(1);
    const [answer] = answers.map((message) => execResponseCodec.decode(message.data));
    expect(answer).toMatchObject({ jid: asked.jid, peelId: PEEL, success: true });
    expect([await world.acksOf(asked.jid), await world.returnsOf(asked.jid)]).toEqual([0, []]);
    await world.sendDirect(asked);
    await world.advance(1_000);
    expect(world.runsOf(asked.jid)).toBe(2);
  });

  it('after their deadline are refused, and cancelled at it', async () => {
    const world = await PeelWorld.withPeel();
    const late = world.request('test.look');
    await world.sendDirect(late, world.clock.nowMs() - 1);
    const slow = world.request('test.act', { args: { ms: 60_000 } });
    const answers = await world.sendDirect(slow, world.clock.nowMs() + 5_000);
    await world.advance(6_000);
    expect(world.runsOf(late.jid)).toBe(0);
    expect(answers.map((message) => execResponseCodec.decode(message.data))).toMatchObject([
      { success: false, error: 'execution canceled: the deadline passed' },
    ]);
    expect(world.logged('refused a message').map((line) => line.reason)).toEqual(['deadline passed']);
  });

  it('find the queue full and hear it at once', async () => {
    const world = await PeelWorld.withPeel({ settings: { queueSlots: 1 } });
    for (let i = 0; i < 2; i++) world.send(world.request('test.act', { args: { ms: 60_000 } }));
    const answers = await world.sendDirect(world.request('test.act'));
    await world.advance(100);
    expect(answers.map((message) => execResponseCodec.decode(message.data))).toMatchObject([
      { success: false, error: 'peel busy: execution queue full' },
    ]);
  });
});

describe('signs of life', () => {
  it('a heartbeat at connect and every ten seconds, with version, protocol and since', async () => {
    const world = await PeelWorld.open();
    const startedMs = world.clock.nowMs();
    world.startPeel();
    await world.advance(1_000);
    const bucket = world.master.bucket(BUCKETS.peelHeartbeat.name);
    const read = await bucket.get(PEEL);
    const first = peelHeartbeatCodec.decode(read.found ? read.value : new Uint8Array());
    expect(first).toMatchObject({ version: '1.2.3', protocol: 1, since: nanosFromMs(startedMs) });
    await world.advance(60_000);
    const later = await bucket.get(PEEL);
    expect(later.revision - read.revision).toBeGreaterThanOrEqual(5);
    expect(later.revision - read.revision).toBeLessThanOrEqual(7);
  });

  it('facts with key and versions, put once as long as nothing changes, and again after a failed put', async () => {
    const world = await PeelWorld.withPeel();
    const bucket = world.master.bucket(BUCKETS.facts.name);
    const read = await bucket.get(PEEL);
    const facts = factsCodec.decode(read.found ? read.value : new Uint8Array());
    expect(facts[FACT_KEYS.curvePublicKey]).toMatch(/^X[A-Z2-7]{55}$/);
    expect([facts[FACT_KEYS.version], facts[FACT_KEYS.protocol]]).toEqual(['1.2.3', 1]);
    await world.advance(900_000);
    expect((await bucket.get(PEEL)).revision).toBe(read.revision);
    world.server.stop();
    const { files } = world.machine.boot();
    await files.makeDirectory('/etc/zester', { parents: true });
    await files.writeAtomic('/etc/zester/facts', Buffer.from('rack: b4\n'));
    await world.advance(60_000);
    world.server.start();
    await world.advance(5_000);
    const changed = await bucket.get(PEEL);
    expect(factsCodec.decode(changed.found ? changed.value : new Uint8Array()).rack).toBe('b4');
  });
});

describe('hostile frames', () => {
  const junk = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.constant(Uint8Array.from({ length: 100_000 }, () => 0x91)),
  );
  const header = fc.oneof(
    fc.constant(undefined),
    fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, '?')),
    fc.constant(`v1.hmac.${'A'.repeat(43)}`),
    fc.constant(`v1.ed25519.${'A'.repeat(86)}`),
  );

  it('on the command and cancel subjects run nothing, and the peel goes on', async () => {
    const world = await PeelWorld.withPeel();
    let frames = 0;
    await fc.assert(
      fc.asyncProperty(fc.boolean(), junk, header, fc.boolean(), async (isCancel, data, proof, asks) => {
        const headers = new Map(proof === undefined ? [] : [[PROOF_HEADER, proof]]);
        const subject = isCancel ? jobCancelSubject(world.newJid()) : commandSubject(PEEL);
        world.master.publish(subject, data, { headers, ...(asks ? { reply: 'zester.test.reply' } : {}) });
        frames += 1;
        await world.advance(1);
      }),
      { numRuns: 300 },
    );
    expect(world.peel.state().counts).toMatchObject({ accepted: 0, canceled: 0, direct: 0, refused: frames });
    // And a proven frame whose payload is junk.
    const payload = Uint8Array.of(0x93, 1, 2);
    world.sendRaw(payload, makeCommandProof(world.keys.proofKey, PEEL, payload));
    const job = world.request('test.look');
    world.send(job);
    await world.advance(1_000);
    expect(world.runsOf(job.jid)).toBe(1);
    // A flood does not flood the log.
    expect(world.logged('refused a message').length).toBeLessThan(70);
  });
});
