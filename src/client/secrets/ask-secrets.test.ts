import { beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import type { Bus } from '../../bus/port.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../runtime/virtual-clock.ts';
import { fleetKeyOf } from '../../trust/fleet-key.ts';
import { openSealedToFleet } from '../../trust/fleet-seal.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import type { Codec } from '../../wire/msgpack/codec.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { MasterId, PeelId } from '../../wire/names/ids.ts';
import { MASTER_CURVE_KEY } from '../../wire/names/keys.ts';
import {
  SECRET_LIST_SUBJECT,
  SECRET_REENCRYPT_SUBJECT,
  SECRET_SET_SUBJECT,
} from '../../wire/names/subjects.ts';
import { type PeelHeartbeat, peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import {
  type SecretReply,
  secretListRequestCodec,
  secretReencryptRequestCodec,
  secretReplyCodec,
  secretSetRequestCodec,
} from '../../wire/records/secret-admin.ts';
import { sealedSecretsCodec } from '../../wire/records/secrets.ts';
import { readSecrets, resealSecrets, storeSecret } from './ask-secrets.ts';
import { type SecretReaders, whenSecretsRead } from './secret-readers.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const random = seededRandom(3);
const account = newSigningKey('account', random);
const LISTING = { path: 'db.password', file: 'db.zy', line: 2, sealedAtRest: true, peels: ['web-1'] };

let clock: VirtualClock;
let bus: Bus;
const client = () => clientOf(bus, { clock, random, log: silent });

beforeEach(async () => {
  clock = virtualClock();
  const runtime = { clock, random, log: silent };
  bus = openBus(new MemoryServer({ clock, random }).connect({ role: 'master', name: 'm' }), runtime);
  const buckets = [BUCKETS.secrets, BUCKETS.peelHeartbeat];
  await settled(bus.connected().then(() => ensureAssets(bus, { buckets, streams: [], objectStores: [] }, 1)));
});

async function settled<T>(work: Promise<T>, ms = 60_000): Promise<T> {
  let isSettled = false;
  const noted = work.finally(() => {
    isSettled = true;
  });
  noted.catch(() => undefined);
  for (let passed = 0; !isSettled && passed < ms; passed += 100) await clock.advance(100);
  return noted;
}

const put = (bucket: string, key: string, value: Uint8Array) => settled(bus.bucket(bucket).put(key, value));

/** A master that publishes; what it was asked is kept. */
async function publisher<Asked>(subject: string, codec: Codec<Asked>, reply: Partial<SecretReply>) {
  const asked: Asked[] = [];
  await settled(
    bus.subscribe(subject, ({ data, reply: inbox }) => {
      asked.push(codec.decode(data));
      const answer = secretReplyCodec.create({ master: 'master-1' as MasterId, ...reply });
      bus.publish(inbox ?? '', secretReplyCodec.encode(answer));
    }),
  );
  return asked;
}

const SECRET = { file: 'db.zy', path: 'db.password', value: 'hunter22', mustExist: true };

describe('storing a secret', () => {
  it('sends it sealed, so that only masters can open it', async () => {
    const key = fleetKeyOf(1, account);
    await put(BUCKETS.secrets.name, MASTER_CURVE_KEY, Buffer.from(key.curveKey.publicKey));
    const asked = await publisher(SECRET_SET_SUBJECT, secretSetRequestCodec, {
      secrets: [LISTING],
      settingsRevision: 7,
      unsealed: ['web-2'],
      wasPlain: true,
    });
    expect(await settled(storeSecret(client(), SECRET))).toEqual({
      settingsRevision: 7,
      listing: LISTING,
      unsealed: ['web-2'],
      wasPlain: true,
    });
    expect(asked).toMatchObject([{ file: 'db.zy', path: 'db.password', mustExist: true, user: 'tester' }]);
    const [{ sealed } = { sealed: '' }] = asked;
    expect(sealed).toMatch(/^ENC\[fleet,1,/);
    expect(Buffer.from(openSealedToFleet([key], sealed) ?? []).toString()).toBe('hunter22');
  });

  it('tells what a master refuses, with its code', async () => {
    await put(BUCKETS.secrets.name, MASTER_CURVE_KEY, Buffer.from(fleetKeyOf(1, account).curveKey.publicKey));
    await publisher(SECRET_SET_SUBJECT, secretSetRequestCodec, {
      error: 'it is no YAML',
      code: 'SECRET_NOT_SET',
    });
    await expect(settled(storeSecret(client(), SECRET))).rejects.toMatchObject({
      code: 'SECRET_REFUSED',
      message: 'it is no YAML',
      reasonCode: 'SECRET_NOT_SET',
    });
  });

  it('sends nothing where there is no fleet key, or none that can be used', async () => {
    await expect(settled(storeSecret(client(), SECRET))).rejects.toMatchObject({
      code: 'SECRET_NO_FLEET_KEY',
    });
    await put(BUCKETS.secrets.name, MASTER_CURVE_KEY, Buffer.from('nonsense'));
    await expect(settled(storeSecret(client(), SECRET))).rejects.toMatchObject({
      code: 'SECRET_NO_FLEET_KEY',
    });
  });
});

describe('asking about secrets', () => {
  it('goes on while the publisher changes, and not for ever', async () => {
    const answer = readSecrets(client(), 'web-1');
    clock.after(
      12_000,
      () => void publisher(SECRET_LIST_SUBJECT, secretListRequestCodec, { secrets: [LISTING] }),
    );
    expect(await settled(answer)).toEqual([LISTING]);
  });

  it('says that nobody publishes when nobody answers for half a minute', async () => {
    const before = clock.monotonicMs();
    await expect(settled(readSecrets(client()))).rejects.toMatchObject({ code: 'SECRET_NO_PUBLISHER' });
    expect(clock.monotonicMs() - before).toBeLessThan(40_000);
  });

  it('asks once for everything to be sealed anew, where somebody is there', async () => {
    await publisher(SECRET_LIST_SUBJECT, secretListRequestCodec, {});
    const asked = await publisher(SECRET_REENCRYPT_SUBJECT, secretReencryptRequestCodec, { sealed: 3 });
    expect(await settled(resealSecrets(client(), 'web-1'))).toBe(3);
    expect(asked).toEqual([{ peel: 'web-1' }]);
  });

  it('does not ask for it where nobody is', async () => {
    const asked = await publisher(SECRET_REENCRYPT_SUBJECT, secretReencryptRequestCodec, { sealed: 3 });
    await expect(settled(resealSecrets(client()))).rejects.toMatchObject({ code: 'SECRET_NO_PUBLISHER' });
    expect(asked).toEqual([]);
  });
});

describe('whether peels have read their secrets', () => {
  const seal = (peel: string) =>
    put(
      BUCKETS.secrets.name,
      peel,
      sealedSecretsCodec.encode({ generation: 1, settingsRevision: 1, fingerprint: 'f', sealed: {} }),
    );
  const beat = (peel: string, given: Partial<PeelHeartbeat>) =>
    put(BUCKETS.peelHeartbeat.name, peel, peelHeartbeatCodec.encode(peelHeartbeatCodec.create(given)));
  const revisionOf = async (peel: string) =>
    (await settled(bus.bucket(BUCKETS.secrets.name).getLatest(peel))).revision;
  const PEELS = ['a', 'b', 'c'] as PeelId[];
  const wanted = { peels: PEELS, settingsRevision: 4, timeoutMs: 20_000 };

  it('is told by their heartbeats, and those that are away are not waited for', async () => {
    for (const peel of PEELS) await seal(peel);
    await beat('a', { secretsRevision: await revisionOf('a'), settingsRevision: 4 });
    await beat('b', { secretsRevision: await revisionOf('b'), settingsRevision: 3 });
    const seen: SecretReaders[] = [];
    const done = whenSecretsRead(client(), wanted, (readers) => seen.push(readers));
    clock.after(
      5_000,
      () =>
        void revisionOf('b').then((revision) =>
          beat('b', { secretsRevision: revision, settingsRevision: 5 }),
        ),
    );
    expect(await settled(done)).toEqual({ read: ['a', 'b'], waiting: [], offline: ['c'] });
    expect(seen[0]).toEqual({ read: ['a'], waiting: ['b'], offline: ['c'] });
  });

  it('ends with the names of those that have not', async () => {
    for (const peel of PEELS) await seal(peel);
    await beat('a', { secretsRevision: (await revisionOf('a')) - 1, settingsRevision: 4 });
    await put(BUCKETS.peelHeartbeat.name, 'b', Uint8Array.of(0xc1));
    await beat('d', { secretsRevision: 99, settingsRevision: 99 });
    const before = clock.monotonicMs();
    expect(await settled(whenSecretsRead(client(), wanted))).toEqual({
      read: [],
      waiting: ['a', 'b'],
      offline: ['c'],
    });
    expect(clock.monotonicMs() - before).toBeGreaterThanOrEqual(20_000);
  });

  it('is asked of all that have any, where nobody is named', async () => {
    await put(BUCKETS.secrets.name, MASTER_CURVE_KEY, Buffer.from('X'));
    await seal('a');
    await beat('a', { secretsRevision: await revisionOf('a') });
    await beat('b', {});
    const all = { peels: undefined, settingsRevision: 0, timeoutMs: 1_000 };
    expect(await settled(whenSecretsRead(client(), all))).toEqual({ read: ['a'], waiting: [], offline: [] });
  });
});
