/**
 * Limits are the bounds of every message. Whatever goes over one is a WireError on both sides: a sender learns it
 * before it sends, a receiver before it allocates.
 */

/** Largest message or value. NATS takes 1 MiB unless its operator allows more; nobody should allow more than this. */
export const MESSAGE_BYTES_MAX = 8 * 1_048_576;
/** Maps and lists inside one another. */
export const DEPTH_MAX = 64;
/** Items of all lists and entries of all maps of one message together. Bounds memory, which bytes alone do not. */
export const ELEMENTS_MAX = 1_000_000;
/** Function, module, file, version and host names: what is never prose. In UTF-8 bytes. */
export const NAME_BYTES_MAX = 1_024;
/** A target expression, a diff, an error text, an output. In UTF-8 bytes; the message limit binds first in practice. */
export const TEXT_BYTES_MAX = MESSAGE_BYTES_MAX;
/** Targets of one job. */
export const TARGETS_MAX = 100_000;
/** States in one answer. */
export const RESULTS_MAX = 100_000;
/** Files in one set, its revision counted as one. */
export const FILES_MAX = 100_000;
/** Content of a file as the value of its key; what is longer becomes an object. Far below the 1 MiB of a message. */
export const FILE_VALUE_BYTES_MAX = 512 * 1_024;
/** Content of any published file. Readers hold it in memory as a whole. */
export const FILE_BYTES_MAX = 16 * 1_048_576;
/** All contents of one set together. */
export const FILE_SET_BYTES_MAX = 1_024 * 1_048_576;
/** Entries of a peel's record of jobs it has accepted. */
export const DEDUP_ENTRIES_MAX = 4_096;
