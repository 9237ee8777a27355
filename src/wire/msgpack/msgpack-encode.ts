/**
 * This encoder writes MessagePack with the very markers that Go's msgpack library (vmihailenco, v5, default options)
 * writes, because some Go readers tell types apart by marker: a duration is a duration only behind 0xd3.
 *
 * One growing buffer serves all messages of the process; what is returned is a copy of the used part. Encoding is
 * synchronous, so there is one writer at a time; a nested call gets a buffer of its own.
 */
import { DEPTH_MAX, ELEMENTS_MAX, MESSAGE_BYTES_MAX } from '../names/limits.ts';
import { MsgpackReader } from './msgpack-decode.ts';
import { floorDiv, isTimeInRange, NANOS_PER_SECOND, type UnixNanos, WireTime } from './time.ts';
import { atStep, flaw, indexStep, inRecord, keyStep } from './wire-error.ts';
import { FORBIDDEN_KEY, isWireMap, type WireMap, type WireValue } from './wire-value.ts';

const INITIAL_BYTES = 4_096;
/** A buffer that grew beyond this for one message is given back. */
const KEPT_BYTES_MAX = 1_048_576;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

const utf8 = new TextEncoder();

/** One value of untyped data, as a message of its own. */
export function encodeValue(value: WireValue): Uint8Array {
  return encodeWith('value', (writer) => writeValue(writer, value));
}

/** The same with the keys of every map in order, so that equal values give equal bytes: for hashes only. */
export function encodeSortedValue(value: WireValue): Uint8Array {
  return encodeWith('value', (writer) => writeValue(writer, value, true));
}

let spare: MsgpackWriter | undefined;

/** Runs `write` on an empty writer and returns what it wrote. Errors get the name of the record. */
export function encodeWith(record: string, write: (writer: MsgpackWriter) => void): Uint8Array {
  const writer = spare ?? new MsgpackWriter();
  spare = undefined;
  try {
    writer.reset();
    write(writer);
    return writer.copy();
  } catch (error) {
    throw inRecord(error, record);
  } finally {
    spare = writer;
  }
}

export class MsgpackWriter {
  private bytes = new Uint8Array(INITIAL_BYTES);
  private view = new DataView(this.bytes.buffer);
  private used = 0;
  private depth = 0;
  private elementsLeft = ELEMENTS_MAX;

  reset(): void {
    if (this.bytes.length > KEPT_BYTES_MAX) this.resize(INITIAL_BYTES);
    this.used = 0;
    this.depth = 0;
    this.elementsLeft = ELEMENTS_MAX;
  }

  copy(): Uint8Array {
    return this.bytes.slice(0, this.used);
  }

  nil(): void {
    this.byte(0xc0);
  }

  boolean(value: boolean): void {
    this.byte(value ? 0xc3 : 0xc2);
  }

  /** The shortest form, as Go writes a plain `int`. */
  integer(value: number): void {
    if (value >= 0) this.unsigned(value);
    else this.negative(value);
  }

  /** Go's int64 and durations: nine bytes, whatever the value. */
  int64(value: bigint): void {
    if (value < INT64_MIN || value > INT64_MAX) throw flaw('does not fit 64 bits');
    this.put64(0xd3, value);
  }

  /** Go's uint64, epochs and revisions: nine bytes, whatever the value. */
  uint64(value: bigint): void {
    if (value < 0n || value > UINT64_MAX) throw flaw('does not fit 64 bits without a sign');
    this.put64(0xcf, value);
  }

  float64(value: number): void {
    const at = this.marked(0xcb, 8);
    this.view.setFloat64(at, value);
  }

  text(value: string): void {
    if (value.length < 32 && this.shortAscii(value)) return;
    const bytes = utf8.encode(value);
    if (bytes.length < 32) this.byte(0xa0 | bytes.length);
    else this.lengthHeader(bytes.length, 0xd9, 0xda, 0xdb);
    this.append(bytes);
  }

  binary(value: Uint8Array): void {
    this.lengthHeader(value.length, 0xc4, 0xc5, 0xc6);
    this.append(value);
  }

  /** Extension -1 in the shortest of its three forms that holds the time. */
  time(value: UnixNanos): void {
    if (!isTimeInRange(value)) throw flaw('is a time outside year 1 to 9999');
    const seconds = floorDiv(value, NANOS_PER_SECOND);
    const nanos = value - seconds * NANOS_PER_SECOND;
    if (seconds < 0n || seconds >= 2n ** 34n) {
      this.byte(0xc7);
      this.byte(12);
      this.put32(0xff, Number(nanos));
      const at = this.take(8);
      this.view.setBigInt64(at, seconds);
    } else if (nanos === 0n && seconds < 2n ** 32n) {
      this.byte(0xd6);
      this.put32(0xff, Number(seconds));
    } else {
      this.byte(0xd7);
      this.put64(0xff, (nanos << 34n) | seconds);
    }
  }

  /** Begins a list; `leave` after its items. */
  enterArray(length: number): void {
    this.enter(length);
    if (length < 16) this.byte(0x90 | length);
    else this.lengthHeader(length, undefined, 0xdc, 0xdd);
  }

  /** Begins a map; `leave` after its keys and values. */
  enterMap(size: number): void {
    this.enter(size);
    if (size < 16) this.byte(0x80 | size);
    else this.lengthHeader(size, undefined, 0xde, 0xdf);
  }

  leave(): void {
    this.depth--;
  }

  /** One value that is encoded already; refused when it is not one, or breaks a limit of the whole message. */
  encoded(bytes: Uint8Array): void {
    const reader = new MsgpackReader(bytes, this.depth, this.elementsLeft);
    reader.skipValue();
    reader.end();
    this.elementsLeft = reader.elementsLeft;
    this.append(bytes);
  }

  private enter(length: number): void {
    if (++this.depth > DEPTH_MAX) throw flaw(`is nested more than ${DEPTH_MAX} deep`);
    this.elementsLeft -= length;
    if (this.elementsLeft < 0) throw flaw(`has more than ${ELEMENTS_MAX} elements in all`);
  }

  private unsigned(value: number): void {
    if (value < 0x80) this.byte(value);
    else if (value <= 0xff) this.put8(0xcc, value);
    else if (value <= 0xffff) this.put16(0xcd, value);
    else if (value <= 0xffff_ffff) this.put32(0xce, value);
    else this.put64(0xcf, BigInt(value));
  }

  private negative(value: number): void {
    if (value >= -32) this.byte(value & 0xff);
    else if (value >= -0x80) this.put8(0xd0, value);
    else if (value >= -0x8000) this.put16(0xd1, value);
    else if (value >= -0x8000_0000) this.put32(0xd2, value);
    else this.put64(0xd3, BigInt(value));
  }

  /** Most keys and names: no detour over the text encoder. False, and nothing written, when it is not ASCII. */
  private shortAscii(value: string): boolean {
    const start = this.used;
    let at = this.take(1 + value.length);
    this.bytes[at++] = 0xa0 | value.length;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) {
        this.used = start;
        return false;
      }
      this.bytes[at++] = code;
    }
    return true;
  }

  private lengthHeader(length: number, one: number | undefined, two: number, four: number): void {
    if (one !== undefined && length <= 0xff) this.put8(one, length);
    else if (length <= 0xffff) this.put16(two, length);
    else this.put32(four, length);
  }

  // A marker and its payload. Room is made before `view` is read, because making room may replace it. Negative values
  // are written as their two's complement.
  private put8(marker: number, value: number): void {
    const at = this.marked(marker, 1);
    this.view.setUint8(at, value);
  }

  private put16(marker: number, value: number): void {
    const at = this.marked(marker, 2);
    this.view.setUint16(at, value);
  }

  private put32(marker: number, value: number): void {
    const at = this.marked(marker, 4);
    this.view.setUint32(at, value);
  }

  private put64(marker: number, value: bigint): void {
    const at = this.marked(marker, 8);
    this.view.setBigUint64(at, value);
  }

  private append(bytes: Uint8Array): void {
    const at = this.take(bytes.length);
    this.bytes.set(bytes, at);
  }

  private byte(value: number): void {
    const at = this.take(1);
    this.bytes[at] = value;
  }

  /** Writes a marker and returns where its `size` bytes of payload go. */
  private marked(marker: number, size: number): number {
    const at = this.take(1 + size);
    this.bytes[at] = marker;
    return at + 1;
  }

  /** Makes room for `count` bytes and returns where they begin. */
  private take(count: number): number {
    const at = this.used;
    const needed = at + count;
    if (needed > MESSAGE_BYTES_MAX) throw flaw(`is larger than ${MESSAGE_BYTES_MAX} bytes`);
    if (needed > this.bytes.length) this.resize(Math.max(needed, 2 * this.bytes.length));
    this.used = needed;
    return at;
  }

  private resize(size: number): void {
    const bytes = new Uint8Array(size);
    bytes.set(this.bytes.subarray(0, Math.min(this.used, size)));
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }
}

/** Writes untyped data. Text becomes `str`, bytes become `bin`; what JavaScript has beyond WireValue is refused. */
export function writeValue(writer: MsgpackWriter, value: WireValue, sorted = false): void {
  if (value === null) writer.nil();
  else if (typeof value === 'boolean') writer.boolean(value);
  else if (typeof value === 'string') writer.text(value);
  else if (typeof value === 'number') writeNumber(writer, value);
  else if (typeof value === 'bigint') writeBigInt(writer, value);
  else if (value instanceof Uint8Array) writer.binary(value);
  else if (value instanceof WireTime) writer.time(value.unixNanos);
  else if (isList(value)) writeList(writer, value, sorted);
  else if (isWireMap(value)) writeMap(writer, value, sorted);
  else throw flaw('is not a value that can be sent');
}

function writeNumber(writer: MsgpackWriter, value: number): void {
  // Minus zero has no integer form.
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) writer.integer(value);
  else writer.float64(value);
}

function writeBigInt(writer: MsgpackWriter, value: bigint): void {
  if (value > INT64_MAX) writer.uint64(value);
  else writer.int64(value);
}

function writeList(writer: MsgpackWriter, list: readonly WireValue[], sorted: boolean): void {
  writer.enterArray(list.length);
  let index = 0;
  try {
    for (; index < list.length; index++) writeValue(writer, list[index] as WireValue, sorted);
  } catch (error) {
    throw atStep(error, indexStep(index));
  }
  writer.leave();
}

function writeMap(writer: MsgpackWriter, map: WireMap, sorted: boolean): void {
  const keys = Object.keys(map);
  if (sorted) keys.sort();
  writer.enterMap(keys.length);
  let key = '';
  try {
    for (key of keys) {
      writeKey(writer, key);
      writeValue(writer, map[key] as WireValue, sorted);
    }
  } catch (error) {
    throw atStep(error, keyStep(key));
  }
  writer.leave();
}

/** A key of a map whose keys are data. */
export function writeKey(writer: MsgpackWriter, key: string): void {
  if (key === FORBIDDEN_KEY) throw flaw('is a key that is not allowed');
  writer.text(key);
}

function isList(value: WireValue): value is readonly WireValue[] {
  return Array.isArray(value);
}
