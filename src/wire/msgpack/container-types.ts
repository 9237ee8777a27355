/** Container types are typed lists and maps as fields of a record. */

import { ELEMENTS_MAX } from '../names/limits.ts';
import { type FieldType, readOrZero } from './codec.ts';
import { type MsgpackWriter, writeKey } from './msgpack-encode.ts';
import { atStep, flaw, indexStep, keyStep } from './wire-error.ts';

/** Go slice; nil and empty are the same, and nil is what is sent. */
export function listOf<V>(type: FieldType<V>, lengthMax: number = ELEMENTS_MAX): FieldType<readonly V[]> {
  return {
    label: `list of ${type.label}`,
    zero: () => [],
    isEmpty: (list) => list.length === 0,
    write: (writer, list) => writeList(writer, list, type, lengthMax),
    read: (reader) => {
      const length = reader.enterArray(lengthMax);
      const list: V[] = [];
      try {
        while (list.length < length) list.push(readOrZero(reader, type));
      } catch (error) {
        throw atStep(error, indexStep(list.length));
      }
      reader.leave();
      return list;
    },
  };
}

/** Go `map[string]V`; nil and empty are the same, and nil is what is sent. Without a prototype when decoded. */
export function mapOf<V>(
  type: FieldType<V>,
  sizeMax: number = ELEMENTS_MAX,
): FieldType<Readonly<Record<string, V>>> {
  return {
    label: `map of ${type.label}`,
    zero: () => Object.create(null),
    isEmpty: (map) => Object.keys(map).length === 0,
    write: (writer, map) => writeMap(writer, map, type, sizeMax),
    read: (reader) => {
      const size = reader.enterMap(sizeMax);
      const map: Record<string, V> = Object.create(null);
      for (let i = 0; i < size; i++) {
        const key = reader.key();
        try {
          if (key in map) throw flaw('comes twice');
          map[key] = readOrZero(reader, type);
        } catch (error) {
          throw atStep(error, keyStep(key));
        }
      }
      reader.leave();
      return map;
    },
  };
}

function writeList<V>(
  writer: MsgpackWriter,
  list: readonly V[],
  type: FieldType<V>,
  lengthMax: number,
): void {
  if (list.length > lengthMax) throw flaw(`has more than ${lengthMax} items`);
  if (list.length === 0) {
    writer.nil();
    return;
  }
  writer.enterArray(list.length);
  for (const [index, item] of list.entries()) {
    try {
      type.write(writer, item);
    } catch (error) {
      throw atStep(error, indexStep(index));
    }
  }
  writer.leave();
}

function writeMap<V>(
  writer: MsgpackWriter,
  map: Readonly<Record<string, V>>,
  type: FieldType<V>,
  sizeMax: number,
): void {
  const entries = Object.entries(map);
  if (entries.length > sizeMax) throw flaw(`has more than ${sizeMax} entries`);
  if (entries.length === 0) {
    writer.nil();
    return;
  }
  writer.enterMap(entries.length);
  for (const [key, item] of entries) {
    try {
      writeKey(writer, key);
      type.write(writer, item);
    } catch (error) {
      throw atStep(error, keyStep(key));
    }
  }
  writer.leave();
}
