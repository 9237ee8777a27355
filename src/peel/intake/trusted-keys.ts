/**
 * The public keys that this peel goes by, newest first. A key that is replaced is taken for ten minutes more, so that
 * commands proven with the old one, by a master that has not noticed, still count (decision 23f). Pure.
 *
 * Bound: `KEYS_MAX`; the oldest go first, whatever time they had left. A clock that jumped back prolongs nothing.
 */
import { type RecordCodec, record } from '../../wire/msgpack/codec.ts';
import { listOf } from '../../wire/msgpack/container-types.ts';
import { name, optionalTime } from '../../wire/msgpack/field-types.ts';
import { nanosFromMs, type UnixNanos } from '../../wire/msgpack/time.ts';

export const ROTATION_MS = 600_000;
const KEYS_MAX = 4;

/** `text`: as in the bucket. `until`: of a key that was replaced. */
export interface TrustedKey {
  readonly text: string;
  readonly until: UnixNanos | undefined;
}

const trustedKeyCodec: RecordCodec<TrustedKey> = record<TrustedKey>('TrustedKey', 'A public key.', {
  text: { key: 'text', type: name, doc: 'As it is spelled in bucket secrets.' },
  until: {
    key: 'until',
    type: optionalTime,
    omitEmpty: true,
    doc: 'When it was replaced: the end of its use.',
  },
});

export interface TrustedKeys {
  /** The account's curve key, `X…`: proofs of commands. */
  readonly curve: readonly TrustedKey[];
  /** The command key, base64url: proofs of cancels, certificates of operators. */
  readonly command: readonly TrustedKey[];
}

export const NO_KEYS: TrustedKeys = { curve: [], command: [] };

export const trustedKeysCodec: RecordCodec<TrustedKeys> = record<TrustedKeys>(
  'TrustedKeys',
  'Public keys that the peel goes by, in the file `peel-keys.msgpack` of its data directory.',
  {
    curve: { key: 'curve', type: listOf(trustedKeyCodec.type, KEYS_MAX), doc: 'Newest first.' },
    command: { key: 'command', type: listOf(trustedKeyCodec.type, KEYS_MAX), doc: 'Newest first.' },
  },
);

/** The keys after `text` was seen in the bucket; the same list when it is the newest already. */
export function withNewestKey(
  keys: readonly TrustedKey[],
  text: string,
  nowMs: number,
): readonly TrustedKey[] {
  if (keys[0]?.text === text) return keys;
  const ends = nanosFromMs(nowMs + ROTATION_MS);
  const older = usableKeys(keys, nowMs)
    .filter((key) => key.text !== text)
    .map((key) => ({ text: key.text, until: earlier(key.until, ends) }));
  return [{ text, until: undefined }, ...older].slice(0, KEYS_MAX);
}

export function usableKeys(keys: readonly TrustedKey[], nowMs: number): readonly TrustedKey[] {
  const now = nanosFromMs(nowMs);
  const latest = nanosFromMs(nowMs + ROTATION_MS);
  return keys.filter(({ until }) => until === undefined || (until > now && until <= latest));
}

function earlier(a: UnixNanos | undefined, b: UnixNanos): UnixNanos {
  return a === undefined || a > b ? b : a;
}
