/** A peel whose world fails it: NATS away, restarts, a full disk, hostile frames. In virtual time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATA_DIR, PEEL, PeelWorld } from '../../test/harness/peel/peel-world.ts';
import { makeCommandProof } from '../trust/command-proof.ts';
import { PROOF_HEADER } from '../wire/names/headers.ts';
import { PEEL_WORD_STREAMS } from '../wire/names/streams.ts';
import { commandSubject, jobCancelSubject } from '../wire/names/subjects.ts';
import { execResponseCodec } from '../wire/records/exec.ts';
import { returnCodec } from '../wire/records/job-return.ts';

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
    const gone = PEEL_WORD_STREAMS.map(({ name }) => world.master.api(`$JS.API.STREAM.DELETE.${name}`, {}));
    await Promise.all([...gone, world.advance(10)]);
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
