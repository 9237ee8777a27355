/**
 * The dedup record lists the jobs that a peel has accepted, in the file `peel-dedup.msgpack` of its data directory.
 * Written and flushed before an accepted job runs; read at start. What is in it never runs again. The oldest entries
 * make room for new ones.
 */
import { bareCodec, type Codec } from '../msgpack/codec.ts';
import { mapOf } from '../msgpack/container-types.ts';
import { epoch } from '../msgpack/field-types.ts';
import { DEDUP_ENTRIES_MAX } from '../names/limits.ts';

/** Exec epoch by job id, oldest first. */
export type DedupRecord = Readonly<Record<string, number>>;

export const dedupCodec: Codec<DedupRecord> = bareCodec(
  'DedupRecord',
  'Jobs that the peel has accepted, with their exec epoch.',
  mapOf(epoch, DEDUP_ENTRIES_MAX),
);
