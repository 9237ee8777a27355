/**
 * Tables say which record stands in which bucket under which keys. A bucket is one table, or holds several under keys
 * that do not overlap (`jobs` has the records and their index). Who reads and writes is told by the bucket
 * (names/buckets.ts); `bus/kv/table.ts` opens a table.
 */
import type { Codec } from '../msgpack/codec.ts';
import type { WireMap } from '../msgpack/wire-value.ts';
import { BUCKETS, type BucketSpec } from '../names/buckets.ts';
import { type Jid, type MasterId, type PeelId, parseJid, parseMasterId, parsePeelId } from '../names/ids.ts';
import {
  ACTIVE_JOBS_PATTERN,
  ALL_JOBS_PATTERN,
  activeJobKey,
  jobKey,
  jobReturnKey,
  parseActiveJobKey,
  parseJobReturnKey,
} from '../names/keys.ts';
import { factsCodec } from './facts.ts';
import {
  type MasterHeartbeat,
  masterHeartbeatCodec,
  type PeelHeartbeat,
  peelHeartbeatCodec,
} from './heartbeat.ts';
import { type ActiveJobEntry, activeJobEntryCodec, type Job, jobCodec } from './job.ts';
import { type Row, rowCodec } from './job-return.ts';
import { type SealedSecrets, sealedSecretsCodec } from './secrets.ts';

export interface TableSpec<Id, T> {
  readonly bucket: BucketSpec;
  /** Matches every key of the table, and no other key of the bucket but those that `isOther` knows. */
  readonly filter: string;
  /** Keys that belong to something else and that no filter can leave out. The table does not see them. */
  readonly isOther?: (key: string) => boolean;
  readonly codec: Codec<T>;
  readonly keyOf: (id: Id) => string;
  /** Undefined for a key that is not one of the table's. */
  readonly idOf: (key: string) => Id | undefined;
}

/** One row: what is known of one target of one job. */
export interface RowId {
  readonly jid: Jid;
  readonly peel: PeelId;
}

const EVERY_KEY = '>';
const EVERY_TOKEN = '*';

export const TABLES = {
  jobs: table<Jid, Job>({
    bucket: BUCKETS.jobs,
    filter: ALL_JOBS_PATTERN,
    codec: jobCodec,
    keyOf: jobKey,
    idOf: parseJid,
  }),
  activeJobs: table<Jid, ActiveJobEntry>({
    bucket: BUCKETS.jobs,
    filter: ACTIVE_JOBS_PATTERN,
    codec: activeJobEntryCodec,
    keyOf: activeJobKey,
    idOf: parseActiveJobKey,
  }),
  rows: table<RowId, Row>({
    bucket: BUCKETS.jobReturns,
    filter: EVERY_KEY,
    codec: rowCodec,
    keyOf: ({ jid, peel }) => jobReturnKey(jid, peel),
    idOf: parseJobReturnKey,
  }),
  facts: table<PeelId, WireMap>({
    bucket: BUCKETS.facts,
    filter: EVERY_KEY,
    codec: factsCodec,
    keyOf: (peel) => peel,
    idOf: parsePeelId,
  }),
  peelHeartbeats: table<PeelId, PeelHeartbeat>({
    bucket: BUCKETS.peelHeartbeat,
    filter: EVERY_KEY,
    codec: peelHeartbeatCodec,
    keyOf: (peel) => peel,
    idOf: parsePeelId,
  }),
  masterHeartbeats: table<MasterId, MasterHeartbeat>({
    bucket: BUCKETS.masterHeartbeat,
    filter: EVERY_KEY,
    codec: masterHeartbeatCodec,
    keyOf: (master) => master,
    idOf: parseMasterId,
  }),
  sealedSecrets: table<PeelId, SealedSecrets>({
    bucket: BUCKETS.secrets,
    filter: EVERY_TOKEN,
    // The public keys of the account: `_master_curve_pub` and the like. No peel id begins so.
    isOther: (key) => key.startsWith('_'),
    codec: sealedSecretsCodec,
    keyOf: (peel) => peel,
    idOf: parsePeelId,
  }),
} as const;

function table<Id, T>(spec: TableSpec<Id, T>): TableSpec<Id, T> {
  return spec;
}
