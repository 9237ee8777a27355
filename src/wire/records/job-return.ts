/**
 * The records of a target of a job. A peel sends an Ack, unless its Return follows at once, and a Return; both may come
 * twice and late. The peel in the subject is the peel; a payload that names another is dropped. Masters keep a Row for
 * each target under `job-returns/<jid>.<peel>`: its return, or for a target that sent none an outcome and the last sign
 * of life.
 */
import { type Codec, type Fields, type RecordCodec, record } from '../msgpack/codec.ts';
import {
  boolean,
  duration,
  encoded,
  epoch,
  jid,
  name,
  optionalChoice,
  optionalField,
  optionalRecord,
  optionalTime,
  peelId,
  text,
  time,
} from '../msgpack/field-types.ts';
import type { DurationNanos, UnixNanos } from '../msgpack/time.ts';
import { WireError } from '../msgpack/wire-error.ts';
import type { EncodedValue } from '../msgpack/wire-value.ts';
import type { Jid, PeelId } from '../names/ids.ts';
import { OUTCOMES, type Outcome } from './job-status.ts';

export interface Ack {
  readonly jid: Jid;
  readonly peelId: PeelId;
  readonly timestamp: UnixNanos;
  /** What it waits behind; empty when it runs. */
  readonly behind: string;
}

/** `behind` of an ack where that is no job: a direct request of an operator. */
export const BEHIND_DIRECT = 'direct';

export const ackCodec: RecordCodec<Ack> = record<Ack>(
  'Ack',
  'The peel has accepted the job and will run it, or has started it.',
  {
    jid: { key: 'jid', type: jid, doc: 'The job.' },
    peelId: { key: 'peel_id', type: peelId, doc: 'Must be the peel of the subject.' },
    timestamp: { key: 'timestamp', type: time, doc: 'When it was written, on the clock of the peel.' },
    behind: {
      key: 'behind',
      type: name,
      omitEmpty: true,
      doc: 'Additive. The job before it in the queue of the peel, or `direct`. Absent: it runs. Another ack follows when it starts.',
    },
  },
);

/** The last that was heard of a target which has not returned. */
export interface LastProof {
  readonly acked: UnixNanos | undefined;
  readonly heartbeatAge: DurationNanos | undefined;
  /** Ownership epoch of the master that wrote the row: one that lost the job replaces no row of its successor's. */
  readonly epoch: number;
}

export const lastProofCodec: RecordCodec<LastProof> = record<LastProof>(
  'LastProof',
  'Additive. The last that was heard of a target.',
  {
    acked: {
      key: 'acked',
      type: optionalTime,
      omitEmpty: true,
      doc: 'When its ack came; absent when none did.',
    },
    heartbeatAge: {
      key: 'heartbeat_age',
      type: optionalField(duration),
      omitEmpty: true,
      doc: 'Age of its heartbeat when the row was written; absent when there was none.',
    },
    epoch: {
      key: 'epoch',
      type: epoch,
      omitEmpty: true,
      doc: 'Ownership epoch of the master that wrote the row.',
    },
  },
);

/** What a peel says of a job that it has ended, or will not run. */
export interface Return {
  readonly jid: Jid;
  readonly peelId: PeelId;
  readonly success: boolean;
  readonly returnData: EncodedValue;
  readonly error: string;
  readonly duration: DurationNanos;
  readonly timestamp: UnixNanos;
  readonly outcome: Outcome | undefined;
}

/**
 * What the store keeps of one target: its return, or what a master knows of a target that sent none. The two fields that a
 * return does not have are a master's word: a return with the mark is refused, and a proof in it is not read (`returnReader`).
 */
export interface Row extends Return {
  readonly unreachable: boolean;
  readonly proof: LastProof | undefined;
}

const common: Fields<Omit<Return, 'outcome'>> = {
  jid: { key: 'jid', type: jid, doc: 'The job.' },
  peelId: { key: 'peel_id', type: peelId, doc: 'Must be the peel of the subject.' },
  success: { key: 'success', type: boolean, doc: 'It went well. Counts only when `error` is empty.' },
  returnData: {
    key: 'return_data',
    type: encoded,
    doc: 'The ExecResponse, still encoded; nil when there is none.',
  },
  error: { key: 'error', type: text, omitEmpty: true, doc: 'Why it failed or was refused.' },
  duration: { key: 'duration', type: duration, doc: 'How long it ran, measured on the peel.' },
  timestamp: { key: 'timestamp', type: time, doc: 'When it ended.' },
};
const outcomeType = optionalChoice('outcome', OUTCOMES);
const mastersMark: Fields<Pick<Row, 'unreachable'>> = {
  unreachable: {
    key: 'unreachable',
    type: boolean,
    omitEmpty: true,
    doc: 'A master made this row: the target is silent.',
  },
};

export const returnCodec: RecordCodec<Return> = record<Return>('Return', 'What one target answered.', {
  ...common,
  outcome: {
    key: 'outcome',
    type: outcomeType,
    omitEmpty: true,
    doc: 'Additive. A peel may say `canceled` or `expired`; anything else is ignored.',
  },
});

/** The same bytes as a Return, in the order in which Go writes them. */
export const rowCodec: RecordCodec<Row> = record<Row>(
  'Row',
  'What is known of one target: a Return, and what only masters say. In Go both are one struct.',
  {
    ...common,
    ...mastersMark,
    outcome: {
      key: 'outcome',
      type: outcomeType,
      omitEmpty: true,
      doc: 'Additive. How the job stands for this target; set by masters.',
    },
    proof: {
      key: 'proof',
      type: optionalRecord(lastProofCodec),
      omitEmpty: true,
      doc: 'Additive. Set by masters.',
    },
  },
);

const markedReturn = record<Omit<Row, 'proof'>>('Return', 'A Return, with the mark that none may have.', {
  ...returnCodec.fields,
  ...mastersMark,
});

/** Reads what came as a Return: one that claims to be the row of a silent target is none. */
export const returnReader: Pick<Codec<Return>, 'name' | 'decode'> = {
  name: returnCodec.name,
  decode(bytes) {
    const marked = markedReturn.decode(bytes);
    if (marked.unreachable)
      throw new WireError(returnCodec.name, 'unreachable', 'is set, as only a master marks a row');
    const { jid, peelId, success, returnData, error, duration, timestamp, outcome } = marked;
    return { jid, peelId, success, returnData, error, duration, timestamp, outcome };
  },
};
