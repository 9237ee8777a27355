/**
 * `readByLastWrite` reads a bucket backwards: keys by their last write, the newest first, and no further than somebody
 * wants to know. So the first few of a hundred thousand cost as much as the first few of a hundred.
 *
 * A bucket's stream is in the order of writing. It is read in windows from its end; of each key the first write that is
 * met is its last. Within a window `PIECES` stretches are read at once, each forwards, because the store can only tell what
 * comes next. Windows grow, because who is not content with the newest may want them all.
 *
 * Complete by the leader's word as to where the end is; a replica that lags is helped out by the leader. A key that is
 * written while we read is given as it was, or left out where the bucket keeps no older value.
 */
import { kvStreamName } from '../../wire/names/store-subjects.ts';
import type { BusParts } from '../bus-parts.ts';
import type { KvEntry, StoredMessage } from '../port.ts';
import { readRange } from '../stream/stream-read.ts';
import { keyOf, readOf } from './kv-read.ts';

const PIECES = 16;
const PIECE_SEQUENCES = 16;
const PIECE_SEQUENCES_MAX = 256;

/** `filter` is a subject of the bucket. Ends when `visit` answers false, or when there is no more. */
export async function readByLastWrite(
  { api }: Pick<BusParts, 'api'>,
  bucket: string,
  filter: string,
  visit: (entry: KvEntry) => boolean,
): Promise<void> {
  const stream = kvStreamName(bucket);
  const newest = await api.leaderSelect(stream, { last_by_subj: filter });
  if (newest === undefined) return;
  const askNext = async (seq: number) => {
    const select = { seq, next_by_subj: filter };
    return (await api.directSelect(stream, select)) ?? (await api.leaderSelect(stream, select));
  };
  const oldest = (await askNext(1))?.sequence ?? newest.sequence;
  const seen = new Set<string>();
  let length = PIECE_SEQUENCES;
  for (let last = newest.sequence; last >= oldest; ) {
    const first = Math.max(oldest, last - PIECES * length + 1);
    for (const message of await readWindow(askNext, { first, last, length })) {
      const key = keyOf(bucket, message.subject);
      if (seen.has(key)) continue;
      seen.add(key);
      const read = readOf(key, message);
      if (read.found && !visit(read)) return;
    }
    last = first - 1;
    length = Math.min(2 * length, PIECE_SEQUENCES_MAX);
  }
}

/** The newest first. */
async function readWindow(
  askNext: (seq: number) => Promise<StoredMessage | undefined>,
  window: { readonly first: number; readonly last: number; readonly length: number },
): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  const pieces: Promise<void>[] = [];
  for (let first = window.first; first <= window.last; first += window.length) {
    const last = Math.min(window.last, first + window.length - 1);
    pieces.push(readRange(askNext, { first, last }, (message) => found.push(message)));
  }
  await Promise.all(pieces);
  return found.sort((a, b) => b.sequence - a.sequence);
}
