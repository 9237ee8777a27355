/**
 * Field types are the kinds of field that records are made of. Each says which Go type it mirrors, because the marker
 * on the wire depends on that.
 */

import {
  type ChallengeId,
  type EnrollmentId,
  type Jid,
  type JoinTokenId,
  type MasterId,
  type PeelId,
  parseChallengeId,
  parseEnrollmentId,
  parseJid,
  parseJoinTokenId,
  parseMasterId,
  parsePeelId,
} from '../names/ids.ts';
import { MESSAGE_BYTES_MAX, NAME_BYTES_MAX, TEXT_BYTES_MAX } from '../names/limits.ts';
import type { FieldType, RecordCodec } from './codec.ts';
import { writeValue } from './msgpack-encode.ts';
import { type DurationNanos, GO_ZERO_TIME, type UnixNanos } from './time.ts';
import { flaw } from './wire-error.ts';
import { ENCODED_NIL, type EncodedValue, isWireMap, type WireMap } from './wire-value.ts';

const INT64_MAX = 2n ** 63n - 1n;

const utf8 = new TextEncoder();

/** Go `string`: prose, of any length that fits a message. */
export const text = textUpTo('text', TEXT_BYTES_MAX);
/** Go `string`: a short name. */
export const name = textUpTo('name', NAME_BYTES_MAX);

/** Go `bool`. */
export const boolean: FieldType<boolean> = {
  label: 'boolean',
  zero: () => false,
  isEmpty: (value) => !value,
  write: (writer, value) => writer.boolean(value),
  read: (reader) => reader.boolean(),
};

/** Go `int`: shortest form. */
export const integer: FieldType<number> = {
  label: 'integer',
  zero: () => 0,
  isEmpty: (value) => value === 0,
  write: (writer, value) => writer.integer(checkedInteger(value)),
  read: (reader) => checkedInteger(reader.integer()),
};

/** Go `uint64`, for epochs and revisions: a number here, nine bytes there. */
export const epoch: FieldType<number> = {
  label: 'epoch',
  zero: () => 0,
  isEmpty: (value) => value === 0,
  write: (writer, value) => writer.uint64(BigInt(checkedEpoch(value))),
  read: (reader) => checkedEpoch(reader.integer()),
};

/** Go `time.Duration`: nine bytes, whatever the value. */
export const duration: FieldType<DurationNanos> = {
  label: 'duration',
  zero: () => 0n,
  isEmpty: (value) => value === 0n,
  write: (writer, value) => writer.int64(value),
  read: (reader) => {
    const nanos = BigInt(reader.integer());
    if (nanos > INT64_MAX) throw flaw('does not fit 64 bits');
    return nanos;
  },
};

/** Go `time.Time`. */
export const time: FieldType<UnixNanos> = {
  label: 'time',
  zero: () => GO_ZERO_TIME,
  isEmpty: (value) => value === GO_ZERO_TIME,
  write: (writer, value) => writer.time(value),
  read: (reader) => reader.time(),
};

/** Untyped data under string keys. Go `map[string]any`; nil and empty are the same, and nil is what is sent. */
export const valueMap: FieldType<WireMap> = {
  label: 'map of any values',
  zero: () => Object.create(null),
  isEmpty: (map) => Object.keys(map).length === 0,
  write: (writer, map) => {
    if (Object.keys(map).length === 0) writer.nil();
    else writeValue(writer, map);
  },
  read: (reader) => {
    const map = reader.value();
    if (!isWireMap(map)) throw flaw('is not a map');
    return map;
  },
};

/** A value that stays encoded. Go `any`; checked on both sides, so that a record can never be torn by it. */
export const encoded: FieldType<EncodedValue> = {
  label: 'any value',
  zero: () => ENCODED_NIL,
  isEmpty: (bytes) => bytes.length === 1 && bytes[0] === ENCODED_NIL[0],
  write: (writer, bytes) => writer.encoded(bytes),
  read: (reader) => reader.encoded(),
};

export const jid = idType<Jid>('job id', parseJid);
export const peelId = idType<PeelId>('peel id', parsePeelId);
export const masterId = idType<MasterId>('master id', parseMasterId);
export const enrollmentId = idType<EnrollmentId>('enrollment id', parseEnrollmentId);
export const challengeId = idType<ChallengeId>('challenge id', parseChallengeId);
export const joinTokenId = idType<JoinTokenId>('join token id', parseJoinTokenId);

/** An id that may be unset: Go's empty string is undefined here. */
export const optionalPeelId = optionalId<PeelId>('peel id', parsePeelId);
export const optionalMasterId = optionalId<MasterId>('master id', parseMasterId);

/** Go `time.Time` with omitempty: Go's zero time is undefined here, so that nobody compares with the year 1. */
export const optionalTime: FieldType<UnixNanos | undefined> = {
  ...optionalField(time),
  read: (reader) => {
    const at = reader.time();
    return at === GO_ZERO_TIME ? undefined : at;
  },
};

/** Go `[]byte` of a fixed length: keys and signatures. */
export function bytesOf(length: number): FieldType<Uint8Array> {
  const check = (bytes: Uint8Array) => {
    if (bytes.length !== length) throw flaw(`is not ${length} bytes long`);
    return bytes;
  };
  return {
    label: `${length} bytes`,
    zero: missing,
    isEmpty: () => false,
    write: (writer, bytes) => writer.binary(check(bytes)),
    read: (reader) => check(reader.binary(MESSAGE_BYTES_MAX)),
  };
}

/** One word of a closed list. A word that is not in it is refused: whoever does not know it cannot act on it. */
export function choice<W extends string>(label: string, words: readonly W[]): FieldType<W> {
  return {
    label,
    zero: missing,
    isEmpty: () => false,
    write: (writer, word) => writer.text(oneOf(words, word)),
    read: (reader) => oneOf(words, reader.text(NAME_BYTES_MAX)),
  };
}

export function optionalChoice<W extends string>(
  label: string,
  words: readonly W[],
): FieldType<W | undefined> {
  return {
    label,
    zero: () => undefined,
    isEmpty: (word) => word === undefined,
    write: (writer, word) => writer.text(word === undefined ? '' : oneOf(words, word)),
    read: (reader) => {
      const word = reader.text(NAME_BYTES_MAX);
      return word === '' ? undefined : oneOf(words, word);
    },
  };
}

/** A Go pointer: nil is undefined. */
export function optionalField<V>(type: FieldType<V>): FieldType<V | undefined> {
  return {
    label: type.label,
    zero: () => undefined,
    isEmpty: (given) => given === undefined,
    write: (writer, given) => (given === undefined ? writer.nil() : type.write(writer, given)),
    read: (reader) => type.read(reader),
  };
}

/** A record inside a record, as a Go pointer. */
export function optionalRecord<T>(codec: RecordCodec<T>): FieldType<T | undefined> {
  return optionalField(codec.type);
}

/** Go `string` with a limit, in bytes of UTF-8. */
export function textUpTo(label: string, bytesMax: number): FieldType<string> {
  return {
    label,
    zero: () => '',
    isEmpty: (given) => given === '',
    write: (writer, given) => {
      // A character takes three bytes of UTF-8 at most, so short texts need no counting.
      if (given.length * 3 > bytesMax && utf8.encode(given).length > bytesMax) {
        throw flaw(`is longer than ${bytesMax} bytes`);
      }
      writer.text(given);
    },
    read: (reader) => reader.text(bytesMax),
  };
}

/** For what has no zero value: an id that is not there is not an empty id. */
function missing(): never {
  throw flaw('is missing');
}

function idType<Id extends string>(label: string, parse: (given: string) => Id | undefined): FieldType<Id> {
  const check = (given: string) => {
    const id = parse(given);
    if (id === undefined) throw flaw(`is not a ${label}`);
    return id;
  };
  return {
    label,
    zero: missing,
    isEmpty: () => false,
    write: (writer, id) => writer.text(check(id)),
    read: (reader) => check(reader.text(NAME_BYTES_MAX)),
  };
}

function optionalId<Id extends string>(
  label: string,
  parse: (given: string) => Id | undefined,
): FieldType<Id | undefined> {
  return {
    ...optionalField(idType(label, parse)),
    write: (writer, id) => writer.text(id ?? ''),
    read: (reader) => {
      const given = reader.text(NAME_BYTES_MAX);
      if (given === '') return undefined;
      const id = parse(given);
      if (id === undefined) throw flaw(`is not a ${label}`);
      return id;
    },
  };
}

function oneOf<W extends string>(words: readonly W[], given: string): W {
  const word = words.find((known) => known === given);
  if (word === undefined) throw flaw(`is none of ${words.join(', ')}`);
  return word;
}

function checkedInteger(given: number | bigint): number {
  if (typeof given === 'bigint' || !Number.isSafeInteger(given))
    throw flaw('is not an integer within 53 bits');
  return given;
}

function checkedEpoch(given: number | bigint): number {
  const number = checkedInteger(given);
  if (number < 0) throw flaw('is negative');
  return number;
}
