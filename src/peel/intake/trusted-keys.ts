/**
 * The public keys that this peel goes by. Masters list the generations of the fleet key that are good (decision 46): the newest,
 * and for a while after a rotation the one before. What is not listed is refused, and one that was replaced ends by our own
 * clock too, `OVERLAP_MS_MAX` after we first saw that, whatever we can read by then. Pure.
 *
 * Before such a list was ever read, from masters of an older program, there are the two bare keys; one that is replaced is
 * taken for ten minutes more, so that commands proven with the old one, by a master that has not noticed, still count.
 *
 * Bound: `KEYS_MAX` of a kind; the oldest go first, whatever time they had left. A clock that jumped back prolongs nothing.
 */
import { type RecordCodec, record } from '../../wire/msgpack/codec.ts';
import { listOf } from '../../wire/msgpack/container-types.ts';
import { integer, name, optionalTime } from '../../wire/msgpack/field-types.ts';
import { nanosFromMs, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { FleetPublicKey } from '../../wire/records/fleet-key/fleet-keys.ts';

export const ROTATION_MS = 600_000;
export const OVERLAP_MS_MAX = 3_600_000;
const KEYS_MAX = 4;

/** `text`: as in the bucket. `until`: of a key that was replaced. */
export interface TrustedKey {
  readonly text: string;
  readonly until: UnixNanos | undefined;
}

/** A generation of the fleet key, as masters listed it. */
export interface TrustedGeneration {
  readonly generation: number;
  readonly curve: string;
  readonly command: string;
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

const trustedGenerationCodec: RecordCodec<TrustedGeneration> = record<TrustedGeneration>(
  'TrustedGeneration',
  'A generation of the fleet key.',
  {
    generation: { key: 'generation', type: integer, doc: 'Its number.' },
    curve: { key: 'curve', type: name, doc: 'Curve public key.' },
    command: { key: 'command', type: name, doc: 'Command public key.' },
    until: { key: 'until', type: optionalTime, omitEmpty: true, doc: 'The end of its use.' },
  },
);

export interface TrustedKeys {
  /** The account's curve key, `X…`: proofs of commands. */
  readonly curve: readonly TrustedKey[];
  /** The command key, base64url: proofs of cancels, certificates of operators. */
  readonly command: readonly TrustedKey[];
  /** The newest first; empty where none were ever listed. Where there are some, they alone count. */
  readonly generations: readonly TrustedGeneration[];
}

export const NO_KEYS: TrustedKeys = { curve: [], command: [], generations: [] };

export const trustedKeysCodec: RecordCodec<TrustedKeys> = record<TrustedKeys>(
  'TrustedKeys',
  'Public keys that the peel goes by, in the file `peel-keys.msgpack` of its data directory.',
  {
    curve: { key: 'curve', type: listOf(trustedKeyCodec.type, KEYS_MAX), doc: 'Newest first.' },
    command: { key: 'command', type: listOf(trustedKeyCodec.type, KEYS_MAX), doc: 'Newest first.' },
    generations: {
      key: 'generations',
      type: listOf(trustedGenerationCodec.type, KEYS_MAX),
      omitEmpty: true,
      doc: 'Newest first.',
    },
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

export function usableKeys<Key extends { readonly until: UnixNanos | undefined }>(
  keys: readonly Key[],
  nowMs: number,
  longestMs = ROTATION_MS,
): readonly Key[] {
  const now = nanosFromMs(nowMs);
  const latest = nanosFromMs(nowMs + longestMs);
  return keys.filter(({ until }) => until === undefined || (until > now && until <= latest));
}

/** The generations after a list was read; the same ones when it says nothing new. */
export function withListed(
  known: readonly TrustedGeneration[],
  listed: readonly FleetPublicKey[],
  nowMs: number,
): readonly TrustedGeneration[] {
  const ends = nanosFromMs(nowMs + OVERLAP_MS_MAX);
  const next = listed.slice(0, KEYS_MAX).map(({ generation, curve, command, until }, index) => {
    const before = known.find((each) => each.generation === generation && each.curve === curve);
    const end = index === 0 ? undefined : earlier(before?.until, earlier(until, ends));
    return { generation, curve, command, until: end };
  });
  const isSame =
    next.length === known.length &&
    next.every(({ generation, curve, command }, index) => {
      const before = known[index];
      return before?.generation === generation && before.curve === curve && before.command === command;
    });
  return isSame ? known : next;
}

function earlier(a: UnixNanos | undefined, b: UnixNanos): UnixNanos {
  return a === undefined || a > b ? b : a;
}
