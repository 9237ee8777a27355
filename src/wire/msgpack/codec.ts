/**
 * A record codec is a struct of the contract as one table, in the order in which Go writes its fields. The table encodes,
 * decodes, checks, and is the source of the reference page. A record's interface stands beside its table and the
 * compiler compares the two, so there is one definition and errors stay readable.
 *
 * The rules of the contract: unknown keys are ignored, missing keys and nil mean the zero value, keys of new fields
 * are left out when empty. Nothing is ever renamed, retyped or removed.
 */
import { decodeWith, type MsgpackReader } from './msgpack-decode.ts';
import { encodeWith, type MsgpackWriter } from './msgpack-encode.ts';
import { atStep, flaw, inRecord, keyStep } from './wire-error.ts';

/** Anything that travels or is stored as bytes. Both functions throw WireError and nothing else. */
export interface Codec<T> {
  readonly name: string;
  readonly doc: string;
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/** How one kind of field is written and read. */
export interface FieldType<V> {
  /** What the reference page calls it. */
  readonly label: string;
  /** What a missing key or nil means. Throws for a field that has no such meaning: an id. */
  zero(): V;
  /** Whether a field with omitEmpty leaves this value out. */
  isEmpty(value: V): boolean;
  write(writer: MsgpackWriter, value: V): void;
  /** Not called for nil. */
  read(reader: MsgpackReader): V;
}

export interface Field<V> {
  /** On the wire. */
  readonly key: string;
  readonly type: FieldType<V>;
  /** The key is absent when the value is empty; Go's `omitempty`. */
  readonly omitEmpty?: boolean;
  readonly doc: string;
}

/** One line for each property of the interface: none missing, none too many, none of another type. */
export type Fields<T> = { readonly [P in keyof T]-?: Field<T[P]> };

export interface RecordCodec<T> extends Codec<T> {
  readonly fields: Fields<T>;
  /** For use as a field of another record. */
  readonly type: FieldType<T>;
  /** A record with zero values where nothing is given. */
  create(given: Partial<T>): T;
}

interface Line {
  readonly property: string;
  readonly key: string;
  readonly omitEmpty: boolean;
  readonly type: FieldType<unknown>;
}

export function record<T extends object>(name: string, doc: string, fields: Fields<T>): RecordCodec<T> {
  const lines = Object.entries<Field<unknown>>(fields as Record<string, Field<unknown>>).map(
    ([property, field]): Line => ({
      property,
      key: field.key,
      omitEmpty: field.omitEmpty ?? false,
      type: field.type,
    }),
  );
  const indexOfKey = new Map(lines.map((line, index) => [line.key, index]));
  const type: FieldType<T> = {
    label: name,
    zero: () => {
      throw flaw('is missing');
    },
    isEmpty: () => false,
    write: (writer, value) => writeLines(writer, lines, value as Record<string, unknown>),
    read: (reader) => readLines(reader, lines, indexOfKey) as T,
  };
  return {
    name,
    doc,
    fields,
    type,
    encode: (value) => encodeWith(name, (writer) => type.write(writer, value)),
    decode: (bytes) => decodeWith(name, bytes, type.read),
    create: (given) => {
      try {
        return { ...zeroRecord(lines.filter((line) => !(line.property in given))), ...given } as T;
      } catch (error) {
        throw inRecord(error, name);
      }
    },
  };
}

/** A message that is one value of some type and not a record: a list, a map. */
export function bareCodec<T>(name: string, doc: string, type: FieldType<T>): Codec<T> {
  return {
    name,
    doc,
    encode: (value) => encodeWith(name, (writer) => type.write(writer, value)),
    decode: (bytes) => decodeWith(name, bytes, (reader) => readOrZero(reader, type)),
  };
}

export function readOrZero<V>(reader: MsgpackReader, type: FieldType<V>): V {
  return reader.nil() ? type.zero() : type.read(reader);
}

function writeLines(writer: MsgpackWriter, lines: readonly Line[], value: Record<string, unknown>): void {
  const written = lines.filter((line) => !line.omitEmpty || !line.type.isEmpty(value[line.property]));
  writer.enterMap(written.length);
  let key = '';
  try {
    for (const line of written) {
      key = line.key;
      writer.text(key);
      line.type.write(writer, value[line.property]);
    }
  } catch (error) {
    throw atStep(error, keyStep(key));
  }
  writer.leave();
}

function readLines(
  reader: MsgpackReader,
  lines: readonly Line[],
  indexOfKey: ReadonlyMap<string, number>,
): Record<string, unknown> {
  const values: unknown[] = new Array(lines.length).fill(ABSENT);
  const size = reader.enterMap();
  for (let i = 0; i < size; i++) readEntry(reader, lines, indexOfKey, values);
  reader.leave();
  const record: Record<string, unknown> = {};
  for (const [index, line] of lines.entries()) {
    record[line.property] = values[index] === ABSENT ? zeroOf(line) : values[index];
  }
  return record;
}

const ABSENT = Symbol('absent');

function readEntry(
  reader: MsgpackReader,
  lines: readonly Line[],
  indexOfKey: ReadonlyMap<string, number>,
  values: unknown[],
): void {
  const key = reader.key();
  const index = indexOfKey.get(key) ?? -1;
  const line = lines[index];
  try {
    if (line === undefined) {
      reader.skipValue();
      return;
    }
    // Two readers must never see two different records in the same bytes.
    if (values[index] !== ABSENT) throw flaw('comes twice');
    values[index] = readOrZero(reader, line.type);
  } catch (error) {
    throw atStep(error, keyStep(key));
  }
}

function zeroRecord(lines: readonly Line[]): Record<string, unknown> {
  return Object.fromEntries(lines.map((line) => [line.property, zeroOf(line)]));
}

function zeroOf(line: Line): unknown {
  try {
    return line.type.zero();
  } catch (error) {
    throw atStep(error, keyStep(line.key));
  }
}
