/**
 * The bounds say how much the undo journal keeps. Over a bound of the whole journal the oldest changes are forgotten
 * first, until `KEEP_FRACTION` of it is left, so that this does not happen at every step. Over a bound of one file or
 * one state, the change is made all the same and is recorded as too large to keep; a revert says so and touches
 * nothing.
 */

const MIB = 1024 * 1024;

/** Of one old file. */
const OLD_FILE_BYTES_MAX = 16 * MIB;
/** Of all old files of one state in one run. */
const ENTRY_BYTES_MAX = 64 * MIB;
/** Paths that one state may change in one run. */
const ENTRY_CHANGES_MAX = 5_000;
/** Of all old files together. */
const JOURNAL_BYTES_MAX = 256 * MIB;
/** Changed paths of all states and runs together. */
const JOURNAL_CHANGES_MAX = 20_000;
export const KEEP_FRACTION = 0.75;

/** Over this many files of records they are written anew as one. */
const RECORD_FILES_MAX = 256;
/** Old contents go into files of about this size. */
export const PACK_BYTES_MAX = 32 * MIB;
/** A pack that no record names is what a crash left behind, once it is this old. */
export const ORPHAN_MS = 3_600_000;

export interface UndoBounds {
  readonly oldFileBytesMax: number;
  readonly entryBytesMax: number;
  readonly entryChangesMax: number;
  readonly journalBytesMax: number;
  readonly journalChangesMax: number;
  readonly recordFilesMax: number;
}

export const UNDO_BOUNDS: UndoBounds = {
  oldFileBytesMax: OLD_FILE_BYTES_MAX,
  entryBytesMax: ENTRY_BYTES_MAX,
  entryChangesMax: ENTRY_CHANGES_MAX,
  journalBytesMax: JOURNAL_BYTES_MAX,
  journalChangesMax: JOURNAL_CHANGES_MAX,
  recordFilesMax: RECORD_FILES_MAX,
};
