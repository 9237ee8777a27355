/**
 * A leak scanner finds planted secrets in bytes of any kind: spelled in any of the ways of canary-forms.ts, cut or whole, also
 * inside of what is compressed (packed-parts.ts).
 */
import { ByteSearch } from './byte-search.ts';
import { canaryForms } from './canary-forms.ts';
import { packedParts } from './packed-parts.ts';

/** A secret that must not be found, or a value beside it that must be, to show that the scan sees. */
export interface Canary {
  /** Said in place of the value. */
  readonly name: string;
  readonly value: string;
}

export interface Leak {
  /** The name of the canary; `UNREADABLE` for bytes that cannot be looked into. */
  readonly canary: string;
  /** `base64`, `JSON in gzip at 17`. */
  readonly spelling: string;
  /** In the bytes that were given: of the secret, or of the packed part that holds it. */
  readonly offset: number;
  /** What stands around it, made printable. */
  readonly around: string;
}

export interface LeakScanner {
  /** Of each secret, spelling and packed part one leak for each place. */
  scan(bytes: Uint8Array): readonly Leak[];
}

export const UNREADABLE = 'what cannot be unpacked here';
/** Archives in archives are looked into this deep. */
const DEPTH_MAX = 3;
/** Pieces of one secret that stand closer than this are one place. */
const SAME_PLACE_BYTES = 64;
/** Of one file; the others add nothing. */
const LEAKS_MAX = 50;
const AROUND_BYTES = 60;

export function leakScanner(canaries: readonly Canary[]): LeakScanner {
  const patterns = canaries.flatMap(({ name, value }) =>
    canaryForms(value).map((form) => ({ ...form, canary: name })),
  );
  const search = new ByteSearch(patterns);

  function plainLeaks(bytes: Uint8Array): Leak[] {
    const leaks: Leak[] = [];
    const lastOffsets = new Map<string, number>();
    for (const { offset, pattern } of search.matches(bytes)) {
      const { canary, spelling } = pattern;
      const last = lastOffsets.get(canary);
      lastOffsets.set(canary, offset);
      if (last !== undefined && offset - last < SAME_PLACE_BYTES) continue;
      leaks.push({ canary, spelling, offset, around: around(bytes, offset) });
      if (leaks.length === LEAKS_MAX) break;
    }
    return leaks;
  }

  function scan(bytes: Uint8Array, depth: number): readonly Leak[] {
    const leaks = plainLeaks(bytes);
    if (depth === DEPTH_MAX) return leaks;
    for (const { packing, offset, bytes: unpacked } of packedParts(bytes, depth === 0)) {
      if (unpacked === undefined)
        leaks.push({ canary: UNREADABLE, spelling: packing, offset, around: around(bytes, offset) });
      else
        for (const leak of scan(unpacked, depth + 1))
          leaks.push({ ...leak, offset, spelling: `${leak.spelling} in ${packing}` });
    }
    return leaks.slice(0, LEAKS_MAX);
  }

  return { scan: (bytes) => scan(bytes, 0) };
}

function around(bytes: Uint8Array, offset: number): string {
  const part = bytes.subarray(Math.max(0, offset - AROUND_BYTES), offset + AROUND_BYTES);
  return Buffer.from(part)
    .toString('latin1')
    .replace(/[^ -~]+/g, '·');
}
