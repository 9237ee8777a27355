/**
 * `ByteSearch` finds many byte strings in one pass over some bytes. Four bytes decide at most places, by a table that
 * says whether any pattern begins with them.
 */
export interface BytePattern {
  readonly bytes: Uint8Array;
}

export interface ByteMatch<Pattern extends BytePattern> {
  readonly offset: number;
  readonly pattern: Pattern;
}

const HEAD_BYTES = 4;
const TABLE_BITS = 20;
/** The golden ratio of 32 bits, which spreads similar numbers over the table. */
const SPREADER = 0x9e3779b1;

export class ByteSearch<Pattern extends BytePattern> {
  private readonly byHead = new Map<number, Pattern[]>();
  private readonly heads = new Uint8Array(1 << TABLE_BITS);

  constructor(patterns: Iterable<Pattern>) {
    for (const pattern of patterns) {
      if (pattern.bytes.length < HEAD_BYTES) throw new Error('a pattern has at least four bytes');
      const head = Buffer.from(pattern.bytes).readUInt32BE(0);
      const alike = this.byHead.get(head);
      if (alike === undefined) this.byHead.set(head, [pattern]);
      else alike.push(pattern);
      this.heads[slotOf(head)] = 1;
    }
  }

  /** Everywhere, in order; they may overlap. */
  *matches(bytes: Uint8Array): Generator<ByteMatch<Pattern>> {
    let head = 0;
    for (let end = 0; end < bytes.length; end++) {
      head = ((head << 8) | (bytes[end] ?? 0)) >>> 0;
      const offset = end - HEAD_BYTES + 1;
      if (offset < 0 || this.heads[slotOf(head)] === 0) continue;
      for (const pattern of this.byHead.get(head) ?? [])
        if (standsAt(pattern.bytes, bytes, offset)) yield { offset, pattern };
    }
  }
}

function slotOf(head: number): number {
  return Math.imul(head, SPREADER) >>> (32 - TABLE_BITS);
}

function standsAt(pattern: Uint8Array, bytes: Uint8Array, offset: number): boolean {
  if (offset + pattern.length > bytes.length) return false;
  for (let at = HEAD_BYTES; at < pattern.length; at++) if (pattern[at] !== bytes[offset + at]) return false;
  return true;
}
