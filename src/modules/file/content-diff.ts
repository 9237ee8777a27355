/**
 * `contentDiff` shows people what changes in the content of a file: a unified diff of texts, sizes and hashes of
 * anything else.
 */
import { unifiedDiff } from '../../core/diff/unified-diff.ts';
import { digest } from '../../runtime/digest.ts';

export interface ContentChange {
  readonly path: string;
  /** Undefined: there was no file. */
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

export function contentDiff({ path, before = NO_BYTES, after }: ContentChange): string {
  const [old, fresh] = [utf8Text(before), utf8Text(after)];
  if (old !== undefined && fresh !== undefined) return unifiedDiff(old, fresh, { path });
  return `content ${bytesText(before)} → ${bytesText(after)}`;
}

/** Undefined where it is not text: a NUL in it, or not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

const NO_BYTES = new Uint8Array();
const HASH_CHARS = 12;

function bytesText(bytes: Uint8Array): string {
  const hash = Buffer.from(digest('sha256', bytes)).toString('hex').slice(0, HASH_CHARS);
  return `${bytes.length} bytes, sha256 ${hash}`;
}
