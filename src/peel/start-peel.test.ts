/** A whole peel against the wire, in virtual time: jobs, proofs, direct requests, and signs of life. */
import { describe, expect, it } from 'vitest';
import { DATA_DIR, PEEL, PeelWorld } from '../../test/harness/peel/peel-world.ts';
import { openAgentBus } from '../bus/bus.ts';
import { functionRegistry } from '../modules/registry.ts';
import { jsonLog } from '../runtime/log.ts';
import { makeCommandProof } from '../trust/command-proof.ts';
import { curveKeyOf } from '../trust/nkeys.ts';
import { signCancelAsMaster } from '../trust/signed-proof.ts';
import { encodeBase64url } from '../wire/msgpack/base64url.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import { GENERATION_HEADER, PROOF_HEADER } from '../wire/names/headers.ts';
import type { PeelId } from '../wire/names/ids.ts';
import { FLEET_KEYS_KEY } from '../wire/names/keys.ts';
import { commandSubject } from '../wire/names/subjects.ts';
import { execRequestCodec, execResponseCodec } from '../wire/records/exec.ts';
import { FACT_KEYS, factsCodec } from '../wire/records/facts.ts';
import { fleetKeyListCodec } from '../wire/records/fleet-key/fleet-keys.ts';
import { peelHeartbeatCodec } from '../wire/records/heartbeat.ts';
import { formatProof } from '../wire/records/proof-header.ts';
import { ROTATION_MS } from './intake/trusted-keys.ts';
import { startPeel } from './start-peel.ts';

describe('a job', () => {
  it('is accepted, acknowledged, run once and returned, and leaves only its dedup entry', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { args: { ms: 1_500 } });
    world.send(job);
    await world.advance(260);
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

  it('whose return comes within 250 ms sends no ack: the return stands for it', async () => {
    const world = await PeelWorld.withPeel();
    const acksAfter = async (ms: number) => {
      const { jid, ...rest } = world.request('test.act', { args: { ms } });
      world.send({ jid, ...rest });
      await world.advance(5_000);
      expect(await world.returnsOf(jid)).toHaveLength(1);
      return world.acksHeard(jid);
    };
    expect([await acksAfter(200), await acksAfter(300)]).toEqual([0, 1]);
  });

  it('that has to wait for another one is acked at once', async () => {
    const world = await PeelWorld.withPeel();
    world.send(world.request('test.act', { args: { ms: 10_000 } }));
    await world.advance(1);
    const waiting = world.request('test.act');
    world.send(waiting);
    await world.advance(10);
    expect(world.acksHeard(waiting.jid)).toBe(1);
  });

  it.each([
    ['at the same epoch', 7, 'rejected duplicate dispatch (jid already observed at this epoch)'],
    ['at a lower epoch', 6, 'rejected stale dispatch (epoch too old)'],
    ['at a higher epoch', 8, 'rejected duplicate dispatch (jid already observed at an earlier epoch)'],
  ])(
    'that comes again %s is not run again, but acknowledged and returned again',
    async (_how, epoch, line) => {
      const world = await PeelWorld.withPeel();
      const job = world.request('test.act', { args: { ms: 500 } });
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
    const job = world.request('test.act', { args: { ms: 500 } });
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

  it('the generations that masters list are what counts, also for a peel that was away, and its heartbeat says so', async () => {
    const world = await PeelWorld.withPeel();
    const generations = [world.keys, world.newKeys(), world.newKeys()];
    const list = (...numbers: readonly number[]) => {
      const keys = numbers.map((generation) => ({
        generation,
        curve: generations[generation - 1]?.curvePublic ?? '',
        command: encodeBase64url(generations[generation - 1]?.command.publicKey ?? Buffer.of()),
        since: undefined,
        until: undefined,
      }));
      const secrets = world.master.bucket(BUCKETS.secrets.name);
      return Promise.all([
        secrets.put(FLEET_KEYS_KEY, fleetKeyListCodec.encode({ keys, agents: [], renewSpreadMs: 0 })),
        world.advance(500),
      ]);
    };
    const sent = async (generation: number, waitMs = 1_000) => {
      const job = world.request('test.look');
      const payload = execRequestCodec.encode(job);
      const proofKey = generations[generation - 1]?.proofKey ?? world.keys.proofKey;
      const headers = new Map([
        [PROOF_HEADER, formatProof(makeCommandProof(proofKey, PEEL, payload))],
        [GENERATION_HEADER, String(generation)],
      ]);
      world.master.publish(commandSubject(PEEL), payload, { headers });
      await world.advance(waitMs);
      return world.runsOf(job.jid);
    };
    await list(2, 1);
    expect([await sent(1), await sent(2), await sent(3)]).toEqual([1, 1, 0]);
    expect((await world.heartbeat())?.fleetGeneration).toBe(2);
    await list(2);
    expect([await sent(1), await sent(2)]).toEqual([0, 1]);
    // Away for a whole rotation: what comes first, before anything was read, is judged by the new list.
    world.crash();
    await list(3);
    world.startPeel();
    await world.advance(3_000);
    expect([await sent(2), await sent(3)]).toEqual([0, 1]);
    // The old and the new one also without a name, as masters that know of none send them.
    world.keys = generations[0] ?? world.keys;
    const unnamed = world.request('test.look');
    world.send(unnamed);
    await world.advance(1_000);
    expect(world.runsOf(unnamed.jid)).toBe(0);
  });

  it('a command of a generation that is not known makes a peel read the list before it refuses', async () => {
    const world = await PeelWorld.withPeel();
    const next = world.newKeys();
    const entry = (generation: number, keys: typeof next) => ({
      generation,
      curve: keys.curvePublic,
      command: encodeBase64url(keys.command.publicKey),
      since: undefined,
      until: undefined,
    });
    const secrets = world.master.bucket(BUCKETS.secrets.name);
    const put = (...keys: readonly ReturnType<typeof entry>[]) =>
      secrets.put(FLEET_KEYS_KEY, fleetKeyListCodec.encode({ keys, agents: [], renewSpreadMs: 0 }));
    await Promise.all([put(entry(1, world.keys)), world.advance(2_000)]);
    const job = world.request('test.look');
    const payload = execRequestCodec.encode(job);
    const headers = new Map([
      [PROOF_HEADER, formatProof(makeCommandProof(next.proofKey, PEEL, payload))],
      [GENERATION_HEADER, '2'],
    ]);
    // In one breath: no hint of the change has come when the command does.
    const written = put(entry(2, next), entry(1, world.keys));
    world.master.publish(commandSubject(PEEL), payload, { headers });
    await Promise.all([written, world.advance(1_000)]);
    expect(world.runsOf(job.jid)).toBe(1);
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
  });

  it('run once when the network brings them twice', async () => {
    const world = await PeelWorld.withPeel();
    const asked = world.request('test.act', { epoch: 0, protocol: 0 });
    await world.sendDirect(asked);
    await world.sendDirect(asked);
    await world.advance(1_000);
    expect(world.runsOf(asked.jid)).toBe(1);
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

describe('a peel that is stopped', () => {
  it.each([0, 1, 3, 10, 1_000])(
    'after %d turns of its start takes every listener off the bus',
    async (turns) => {
      const world = await PeelWorld.open();
      const { clock, random } = world;
      const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined }) };
      const inner = openAgentBus(world.server.connect({ role: 'peel', name: PEEL }), runtime);
      let listeners = 0;
      const onStatus: typeof inner.onStatus = (listener) => {
        const { unsubscribe } = inner.onStatus(listener);
        listeners += 1;
        return {
          unsubscribe() {
            listeners -= 1;
            unsubscribe();
          },
        };
      };
      const peel = startPeel({
        bus: { ...inner, onStatus },
        system: world.machine.boot(),
        runtime,
        identity: { peelId: PEEL, curveKey: curveKeyOf(world.peelKey) },
        dataDir: DATA_DIR,
        version: '1.2.3',
        functions: functionRegistry([]),
      });
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const stopped = peel.stop();
      await world.advance(5_000);
      await stopped;
      expect([peel.state().phase, listeners]).toEqual(['stopped', 0]);
    },
  );
});
