/**
 * A heartbeat is a sign of life. A master writes its own every 5 s under `master-heartbeat/<master>` (kept 15 s), a
 * peel every 10 s under `peel-heartbeat/<peel>` (kept 30 s). An absent key means dead or away; a failed read means
 * nothing.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { listOf } from '../msgpack/container-types.ts';
import { boolean, integer, masterId, name, optionalTime, time } from '../msgpack/field-types.ts';
import type { UnixNanos } from '../msgpack/time.ts';
import type { MasterId } from '../names/ids.ts';

export interface MasterHeartbeat {
  readonly masterId: MasterId;
  /** Not checked: for people, and a strange entry must not make a living master unreadable. */
  readonly activeJobs: readonly string[];
  readonly timestamp: UnixNanos;
  readonly leaving: boolean;
  readonly pid: number;
  readonly host: string;
  readonly bootId: string;
  readonly version: string;
  readonly since: UnixNanos | undefined;
  readonly jobs: number;
  /** Why its directories cannot be published, or are not as published; empty when nothing is wrong. */
  readonly filesProblem: string;
  /** Which of its stores take no write, or take long; empty when all is well. */
  readonly storeProblem: string;
  /** Newest generation of the fleet key that it uses; 0: it knows of none. */
  readonly fleetGeneration: number;
  /** Generation of the agents key that it signs credentials of peels with; 0: it knows of none. */
  readonly agentsGeneration: number;
}

export const masterHeartbeatCodec: RecordCodec<MasterHeartbeat> = record<MasterHeartbeat>(
  'MasterHeartbeat',
  'A master is alive.',
  {
    masterId: { key: 'master_id', type: masterId, doc: 'The master; the same as the key.' },
    activeJobs: {
      key: 'active_jobs',
      type: listOf(name),
      doc: 'Jobs it watches. May be cut; `jobs` is the count.',
    },
    timestamp: { key: 'timestamp', type: time, doc: 'When it was written.' },
    leaving: {
      key: 'leaving',
      type: boolean,
      omitEmpty: true,
      doc: 'Additive. The last one: its jobs may be adopted at once.',
    },
    pid: { key: 'pid', type: integer, omitEmpty: true, doc: 'Additive. Process id on its host.' },
    host: { key: 'host', type: name, omitEmpty: true, doc: 'Additive. Host name.' },
    bootId: {
      key: 'boot_id',
      type: name,
      omitEmpty: true,
      doc: 'Additive. Boot of that host. A master of the same boot may look whether the process is gone.',
    },
    version: { key: 'version', type: name, omitEmpty: true, doc: 'Additive. Version of the program.' },
    since: { key: 'since', type: optionalTime, omitEmpty: true, doc: 'Additive. When it started.' },
    jobs: { key: 'jobs', type: integer, omitEmpty: true, doc: 'Additive. How many jobs it watches.' },
    filesProblem: {
      key: 'files_problem',
      type: name,
      omitEmpty: true,
      doc: 'Additive. Why its source directories cannot be published, or are not as published.',
    },
    storeProblem: {
      key: 'store_problem',
      type: name,
      omitEmpty: true,
      doc: 'Additive. Which of its stores take no write, or take long.',
    },
    fleetGeneration: {
      key: 'fleet_generation',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Newest generation of the fleet key that it uses.',
    },
    agentsGeneration: {
      key: 'agents_generation',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Newest generation of the agents key that it signs credentials of peels with.',
    },
  },
);

export interface PeelHeartbeat {
  readonly timestamp: UnixNanos;
  readonly version: string;
  readonly protocol: number;
  readonly since: UnixNanos | undefined;
  /** Revisions of the published files that it has; 0 where it has none. */
  readonly statesRevision: number;
  readonly settingsRevision: number;
  /** Revision in the bucket of the sealed secrets that it has read; 0 where it has none. */
  readonly secretsRevision: number;
  /** Why it does not have the newest files or secrets; empty when nothing is wrong. */
  readonly filesProblem: string;
  /** Newest generation of the fleet key that it accepts; 0: it knows of none. */
  readonly fleetGeneration: number;
  /** Generation of the agents key that signed the credentials it is connected with; 0: it knows of none. */
  readonly agentsGeneration: number;
}

export const peelHeartbeatCodec: RecordCodec<PeelHeartbeat> = record<PeelHeartbeat>(
  'PeelHeartbeat',
  'A peel is alive.',
  {
    timestamp: { key: 'ts', type: time, doc: 'When it was written, on the clock of the peel.' },
    version: { key: 'version', type: name, omitEmpty: true, doc: 'Version of the program.' },
    protocol: { key: 'protocol', type: integer, omitEmpty: true, doc: 'Protocol it speaks.' },
    since: {
      key: 'since',
      type: optionalTime,
      omitEmpty: true,
      doc: 'Additive. When the peel started: another value is another life.',
    },
    statesRevision: {
      key: 'states_rev',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Revision of the published state files that it has.',
    },
    settingsRevision: {
      key: 'settings_rev',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Revision of the published settings files that it has.',
    },
    secretsRevision: {
      key: 'secrets_rev',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Revision of its key in bucket secrets that it has read.',
    },
    filesProblem: {
      key: 'files_problem',
      type: name,
      omitEmpty: true,
      doc: 'Additive. Why it does not have the newest files or secrets.',
    },
    fleetGeneration: {
      key: 'fleet_generation',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Newest generation of the fleet key that it accepts.',
    },
    agentsGeneration: {
      key: 'agents_generation',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Generation of the agents key that signed the credentials it is connected with; left out where there was no rotation.',
    },
  },
);
