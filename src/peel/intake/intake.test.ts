/** What waits while the keys of the masters are read: how much of it, and that it is judged by what was read. */
import { describe, expect, it } from 'vitest';
import { PEEL, PeelWorld } from '../../../test/harness/peel/peel-world.ts';
import type { Message } from '../../bus/port.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { signCancelAsOperator, signDirect } from '../../trust/signed-proof.ts';
import { encodeBase64url } from '../../wire/msgpack/base64url.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { DEADLINE_HEADER, PROOF_HEADER } from '../../wire/names/headers.ts';
import { FLEET_KEYS_KEY } from '../../wire/names/keys.ts';
import { commandSubject } from '../../wire/names/subjects.ts';
import { execRequestCodec } from '../../wire/records/exec.ts';
import { fleetKeyListCodec } from '../../wire/records/fleet-key/fleet-keys.ts';
import { formatDeadline } from '../../wire/records/proof-bytes.ts';
import { formatProof } from '../../wire/records/proof-header.ts';
import type { PeelContext } from '../peel-context.ts';
import { Intake } from './intake.ts';
import { KeyRing } from './key-ring.ts';
import { NO_KEYS } from './trusted-keys.ts';

const MIB = 1_048_576;
const HELD_MAX = 256;
const HELD_MIB_MAX = 8;
const clock = virtualClock();
const runtime = { clock, random: seededRandom(1), log: jsonLog({ clock, write: () => undefined }) };

/** An intake whose keys are being read until the test says that they have been. */
function reading() {
  let read = (): void => undefined;
  const fresh = new Promise<void>((resolve) => {
    read = resolve;
  });
  const keys = { whenFresh: () => fresh, refresh: () => undefined, knowsGeneration: () => true };
  const context = {
    peelId: PEEL,
    runtime,
    keys: { ...keys, commandProofKeys: () => [], commandKeys: () => [] },
  };
  const intake = new Intake(context as unknown as PeelContext, undefined as never, undefined as never);
  const done = async () => {
    read();
    await fresh;
  };
  return { intake, done };
}

const forged = (bytes: number, headers: Message['headers'] = new Map()): Message => ({
  subject: commandSubject(PEEL),
  data: new Uint8Array(bytes),
  headers,
  reply: undefined,
});

describe('while the keys are read', () => {
  it('a bounded number of messages waits', async () => {
    const { intake, done } = reading();
    for (let i = 0; i < HELD_MAX + 10; i++) intake.command(forged(10));
    expect(intake.counts.refused).toBe(10);
    await done();
    expect(intake.counts.refused).toBe(HELD_MAX + 10);
  });

  it.each([
    ['payloads', () => forged(MIB)],
    ['headers', () => forged(0, new Map([['X', 'x'.repeat(MIB - 100)]]))],
  ])('a bounded number of bytes waits, of %s', async (_of, message) => {
    const { intake, done } = reading();
    for (let i = 0; i < HELD_MIB_MAX + 10; i++) intake.command(message());
    expect(intake.counts.refused).toBe(10);
    intake.cancel(message());
    expect(intake.counts.refused).toBe(11);
    await done();
    // Nothing waits any more: there is room again.
    const before = intake.counts.refused;
    intake.cancel(message());
    expect(intake.counts.refused).toBe(before);
  });
});

describe('the key ring', () => {
  /** Answers each read when the test says so. */
  function ring() {
    const reads: (() => void)[] = [];
    const get = () =>
      new Promise((resolve) => reads.push(() => resolve({ key: FLEET_KEYS_KEY, found: false, revision: 0 })));
    const context = { bus: { bucket: () => ({ get }) }, runtime, dataDir: '/', system: {} };
    return { keys: new KeyRing(context as never, NO_KEYS), reads };
  }

  it('has one promise for all who wait for it', () => {
    const { keys } = ring();
    expect(keys.whenFresh()).toBeInstanceOf(Promise);
    expect(keys.whenFresh()).toBe(keys.whenFresh());
  });

  it('reads once for all who want it read again, and not again for a while', async () => {
    const { keys, reads } = ring();
    const first = keys.refresh();
    expect(keys.refresh()).toBe(first);
    expect(reads).toHaveLength(1);
    reads[0]?.();
    await first;
    expect(keys.refresh()).toBe(undefined);
    await clock.advance(500);
    void keys.refresh();
    expect(reads).toHaveLength(2);
  });
});

describe('an operator whose certificate is of a generation that the peel has not heard of', () => {
  async function rotated() {
    const world = await PeelWorld.withPeel();
    const next = world.newKeys();
    const entry = (generation: number, { curvePublic, command }: typeof next) => ({
      generation,
      curve: curvePublic,
      command: encodeBase64url(command.publicKey),
      since: undefined,
      until: undefined,
    });
    const put = (...keys: readonly ReturnType<typeof entry>[]) =>
      world.master
        .bucket(BUCKETS.secrets.name)
        .put(FLEET_KEYS_KEY, fleetKeyListCodec.encode(fleetKeyListCodec.create({ keys })));
    await Promise.all([put(entry(1, world.keys)), world.advance(2_000)]);
    return { world, next, rotate: () => put(entry(2, next), entry(1, world.keys)) };
  }

  it('is obeyed at once: a cancel', async () => {
    const { world, next, rotate } = await rotated();
    const job = world.request('test.act', { args: { ms: 600_000 } });
    world.send(job);
    await world.advance(100);
    // In one breath: no hint of the change has come when the cancel does.
    const written = rotate();
    world.sendCancel(job.jid, signCancelAsOperator(next.operator, job.jid));
    await Promise.all([written, world.advance(10_000)]);
    expect(await world.returnsOf(job.jid)).toMatchObject([{ outcome: 'canceled' }]);
  });

  it('is answered at once: a direct call', async () => {
    const { world, next, rotate } = await rotated();
    const asked = world.request('test.look', { epoch: 0, protocol: 0 });
    const payload = execRequestCodec.encode(asked);
    const deadline = nanosFromMs(world.clock.nowMs() + 10_000);
    const proof = signDirect(next.operator, { peel: PEEL, deadline, payload });
    const headers = new Map([
      [PROOF_HEADER, formatProof(proof)],
      [DEADLINE_HEADER, formatDeadline(deadline)],
    ]);
    const written = rotate();
    world.master.publish(commandSubject(PEEL), payload, { headers, reply: 'zester.test.reply' });
    await Promise.all([written, world.advance(1_000)]);
    expect(world.runsOf(asked.jid)).toBe(1);
  });

  it('a stranger is refused all the same', async () => {
    const { world } = await rotated();
    world.keys = world.newKeys();
    const before = world.peel.state().counts.refused;
    const answers = await world.sendDirect(world.request('test.look', { epoch: 0, protocol: 0 }));
    await world.advance(10_000);
    expect([answers.length, world.peel.state().counts.refused - before]).toEqual([0, 1]);
  });
});
