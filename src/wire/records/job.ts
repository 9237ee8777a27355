/**
 * A job is one function for some targets. A client makes it and sends it on zester.dispatch; the owning master keeps it
 * under `jobs/<jid>` and alone changes it, each time by compare-and-set at the revision it last saw. Readers take the
 * epoch from the key's revision: a stored record cannot know the revision of its own writing.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { listOf, mapOf } from '../msgpack/container-types.ts';
import {
  choice,
  duration,
  epoch,
  integer,
  jid,
  name,
  optionalMasterId,
  optionalTime,
  peelId,
  text,
  time,
  valueMap,
} from '../msgpack/field-types.ts';
import type { DurationNanos, UnixNanos } from '../msgpack/time.ts';
import type { WireMap } from '../msgpack/wire-value.ts';
import type { Jid, MasterId, PeelId } from '../names/ids.ts';
import { TARGETS_MAX } from '../names/limits.ts';
import { JOB_STATUSES, type JobStatus } from './job-status.ts';

/** The protocol this code speaks. A record that says nothing (0) is compatible. */
export const PROTOCOL_VERSION = 1;

export interface Job {
  readonly jid: Jid;
  readonly function: string;
  readonly args: WireMap;
  readonly targets: readonly PeelId[];
  readonly timeout: DurationNanos;
  readonly status: JobStatus;
  readonly created: UnixNanos;
  readonly updated: UnixNanos;
  readonly user: string;
  readonly owner: MasterId | undefined;
  readonly epoch: number;
  readonly deadline: UnixNanos | undefined;
  readonly reclaimCount: number;
  readonly offlineAtDispatch: readonly PeelId[];
  readonly stateId: string;
  readonly targetExpr: string;
  readonly returnCount: number;
  readonly successCount: number;
  readonly protocol: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly execEpoch: number;
}

export const jobCodec: RecordCodec<Job> = record<Job>(
  'Job',
  'One job: what to run, where, and how far it is.',
  {
    jid: { key: 'jid', type: jid, doc: 'Made by whoever asks for the job.' },
    function: { key: 'function', type: name, doc: 'What to run: `state.apply`, `cmd.run`.' },
    args: { key: 'args', type: valueMap, doc: 'Arguments of the function.' },
    targets: {
      key: 'targets',
      type: listOf(peelId, TARGETS_MAX),
      doc: 'Resolved before dispatch; this list decides.',
    },
    timeout: { key: 'timeout', type: duration, doc: 'How long to wait for returns; 0 is 60 s.' },
    status: {
      key: 'status',
      type: choice('job status', JOB_STATUSES),
      doc: 'Where the job stands.',
    },
    created: { key: 'created', type: time, doc: 'When it was made, on the clock of the client.' },
    updated: { key: 'updated', type: time, doc: 'When the status last changed.' },
    user: {
      key: 'user',
      type: text,
      omitEmpty: true,
      doc: 'Who asked: an operator, a token, `reactor:<rule>`.',
    },
    owner: { key: 'owner', type: optionalMasterId, omitEmpty: true, doc: 'The master in charge.' },
    epoch: {
      key: 'epoch',
      type: epoch,
      omitEmpty: true,
      doc: 'Revision that fences the record. Older than the stored one.',
    },
    deadline: {
      key: 'deadline',
      type: optionalTime,
      omitEmpty: true,
      doc: 'Set at dispatch on the clock of the master.',
    },
    reclaimCount: {
      key: 'reclaim_count',
      type: integer,
      omitEmpty: true,
      doc: 'Times it was taken over from a dead master.',
    },
    offlineAtDispatch: {
      key: 'offline_at_dispatch',
      type: listOf(peelId, TARGETS_MAX),
      omitEmpty: true,
      doc: 'Targets without a heartbeat at dispatch. A hint for people, never a decision.',
    },
    stateId: {
      key: 'state_id',
      type: text,
      omitEmpty: true,
      doc: 'The bare argument of the command line; `id` of the request.',
    },
    targetExpr: {
      key: 'target_expr',
      type: text,
      omitEmpty: true,
      doc: 'The target as the operator wrote it, for audit.',
    },
    returnCount: {
      key: 'return_count',
      type: integer,
      omitEmpty: true,
      doc: 'Real returns, counted at the end.',
    },
    successCount: { key: 'success_count', type: integer, omitEmpty: true, doc: 'Of these, successes.' },
    protocol: { key: 'v', type: integer, omitEmpty: true, doc: 'Protocol of the writer; 0 was never set.' },
    metadata: {
      key: 'metadata',
      type: mapOf(text),
      omitEmpty: true,
      doc: '`source`, `schedule`, `rule`, `event_id`, `event_tag`, `reactor_depth`, `failed_reason`.',
    },
    execEpoch: {
      key: 'exec_epoch',
      type: epoch,
      omitEmpty: true,
      doc: 'Additive. Revision of the write that set `running`; every request of the job carries it, from any master.',
    },
  },
);

/** `jobs/active.<jid>`: the index of unfinished jobs. The owner writes it; orphan scans and `job active` list it. */
export interface ActiveJobEntry {
  readonly owner: MasterId | undefined;
  readonly updated: UnixNanos;
}

export const activeJobEntryCodec: RecordCodec<ActiveJobEntry> = record<ActiveJobEntry>(
  'ActiveJobEntry',
  'Says that a job is not finished.',
  {
    owner: { key: 'owner', type: optionalMasterId, doc: 'The master in charge.' },
    updated: { key: 'updated', type: time, doc: 'When the entry was written.' },
  },
);
