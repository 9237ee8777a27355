/**
 * This decoder reads MessagePack that a stranger wrote. Whatever the bytes are, the outcome is a value or a WireError,
 * in time and memory bounded by their length: claimed lengths are checked against what is left before anything is made,
 * nesting stops at DEPTH_MAX, items are counted over the whole message.
 *
 * Text that is not UTF-8 is read with replacement characters, since a command's output may hold any byte. Maps have
 * string keys, each once. Of the extension types only the timestamp exists.
 */
import { DEPTH_MAX, ELEMENTS_MAX, MESSAGE_BYTES_MAX, TEXT_BYTES_MAX } from '../names/limits.ts';
import { MsgpackCursor } from './msgpack-cursor.ts';
import { isTimeInRange, NANOS_PER_SECOND, parseRfc3339, type UnixNanos, WireTime } from './time.ts';
import { atStep, flaw, indexStep, inRecord, keyStep } from './wire-error.ts';
import { FORBIDDEN_KEY, type WireMap, type WireValue } from './wire-value.ts';

const TIME_EXTENSION = -1;

/** One value of untyped data that is a message of its own. */
export function decodeValue(bytes: Uint8Array): WireValue {
  return decodeWith('value', bytes, (reader) => reader.value());
}

/** Runs `read` over the bytes, all of which it must use. Errors get the name of the record. */
export function decodeWith<T>(record: string, bytes: Uint8Array, read: (reader: MsgpackReader) => T): T {
  try {
    if (bytes.length > MESSAGE_BYTES_MAX) throw flaw(`is larger than ${MESSAGE_BYTES_MAX} bytes`);
    const reader = new MsgpackReader(bytes);
    const value = read(reader);
    reader.end();
    return value;
  } catch (error) {
    throw inRecord(error, record);
  }
}

/** Reads one message from front to back. */
export class MsgpackReader extends MsgpackCursor {
  private depth: number;
  /** How many more items and entries the message may have. */
  elementsLeft: number;

  /** Starts in the middle of another message when depth and rest of that message are given. */
  constructor(bytes: Uint8Array, depth = 0, elementsLeft: number = ELEMENTS_MAX) {
    super(bytes);
    this.depth = depth;
    this.elementsLeft = elementsLeft;
  }

  /** Consumes a nil if one is next. */
  nil(): boolean {
    if (this.peek() !== 0xc0) return false;
    this.at++;
    return true;
  }

  boolean(): boolean {
    const marker = this.byte();
    if (marker !== 0xc2 && marker !== 0xc3) throw flaw('is not a boolean');
    return marker === 0xc3;
  }

  /** Any integer form; a bigint only where a number would not be exact. */
  integer(): number | bigint {
    const value = this.numberAfter(this.byte());
    if (value === undefined) throw flaw('is not an integer');
    return value;
  }

  text(bytesMax: number = TEXT_BYTES_MAX): string {
    const length = this.textLength(this.byte());
    if (length === undefined) throw flaw('is not text');
    if (length > bytesMax) throw flaw(`is longer than ${bytesMax} bytes`);
    return this.textOf(length);
  }

  /** A copy: the message's buffer may be reused by whoever delivered it. */
  binary(bytesMax: number): Uint8Array {
    const length = this.binaryLength(this.byte());
    if (length === undefined) throw flaw('is not bytes');
    if (length > bytesMax) throw flaw(`is longer than ${bytesMax} bytes`);
    const start = this.skip(length);
    return this.bytes.slice(start, start + length);
  }

  /** The extension, or what Go also takes for a time: `[seconds, nanoseconds]` and RFC 3339 text. */
  time(): UnixNanos {
    const marker = this.peek();
    if (marker === 0x92) return this.pairTime();
    if (this.isText(marker)) {
      const time = parseRfc3339(this.text());
      if (time === undefined) throw flaw('is not a time');
      return time;
    }
    this.at++;
    const length = this.extensionLength(marker);
    if (length === undefined) throw flaw('is not a time');
    return this.extensionTime(length);
  }

  /** Begins a list and returns its length; `leave` after its items. */
  enterArray(lengthMax: number = ELEMENTS_MAX): number {
    const length = this.arrayLength(this.byte());
    if (length === undefined) throw flaw('is not a list');
    if (length > lengthMax) throw flaw(`has more than ${lengthMax} items`);
    this.enter(length, 1);
    return length;
  }

  /** Begins a map and returns its size; `leave` after its keys and values. */
  enterMap(sizeMax: number = ELEMENTS_MAX): number {
    const size = this.mapSize(this.byte());
    if (size === undefined) throw flaw('is not a map');
    if (size > sizeMax) throw flaw(`has more than ${sizeMax} entries`);
    this.enter(size, 2);
    return size;
  }

  leave(): void {
    this.depth--;
  }

  /** A key of a map whose keys are data. */
  key(): string {
    const length = this.textLength(this.byte());
    if (length === undefined) throw flaw('has a key that is not text');
    const key = this.textOf(length);
    if (key === FORBIDDEN_KEY) throw flaw('has a key that is not allowed');
    return key;
  }

  value(): WireValue {
    const marker = this.byte();
    const number = this.numberAfter(marker);
    if (number !== undefined) return number;
    const text = this.textLength(marker);
    if (text !== undefined) return this.textOf(text);
    switch (marker) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xca:
        return this.view.getFloat32(this.skip(4));
      case 0xcb:
        return this.view.getFloat64(this.skip(8));
    }
    const size = this.mapSize(marker);
    if (size !== undefined) return this.mapOf(size);
    const length = this.arrayLength(marker);
    if (length !== undefined) return this.listOf(length);
    const binary = this.binaryLength(marker);
    if (binary !== undefined) {
      const start = this.skip(binary);
      return this.bytes.slice(start, start + binary);
    }
    const extension = this.extensionLength(marker);
    if (extension !== undefined) return new WireTime(this.extensionTime(extension));
    throw flaw('has a marker that does not exist');
  }

  /** Passes over one value without keeping it, with every check that `value` makes except keys that come twice. */
  skipValue(): void {
    const marker = this.byte();
    if (this.numberAfter(marker) !== undefined) return;
    if (marker === 0xc0 || marker === 0xc2 || marker === 0xc3) return;
    if (marker === 0xca || marker === 0xcb) {
      this.skip(marker === 0xca ? 4 : 8);
      return;
    }
    const flat = this.textLength(marker) ?? this.binaryLength(marker);
    if (flat !== undefined) {
      this.skip(flat);
      return;
    }
    const size = this.mapSize(marker);
    const length = this.arrayLength(marker);
    const extension = this.extensionLength(marker);
    if (size !== undefined) this.skipMap(size);
    else if (length !== undefined) this.skipList(length);
    else if (extension !== undefined) this.extensionTime(extension);
    else throw flaw('has a marker that does not exist');
  }

  /** One value as the bytes it is made of, checked and copied. */
  encoded(): Uint8Array {
    const start = this.at;
    this.skipValue();
    return this.bytes.slice(start, this.at);
  }

  private mapOf(size: number): WireMap {
    this.enter(size, 2);
    const map: Record<string, WireValue> = Object.create(null);
    let step = '';
    try {
      for (let i = 0; i < size; i++) {
        step = '';
        const key = this.key();
        step = keyStep(key);
        if (key in map) throw flaw('comes twice');
        map[key] = this.value();
      }
    } catch (error) {
      throw atStep(error, step);
    }
    this.leave();
    return map;
  }

  private listOf(length: number): WireValue[] {
    this.enter(length, 1);
    const list: WireValue[] = [];
    try {
      while (list.length < length) list.push(this.value());
    } catch (error) {
      throw atStep(error, indexStep(list.length));
    }
    this.leave();
    return list;
  }

  private skipMap(size: number): void {
    this.enter(size, 2);
    for (let i = 0; i < size; i++) {
      this.key();
      this.skipValue();
    }
    this.leave();
  }

  private skipList(length: number): void {
    this.enter(length, 1);
    for (let i = 0; i < length; i++) this.skipValue();
    this.leave();
  }

  private pairTime(): UnixNanos {
    this.at++;
    const time = BigInt(this.integer()) * NANOS_PER_SECOND + BigInt(this.integer());
    return checkedTime(time);
  }

  private extensionTime(length: number): UnixNanos {
    if (this.view.getInt8(this.skip(1)) !== TIME_EXTENSION) throw flaw('has an unknown extension type');
    const at = this.skip(length);
    switch (length) {
      case 4:
        return BigInt(this.view.getUint32(at)) * NANOS_PER_SECOND;
      case 8: {
        const both = this.view.getBigUint64(at);
        return checkedTime((both & 0x3_ffff_ffffn) * NANOS_PER_SECOND + (both >> 34n));
      }
      case 12:
        return checkedTime(
          this.view.getBigInt64(at + 4) * NANOS_PER_SECOND + BigInt(this.view.getUint32(at)),
        );
      default:
        throw flaw('is a time of a wrong length');
    }
  }

  /** Into a list or map. Every item takes a byte at least, so more than that cannot be true. */
  private enter(length: number, bytesPerItem: number): void {
    if (++this.depth > DEPTH_MAX) throw flaw(`is nested more than ${DEPTH_MAX} deep`);
    if (length * bytesPerItem > this.bytes.length - this.at) throw flaw('ends too early');
    this.elementsLeft -= length;
    if (this.elementsLeft < 0) throw flaw(`has more than ${ELEMENTS_MAX} elements in all`);
  }
}

function checkedTime(time: UnixNanos): UnixNanos {
  if (!isTimeInRange(time)) throw flaw('is a time outside year 1 to 9999');
  return time;
}
