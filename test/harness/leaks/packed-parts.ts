/**
 * `packedParts` finds what is compressed somewhere in some bytes, and unpacks it: gzip, zlib, deflate in ZIP archives, and bare
 * deflate where the bytes begin with it. Checksums are not looked at; a stream that is cut or damaged gives what comes
 * before.
 *
 * What is packed in a way that we cannot unpack (snappy and S2, which a NATS store may be set to; xz, bzip2, zstd) is told
 * as such: a scan must not call bytes clean that it could not read.
 */
import { constants, inflateRawSync } from 'node:zlib';

export interface PackedPart {
  /** For people: `gzip`. */
  readonly packing: string;
  readonly offset: number;
  /** Undefined: it cannot be unpacked here, or is larger than `UNPACKED_BYTES_MAX`. */
  readonly bytes: Uint8Array | undefined;
}

/** More is not unpacked, and told as what cannot be read. */
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;
/** Fewer have no room for a piece of a secret. */
const DEFLATED_BYTES_MIN = 8;
const GZIP = { head: [0x1f, 0x8b, 0x08], headBytes: 10, extra: 0x04, name: 0x08, comment: 0x10, check: 0x02 };
const ZIP = { head: [0x50, 0x4b, 0x03, 0x04], headBytes: 30, deflated: 8 };
const ZLIB_METHOD = 0x78;
const ZLIB_CHECK = 31;
/** It needs a dictionary that only its reader has. */
const ZLIB_DICTIONARY = 0x20;

/** `anywhere: false`: too short to be told from other bytes, unless the bytes begin with it. */
const UNREADABLE: readonly { packing: string; head: Buffer; anywhere: boolean }[] = [
  { packing: 'snappy', head: Buffer.from('\xff\x06\x00\x00sNaPpY', 'latin1'), anywhere: true },
  { packing: 'S2', head: Buffer.from('\xff\x06\x00\x00S2sTwO', 'latin1'), anywhere: true },
  { packing: 'xz', head: Buffer.from('\xfd7zXZ\x00', 'latin1'), anywhere: true },
  { packing: 'bzip2', head: Buffer.from('\x31\x41\x59\x26\x53\x59', 'latin1'), anywhere: true },
  { packing: 'zstd', head: Buffer.from('\x28\xb5\x2f\xfd', 'latin1'), anywhere: false },
  // What a nats-server begins a block of a compressed stream with.
  { packing: 'a compressed NATS block', head: Buffer.from('cmp\x02', 'latin1'), anywhere: false },
];

/** `isBare`: bytes that may begin with bare deflate, which many bytes seem to be by chance. */
export function* packedParts(bytes: Uint8Array, isBare: boolean): Generator<PackedPart> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  yield* unreadableParts(buffer);
  const whole = isBare ? inflated(buffer) : 'no';
  if (whole !== 'no') yield { packing: 'deflate', offset: 0, bytes: whole };
  for (let offset = 0; offset + 2 < buffer.length; offset++) {
    const start = startAt(buffer, offset);
    if (start === undefined) continue;
    const unpacked = inflated(buffer.subarray(start.at));
    if (unpacked !== 'no') yield { packing: start.packing, offset, bytes: unpacked };
  }
}

function* unreadableParts(buffer: Buffer): Generator<PackedPart> {
  for (const { packing, head, anywhere } of UNREADABLE) {
    const offset = buffer.indexOf(head);
    if (offset === 0 || (offset > 0 && anywhere)) yield { packing, offset, bytes: undefined };
  }
}

/** Where the deflated bytes begin, if a head stands here. */
function startAt(buffer: Buffer, offset: number): { packing: string; at: number } | undefined {
  const first = buffer[offset];
  if (first === GZIP.head[0]) return startOf('gzip', gzipStart(buffer, offset));
  if (first === ZIP.head[0]) return startOf('ZIP', zipStart(buffer, offset));
  if (first === ZLIB_METHOD) return startOf('zlib', zlibStart(buffer, offset));
  return undefined;
}

function startOf(packing: string, at: number | undefined): { packing: string; at: number } | undefined {
  return at === undefined ? undefined : { packing, at };
}

function beginsWith(buffer: Buffer, offset: number, head: readonly number[]): boolean {
  return head.every((byte, at) => buffer[offset + at] === byte);
}

function gzipStart(buffer: Buffer, offset: number): number | undefined {
  if (!beginsWith(buffer, offset, GZIP.head)) return undefined;
  const flags = buffer[offset + 3] ?? 0;
  let at = offset + GZIP.headBytes;
  if ((flags & GZIP.extra) !== 0) at += 2 + (buffer[at] ?? 0) + 256 * (buffer[at + 1] ?? 0);
  for (const text of [GZIP.name, GZIP.comment]) {
    if ((flags & text) === 0) continue;
    const end = buffer.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  return (flags & GZIP.check) === 0 ? at : at + 2;
}

function zipStart(buffer: Buffer, offset: number): number | undefined {
  if (!beginsWith(buffer, offset, ZIP.head) || offset + ZIP.headBytes > buffer.length) return undefined;
  if (buffer.readUInt16LE(offset + 8) !== ZIP.deflated) return undefined;
  return offset + ZIP.headBytes + buffer.readUInt16LE(offset + 26) + buffer.readUInt16LE(offset + 28);
}

function zlibStart(buffer: Buffer, offset: number): number | undefined {
  const flags = buffer[offset + 1] ?? 0;
  const isHead = (ZLIB_METHOD * 256 + flags) % ZLIB_CHECK === 0 && (flags & ZLIB_DICTIONARY) === 0;
  return isHead ? offset + 2 : undefined;
}

/** `no`: these bytes are not deflated. What follows the end of a stream, or is damaged in it, is left out. */
function inflated(packed: Buffer): Uint8Array | undefined | 'no' {
  const whole = tryInflate(packed);
  if (whole !== 'damaged') return whole === undefined || whole.length > 0 ? whole : 'no';
  // The longest part from the start that has no damage in it.
  let [good, bad] = [0, packed.length];
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (tryInflate(packed.subarray(0, middle)) === 'damaged') bad = middle;
    else good = middle;
    // Bytes that only look like a head fail within their first few.
    if (bad <= DEFLATED_BYTES_MIN) return 'no';
  }
  const start = tryInflate(packed.subarray(0, good));
  return start === undefined || (start !== 'damaged' && start.length > 0) ? start : 'no';
}

/** Undefined: too large. */
function tryInflate(packed: Buffer): Uint8Array | 'damaged' | undefined {
  try {
    return inflateRawSync(packed, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: UNPACKED_BYTES_MAX,
    });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : 'damaged';
  }
}
