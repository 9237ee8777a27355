/**
 * A cursor is the bytes of a message and a place in them; it reads markers, lengths, numbers and text, and knows nothing of
 * values (msgpack-decode.ts). It never moves past the end: whatever would is a WireError, before anything is made.
 */
import { flaw } from './wire-error.ts';

/** Longest text that is read character by character; longer ones pay for the text decoder. */
const SHORT_TEXT_BYTES = 16;

// A byte order mark is text like any other: without ignoreBOM it would be swallowed.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export class MsgpackCursor {
  protected readonly bytes: Uint8Array;
  protected readonly view: DataView;
  protected at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Every message is one value and nothing after it. */
  end(): void {
    if (this.at !== this.bytes.length) throw flaw('has more bytes than its value');
  }

  protected peek(): number {
    const marker = this.bytes[this.at];
    if (marker === undefined) throw flaw('ends too early');
    return marker;
  }

  protected byte(): number {
    const marker = this.peek();
    this.at++;
    return marker;
  }

  /** Moves over `count` bytes and returns where they begin. */
  protected skip(count: number): number {
    const start = this.at;
    if (count > this.bytes.length - start) throw flaw('ends too early');
    this.at = start + count;
    return start;
  }

  protected numberAfter(marker: number): number | bigint | undefined {
    if (marker < 0x80) return marker;
    if (marker >= 0xe0) return marker - 0x100;
    switch (marker) {
      case 0xcc:
        return this.view.getUint8(this.skip(1));
      case 0xcd:
        return this.view.getUint16(this.skip(2));
      case 0xce:
        return this.view.getUint32(this.skip(4));
      case 0xcf:
        return folded(this.view.getBigUint64(this.skip(8)));
      case 0xd0:
        return this.view.getInt8(this.skip(1));
      case 0xd1:
        return this.view.getInt16(this.skip(2));
      case 0xd2:
        return this.view.getInt32(this.skip(4));
      case 0xd3:
        return folded(this.view.getBigInt64(this.skip(8)));
      default:
        return undefined;
    }
  }

  protected isText(marker: number): boolean {
    return (marker >= 0xa0 && marker < 0xc0) || (marker >= 0xd9 && marker <= 0xdb);
  }

  protected textLength(marker: number): number | undefined {
    if (marker >= 0xa0 && marker < 0xc0) return marker - 0xa0;
    return marker >= 0xd9 && marker <= 0xdb ? this.length(marker - 0xd9) : undefined;
  }

  protected binaryLength(marker: number): number | undefined {
    return marker >= 0xc4 && marker <= 0xc6 ? this.length(marker - 0xc4) : undefined;
  }

  protected arrayLength(marker: number): number | undefined {
    if (marker >= 0x90 && marker < 0xa0) return marker - 0x90;
    return marker === 0xdc || marker === 0xdd ? this.length(marker - 0xdb) : undefined;
  }

  protected mapSize(marker: number): number | undefined {
    if (marker >= 0x80 && marker < 0x90) return marker - 0x80;
    return marker === 0xde || marker === 0xdf ? this.length(marker - 0xdd) : undefined;
  }

  /** Length of the payload, which follows one byte of type. */
  protected extensionLength(marker: number): number | undefined {
    if (marker >= 0xd4 && marker <= 0xd8) return 1 << (marker - 0xd4);
    return marker >= 0xc7 && marker <= 0xc9 ? this.length(marker - 0xc7) : undefined;
  }

  /** A length of 1, 2 or 4 bytes, by the marker's place among its kind. */
  protected length(place: number): number {
    if (place === 0) return this.view.getUint8(this.skip(1));
    return place === 1 ? this.view.getUint16(this.skip(2)) : this.view.getUint32(this.skip(4));
  }

  protected textOf(length: number): string {
    const start = this.skip(length);
    if (length > SHORT_TEXT_BYTES) return utf8.decode(this.bytes.subarray(start, start + length));
    let text = '';
    for (let i = start; i < start + length; i++) {
      const code = this.bytes[i] as number;
      if (code > 0x7f) return utf8.decode(this.bytes.subarray(start, start + length));
      text += String.fromCharCode(code);
    }
    return text;
  }
}

/** A number where it is exact, else the bigint itself. */
function folded(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
