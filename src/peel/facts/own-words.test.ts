import { describe, expect, it } from 'vitest';
import type { KvRead, WatchObserver } from '../../bus/port.ts';
import { SecretBook } from '../../core/redact/secret-book.ts';
import type { Log } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import { curveKeyOf, newSigningKey } from '../../trust/nkeys.ts';
import { boxKey } from '../../trust/sealed-box.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { peelTagsCodec } from '../../wire/records/enroll/peel-tags.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { operatorWordsPath } from '../data-dir.ts';
import { openOwnWords } from './own-words.ts';

const random = seededRandom(3);
const peel = curveKeyOf(newSigningKey('user', random));
const master = curveKeyOf(newSigningKey('account', random));
const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const enrollment = 'enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as EnrollmentId;
const DATA_DIR = '/var/lib/zester-peel';

function found(
  revision: number,
  tags: Readonly<Record<string, string>>,
  facts: WireMap = {},
  sender = master,
): KvRead {
  const plain = factsCodec.encode(facts);
  const isEmpty = Object.keys(facts).length === 0;
  const sealedFacts = isEmpty ? '' : (boxKey(sender, peel.publicKey)?.seal(plain, random) ?? '');
  const value = peelTagsCodec.encode({ enrollment, tags, sealedFacts, generation: isEmpty ? 0 : 1 });
  return { found: true, key: 'web-01', value, revision, writtenMs: 0 };
}

/** The disk stays, the rest is one life. */
function disk() {
  const clock = virtualClock();
  return { clock, files: memorySystem({ clock, random }).files };
}

async function world(
  { clock, files }: ReturnType<typeof disk> = disk(),
  { senders = [master.publicKey], status = 'connected' }: { senders?: string[]; status?: string } = {},
) {
  await files.makeDirectory(DATA_DIR, { parents: true });
  let watched: WatchObserver | undefined;
  let curve: () => void = () => undefined;
  const secrets = new SecretBook();
  const seen = { changes: 0 };
  const bucket = {
    watchKeys: (_: readonly string[], observer: WatchObserver) => {
      watched = observer;
      return { stop: () => undefined };
    },
  };
  const keys = {
    curveKeys: () => senders,
    onChange: (listener: () => void) => {
      curve = listener;
    },
  };
  const words = await openOwnWords({
    ...{ bus: { bucket: () => bucket, status: () => status }, system: { files } },
    ...{ runtime: { log: silent, clock, random }, peelId: 'web-01' as PeelId, dataDir: DATA_DIR },
    ...{ curveKey: peel, keys, secrets },
  } as unknown as Parameters<typeof openOwnWords>[0]);
  words.onChange(() => {
    seen.changes += 1;
  });
  words.start();
  const tell = async (read: KvRead) => {
    watched?.changed(read);
    await clock.advance(1_000);
  };
  return { words, secrets, seen, clock, files, tell, newKey: () => curve() };
}

describe('what operators say of this peel', () => {
  it('are its tags and facts, and no text of the facts leaves the machine', async () => {
    const { words, secrets, seen, tell } = await world();
    expect(words.current()).toEqual({ tags: {}, facts: {} });
    await tell(found(5, { role: 'web' }, { licence: 'hunter22', ports: ['port-one', 8443] }));
    expect(words.current()).toEqual({
      tags: { role: 'web' },
      facts: { licence: 'hunter22', ports: ['port-one', 8443] },
    });
    expect(secrets.redact('hunter22 port-one 8443 web')).toBe(
      '[secret facts.licence] [secret facts.ports.0] [secret facts.ports.1] web',
    );
    expect(seen.changes).toBe(1);
    await tell(found(5, { role: 'other' }));
    expect([words.current().tags.role, seen.changes]).toEqual(['web', 1]);
  });

  it('are nothing when the key is gone, and stay as they are when it is damaged', async () => {
    const { words, tell } = await world();
    await tell(found(5, { role: 'web' }, { licence: 'hunter22' }));
    await tell({ found: true, key: 'web-01', value: Buffer.from('?'), revision: 6, writtenMs: 0 });
    expect(words.current().tags).toEqual({ role: 'web' });
    await tell({ found: false, key: 'web-01', revision: 7 });
    expect(words.current()).toEqual({ tags: {}, facts: {} });
  });

  it('are known to the next life, without NATS and without the keys of the masters, and sealed on disk', async () => {
    const kept = disk();
    const before = await world(kept);
    await before.tell(found(5, { role: 'web' }, { licence: 'hunter22' }));
    const file = Buffer.from((await kept.files.read(operatorWordsPath(DATA_DIR))) ?? []).toString('latin1');
    expect(file).not.toContain('hunter22');
    const after = await world(kept, { senders: [], status: 'disconnected' });
    expect(after.words.current()).toEqual({ tags: { role: 'web' }, facts: { licence: 'hunter22' } });
    expect(after.secrets.redact('hunter22')).toBe('[secret facts.licence]');
    await after.tell({ found: false, key: 'web-01', revision: 7 });
    const last = await world(kept, { status: 'disconnected' });
    expect(last.words.current()).toEqual({ tags: {}, facts: {} });
  });

  it('are as good as unknown when their file is damaged', async () => {
    const kept = disk();
    await (await world(kept)).tell(found(5, { role: 'web' }));
    await kept.files.writeAtomic(operatorWordsPath(DATA_DIR), Buffer.from('?'));
    expect((await world(kept)).words.current()).toEqual({ tags: {}, facts: {} });
  });

  it('keep their tags while no key opens the facts, which come with the key', async () => {
    const other = curveKeyOf(newSigningKey('account', random));
    const senders = [master.publicKey];
    const { words, tell, newKey } = await world(disk(), { senders });
    await tell(found(5, { role: 'web' }, { licence: 'hunter22' }, other));
    expect(words.current()).toEqual({ tags: { role: 'web' }, facts: {} });
    senders.unshift(other.publicKey);
    newKey();
    expect(words.current().facts).toEqual({ licence: 'hunter22' });
  });

  it('are waited for once, for a moment, and not without a connection', async () => {
    const settled = async (promise: Promise<void>) => {
      let isOver = false;
      void promise.then(() => {
        isOver = true;
      });
      await Promise.resolve();
      await Promise.resolve();
      return () => isOver;
    };
    const { words, clock, tell } = await world();
    const asked = await settled(words.settled());
    expect(asked()).toBe(false);
    await tell({ found: false, key: 'web-01', revision: 0 });
    expect(asked()).toBe(true);
    const mute = await world();
    const late = await settled(mute.words.settled());
    await mute.clock.advance(2_900);
    expect(late()).toBe(false);
    await mute.clock.advance(200);
    expect(late()).toBe(true);
    const away = await world(disk(), { status: 'disconnected' });
    expect((await settled(away.words.settled()))()).toBe(true);
    void clock;
  });
});
