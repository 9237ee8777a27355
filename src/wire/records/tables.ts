/**
 * Tables say which record stands in which bucket under which keys. A bucket is one table, or holds several under keys
 * that do not overlap (`jobs` has the records and their index). Who reads and writes is told by the bucket
 * (names/buckets.ts); `bus/kv/table.ts` opens a table.
 */
import type { Codec } from '../msgpack/codec.ts';
import type { WireMap } from '../msgpack/wire-value.ts';
import { BUCKETS, type BucketSpec } from '../names/buckets.ts';
import {
  type ChallengeId,
  type EnrollmentId,
  type Jid,
  type JoinTokenId,
  type MasterId,
  type PeelId,
  parseChallengeId,
  parseEnrollmentId,
  parseJid,
  parseJoinTokenId,
  parseMasterId,
  parsePeelId,
} from '../names/ids.ts';
import {
  ACCOUNT_DOCS_KEY,
  ACTIVE_JOBS_PATTERN,
  AGENTS_GENERATIONS_PATTERN,
  ALL_ENROLLMENTS_PATTERN,
  ALL_JOBS_PATTERN,
  activeJobKey,
  agentsGenerationKey,
  FLEET_GENERATIONS_PATTERN,
  generationKey,
  jobKey,
  jobReturnKey,
  parseActiveJobKey,
  parseAgentsGenerationKey,
  parseGenerationKey,
  parseJobReturnKey,
} from '../names/keys.ts';
import { type AccountDocs, accountDocsCodec } from './enroll/account-docs.ts';
import {
  type EnrollChallenge,
  type Enrollment,
  enrollChallengeCodec,
  enrollmentCodec,
} from './enroll/enrollment.ts';
import { type FloodBan, floodBanCodec } from './enroll/flood-ban.ts';
import { type JoinToken, joinTokenCodec } from './enroll/join-token.ts';
import { type PeelTags, peelTagsCodec } from './enroll/peel-tags.ts';
import { factsCodec } from './facts.ts';
import { type AgentsGeneration, agentsGenerationCodec } from './fleet-key/agents-keys.ts';
import { type FleetGeneration, fleetGenerationCodec } from './fleet-key/fleet-keys.ts';
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
    filter: EVERY_TOKEN,
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
  fleetGenerations: table<number, FleetGeneration>({
    bucket: BUCKETS.fleetKeys,
    filter: FLEET_GENERATIONS_PATTERN,
    codec: fleetGenerationCodec,
    keyOf: generationKey,
    idOf: parseGenerationKey,
  }),
  agentsGenerations: table<number, AgentsGeneration>({
    bucket: BUCKETS.fleetKeys,
    filter: AGENTS_GENERATIONS_PATTERN,
    codec: agentsGenerationCodec,
    keyOf: agentsGenerationKey,
    idOf: parseAgentsGenerationKey,
  }),
  enrollments: table<EnrollmentId, Enrollment>({
    bucket: BUCKETS.enrollments,
    filter: ALL_ENROLLMENTS_PATTERN,
    codec: enrollmentCodec,
    keyOf: (id) => id,
    idOf: parseEnrollmentId,
  }),
  enrollChallenges: table<ChallengeId, EnrollChallenge>({
    bucket: BUCKETS.enrollChallenges,
    filter: EVERY_KEY,
    codec: enrollChallengeCodec,
    keyOf: (id) => id,
    idOf: parseChallengeId,
  }),
  joinTokens: table<JoinTokenId, JoinToken>({
    bucket: BUCKETS.joinTokens,
    filter: EVERY_KEY,
    codec: joinTokenCodec,
    keyOf: (id) => id,
    idOf: parseJoinTokenId,
  }),
  peelTags: table<PeelId, PeelTags>({
    bucket: BUCKETS.peelTags,
    filter: EVERY_KEY,
    codec: peelTagsCodec,
    keyOf: (peel) => peel,
    idOf: parsePeelId,
  }),
  floodBans: table<PeelId, FloodBan>({
    bucket: BUCKETS.floodGuard,
    filter: EVERY_KEY,
    codec: floodBanCodec,
    keyOf: (peel) => peel,
    idOf: parsePeelId,
  }),
  accountDocs: table<typeof ACCOUNT_DOCS_KEY, AccountDocs>({
    bucket: BUCKETS.accountDocs,
    filter: EVERY_KEY,
    codec: accountDocsCodec,
    keyOf: () => ACCOUNT_DOCS_KEY,
    idOf: (key) => (key === ACCOUNT_DOCS_KEY ? key : undefined),
  }),
} as const;

function table<Id, T>(spec: TableSpec<Id, T>): TableSpec<Id, T> {
  return spec;
}
