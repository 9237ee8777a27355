import { describe, expect, it } from 'vitest';
import type { KvRead, WatchObserver } from '../../bus/port.ts';
import { SecretBook } from '../../core/redact/secret-book.ts';
import type { Log } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { curveKeyOf, newSigningKey } from '../../trust/nkeys.ts';
import { boxKey } from '../../trust/sealed-box.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { sealedSecretsCodec } from '../../wire/records/secrets.ts';
import { OwnSecrets } from './own-secrets.ts';
import { FORMER_SECRETS_MAX, type SealedValues } from './settings-snapshot.ts';

const random = seededRandom(3);
const peel = curveKeyOf(newSigningKey('user', random));
const master = curveKeyOf(newSigningKey('account', random));
const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

function sealed(values: Readonly<Record<string, string>>, sender = master): Readonly<Record<string, string>> {
  const box = boxKey(sender, peel.publicKey);
  return Object.fromEntries(
    Object.entries(values).map(([path, value]) => [path, box?.seal(Buffer.from(value), random) ?? '']),
  );
}

function found(revision: number, values: Readonly<Record<string, string>>, sender = master): KvRead {
  const record = { generation: 1, settingsRevision: 1, fingerprint: '', sealed: sealed(values, sender) };
  return { found: true, key: 'web-01', value: sealedSecretsCodec.encode(record), revision, writtenMs: 0 };
}

/** One peel's secrets, with the bucket and the keys of the masters in the hands of the test. */
function world(senders: string[] = [master.publicKey]) {
  let watched: WatchObserver | undefined;
  let curve: () => void = () => undefined;
  const book = new SecretBook();
  const seen = { changes: 0, answer: undefined as KvRead | undefined };
  const bucket = {
    get: async () => seen.answer ?? { found: false as const, key: 'web-01', revision: 0 },
    watchKeys: (_: readonly string[], observer: WatchObserver) => {
      watched = observer;
      return { stop: () => undefined };
    },
  };
  const own = new OwnSecrets(
    {
      bus: { bucket: () => bucket },
      runtime: { log: silent },
      peelId: 'web-01' as PeelId,
      curveKey: peel,
      keys: {
        curveKeys: () => senders,
        onChange: (listener: () => void) => {
          curve = listener;
        },
      },
      secrets: book,
    } as unknown as ConstructorParameters<typeof OwnSecrets>[0],
    () => {
      seen.changes += 1;
    },
  );
  own.start();
  return { own, book, seen, tell: (read: KvRead) => watched?.changed(read), newKey: () => curve() };
}

const values = ({ own }: ReturnType<typeof world>) => Object.fromEntries(own.current().values);

describe('the secrets of a peel', () => {
  it('are opened, known to the book at once, and others with every record', () => {
    const peelSecrets = world();
    peelSecrets.tell(found(5, { a: 'first-one', b: 'other-one' }));
    expect(peelSecrets.book.redact('first-one other-one')).toBe('[secret a] [secret b]');
    expect([values(peelSecrets), peelSecrets.own.current().revision]).toEqual([
      { a: 'first-one', b: 'other-one' },
      5,
    ]);
    const before = peelSecrets.own.current().identity;
    peelSecrets.tell(found(6, { a: 'second-one' }));
    expect(values(peelSecrets)).toEqual({ a: 'second-one' });
    expect(peelSecrets.own.current().identity).not.toBe(before);
    expect(peelSecrets.book.redact('first-one second-one')).toBe('[secret a] [secret a]');
  });

  it('that are removed are gone, and damage changes nothing but is told', () => {
    const peelSecrets = world();
    peelSecrets.tell(found(5, { a: 'first-one' }));
    peelSecrets.tell({ found: true, key: 'web-01', value: Buffer.from('?'), revision: 6, writtenMs: 0 });
    expect([values(peelSecrets), peelSecrets.own.problem()]).toEqual([
      { a: 'first-one' },
      expect.stringMatching(/^the sealed secrets are damaged/),
    ]);
    peelSecrets.tell({ found: false, key: 'web-01', revision: 7 });
    expect([values(peelSecrets), peelSecrets.own.problem()]).toEqual([{}, '']);
  });

  it('sealed with a key that is not known yet open when it is', () => {
    const other = curveKeyOf(newSigningKey('account', random));
    const senders = [master.publicKey];
    const peelSecrets = world(senders);
    peelSecrets.tell(found(5, { a: 'first-one' }, other));
    expect([values(peelSecrets), peelSecrets.own.current().unopened]).toEqual([{}, ['a']]);
    expect(peelSecrets.own.problem()).toContain('1 sealed values cannot be opened');
    senders.unshift(other.publicKey);
    peelSecrets.newKey();
    expect([values(peelSecrets), peelSecrets.own.problem()]).toEqual([{ a: 'first-one' }, '']);
    expect(peelSecrets.own.sealed()[0]?.sender).toBe(other.publicKey);
  });

  it('cannot be forged by anybody but a master', () => {
    const stranger = curveKeyOf(newSigningKey('user', random));
    const peelSecrets = world();
    peelSecrets.tell(found(5, { a: 'planted-one' }, stranger));
    expect(values(peelSecrets)).toEqual({});
  });

  it('are read again when somebody misses one, and an older answer changes nothing', async () => {
    const peelSecrets = world();
    peelSecrets.tell(found(5, { a: 'first-one' }));
    peelSecrets.seen.answer = found(4, { a: 'older-one' });
    await peelSecrets.own.refresh();
    expect(values(peelSecrets)).toEqual({ a: 'first-one' });
    peelSecrets.seen.answer = found(6, { a: 'newer-one' });
    await peelSecrets.own.refresh();
    expect(values(peelSecrets)).toEqual({ a: 'newer-one' });
    const { changes } = peelSecrets.seen;
    peelSecrets.tell(peelSecrets.seen.answer);
    expect(peelSecrets.seen.changes).toBe(changes);
  });

  it('of the last life stand in until the bucket has answered, and stay unspoken', () => {
    const former: SealedValues[] = [
      { sender: master.publicKey, revision: 8, sealed: sealed({ a: 'newest-one' }) },
      { sender: master.publicKey, revision: 3, sealed: sealed({ a: 'former-one' }) },
    ];
    // Its keys may not be known yet: the snapshot has the one that opens them.
    const peelSecrets = world([]);
    peelSecrets.own.begin(former);
    expect(values(peelSecrets)).toEqual({ a: 'newest-one' });
    expect(peelSecrets.book.redact('newest-one former-one')).toBe('[secret a] [secret a]');
    peelSecrets.tell({ found: false, key: 'web-01', revision: 9 });
    expect(values(peelSecrets)).toEqual({});
    expect(peelSecrets.own.sealed().map(({ revision }) => revision)).toEqual([9, 8, 3]);
  });

  it('that are sealed anew with the same values push out nothing that is known otherwise, and the oldest go first', () => {
    const peelSecrets = world();
    peelSecrets.tell(found(1, { a: 'value-of-1' }));
    peelSecrets.tell(found(2, { a: 'value-of-2' }));
    for (let revision = 3; revision < 10; revision++) peelSecrets.tell(found(revision, { a: 'value-of-2' }));
    expect(peelSecrets.own.sealed().map(({ revision }) => revision)).toEqual([9, 1]);
    for (let revision = 10; revision < 30; revision++)
      peelSecrets.tell(found(revision, { a: `value-of-${revision}` }));
    expect(peelSecrets.own.sealed().map(({ revision }) => revision)).toEqual(
      Array.from({ length: FORMER_SECRETS_MAX + 1 }, (_, at) => 29 - at),
    );
  });
});
