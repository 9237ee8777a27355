/**
 * This file names NATS message headers: ours, and those of the server that we write or read.
 */

/** On a command, a cancel or a direct request: who vouches for it. Value: see proof-header.ts. */
export const PROOF_HEADER = 'Zester-Proof';
/** Beside a master's proof: which generation of the fleet key it was made with, as a decimal; absent for the first. */
export const GENERATION_HEADER = 'Zester-Generation';
/** On a direct request: the deadline that its proof covers, as decimal nanoseconds since 1970. */
export const DEADLINE_HEADER = 'Zester-Deadline';

/** On a JetStream publish: the server stores one message per id within the stream's duplicate window. */
export const MESSAGE_ID_HEADER = 'Nats-Msg-Id';
/** On a JetStream publish: refuse unless the stream ends at this sequence. The fence of a log. */
export const EXPECTED_LAST_SEQUENCE_HEADER = 'Nats-Expected-Last-Sequence';
/** On a JetStream publish: refuse unless the subject's newest message has this sequence. Compare-and-set of a key. */
export const EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER = 'Nats-Expected-Last-Subject-Sequence';
/** On a JetStream publish: erase what came before. Refused on every bucket that a peel can write. */
export const ROLLUP_HEADER = 'Nats-Rollup';

/** On a stored message: `DEL` or `PURGE` when the key was deleted; absent on a put. */
export const KV_OPERATION_HEADER = 'KV-Operation';

/** On a direct get answer and on a hint: the stream the message is stored in. */
export const STREAM_HEADER = 'Nats-Stream';
/** On a direct get answer and on a hint: the subject it is stored under. */
export const SUBJECT_HEADER = 'Nats-Subject';
/** On a direct get answer and on a hint: its sequence, which is the revision of a key. */
export const SEQUENCE_HEADER = 'Nats-Sequence';
/** On a direct get answer and on a hint: when it was stored. */
export const TIME_STAMP_HEADER = 'Nats-Time-Stamp';
/** On a hint: the sequence of the message before it on the same subject. */
export const LAST_SEQUENCE_HEADER = 'Nats-Last-Sequence';
