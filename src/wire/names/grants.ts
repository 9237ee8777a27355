/**
 * Grants say who may publish and subscribe what, as plain data. trust/ turns it into JWTs, the memory bus enforces it,
 * the role matrix (role-matrix.ts) is tried against a real server.
 *
 * Two accounts, because nats-server does not check the reply subject of a publish: in one account any request that a
 * peel is granted makes the server itself publish wherever the peel likes, streams deleted included. So peels live in
 * AGENTS, which has no JetStream and sees only what ZESTER exports. Masters and admins share ZESTER and are both fully
 * trusted; the difference between them only guards against mistakes.
 *
 * A peel may: publish under its own token, write its own keys, read keys that are named in the subject. It has no
 * consumers, no listing, no wildcard over other peels' private things. What is left to a hostile peel is to forge
 * messages to other peels; hence proofs on commands and cancels, and hints that are only hints.
 */

import { WireError } from '../msgpack/wire-error.ts';
import { ALL_BUCKETS, type BucketSpec, SELF } from './buckets.ts';
import { EVENT_SUBJECTS } from './event-subjects.ts';
import { parsePeelId } from './ids.ts';
import {
  accountLookupSubject,
  accountUpdateSubject,
  CLAIMS_UPDATE_SUBJECT,
  CONNECTIONS_SUBJECT,
  SERVER_SETTINGS_SUBJECT,
  serverConnectionsSubject,
  serverKickSubject,
} from './jetstream.ts';
import {
  directGetLastSubject,
  directGetSubject,
  hintSubject,
  inboxPrefix,
  kvStreamName,
  kvSubject,
  objectMetaSubject,
  objectStreamName,
} from './store-subjects.ts';
import { ALL_OBJECT_STORES } from './streams.ts';
import {
  ANY,
  commandSubject,
  DISPATCH_SUBJECT,
  directAnswerSubject,
  jobAckSubject,
  jobCancelSubject,
  jobReturnSubject,
  jobScheduleSubject,
  peelTargetResolveSubject,
  renewCredentialsSubject,
  TARGET_RESOLVE_SUBJECT,
} from './subjects.ts';

/** Allow lists. Nothing else is allowed; answering received requests is no right of its own (`resp` is off). */
export interface Permissions {
  readonly pub: readonly string[];
  readonly sub: readonly string[];
}

/** What one account lets the other see. A service is called by the importer, a stream flows to it. */
export interface AccountExport {
  readonly subject: string;
  readonly kind: 'service' | 'stream';
  readonly doc: string;
}

/**
 * Counts the changes of everything below (decision 47): account documents and credentials carry it, and whoever meets an older
 * one makes it anew. Within one major version grants only grow, so peels of the version before go on. A test keeps a
 * digest of the grants of every version: a change without another number fails there.
 */
export const GRANTS_VERSION = 2;

export const ACCOUNTS = { control: 'ZESTER', agents: 'AGENTS', system: 'SYS' } as const;

/** What the server replaces by the user's name in a scoped signing key's template. */
export const PEEL_TEMPLATE_NAME = '{{name()}}';

/** Buckets and stores that a peel can read. */
const READ_BUCKETS = ALL_BUCKETS.filter((spec) => spec.peelReads.length > 0);
const READ_STORES = ALL_OBJECT_STORES.filter((store) => store.peelReadable);
const JETSTREAM = ['$JS.>', '$KV.>', '$O.>'];
const ALL_INBOXES = inboxPrefix('>');
/** Where the server routes the answer to a request that came in through an import. */
const IMPORT_REPLIES = '_R_.>';

export const MASTER_GRANT: Permissions = {
  pub: ['zester.>', ...JETSTREAM, ALL_INBOXES, IMPORT_REPLIES],
  sub: ['zester.>', ...JETSTREAM, ALL_INBOXES],
};

export const ADMIN_GRANT: Permissions = {
  pub: [
    DISPATCH_SUBJECT,
    TARGET_RESOLVE_SUBJECT,
    'zester.cmd.>',
    'zester.job.>',
    'zester.event._admin.>',
    'zester.reactor.>',
    'zester.admin.>',
    'zester.update.>',
    ...JETSTREAM,
    ALL_INBOXES,
  ],
  sub: [
    'zester.job.>',
    'zester.direct.>',
    'zester.event.>',
    'zester.kv.>',
    'zester.update.>',
    ...JETSTREAM,
    ALL_INBOXES,
  ],
};

/**
 * In the system account: a master that pushes account JWTs and wants to know when to push them again, and `zester doctor`,
 * which asks the servers how they are set.
 */
export const SYS_GRANT: Permissions = {
  pub: [
    accountUpdateSubject(ANY),
    CLAIMS_UPDATE_SUBJECT,
    accountLookupSubject(ANY),
    SERVER_SETTINGS_SUBJECT,
    CONNECTIONS_SUBJECT,
    serverConnectionsSubject(ANY),
    serverKickSubject(ANY),
    ALL_INBOXES,
  ],
  // Whoever pushes an account is heard: it may be an older document.
  sub: ['$SYS.ACCOUNT.*.CONNECT', accountUpdateSubject(ANY), CLAIMS_UPDATE_SUBJECT, ALL_INBOXES],
};

/**
 * Exact subjects of one peel, or of all of them when `name` is the template. Any other name is refused: `*` as a name
 * would own every peel's subjects.
 */
export function peelGrant(name: string): Permissions {
  // The template stands where the id will stand; the server fills it in, after the id was checked at minting.
  const self = name === PEEL_TEMPLATE_NAME ? (name as never) : parsePeelId(name);
  if (self === undefined) throw new WireError('peel grant', 'name', 'is not a peel id');
  const own = (pattern: string) => pattern.replace(SELF, self);
  return {
    pub: [
      `zester.event.${self}.>`,
      jobAckSubject(ANY, self),
      jobReturnSubject(ANY, self),
      jobScheduleSubject(ANY, self),
      directAnswerSubject(ANY, self),
      peelTargetResolveSubject(self),
      renewCredentialsSubject(self),
      ...ALL_BUCKETS.flatMap((b) => b.peelWrites.map((pattern) => kvSubject(b.name, own(pattern)))),
      ...ALL_BUCKETS.flatMap((b) => b.peelReads.map((pattern) => keyReadSubject(b, own(pattern)))),
      ...READ_STORES.flatMap((store) => objectReadSubjects(store.name)),
    ],
    sub: [
      commandSubject(self),
      jobCancelSubject(ANY),
      inboxPrefix(`${self}.>`),
      ...ALL_BUCKETS.flatMap((b) => b.peelReads.map((pattern) => hintSubject(b.name, own(pattern)))),
    ],
  };
}

/** ZESTER exports these, AGENTS imports them under the same subjects. Services answer at most once per call. */
export const AGENT_EXPORTS: readonly AccountExport[] = [
  service(EVENT_SUBJECTS, 'events of peels, into stream events'),
  service(jobAckSubject(ANY, ANY), 'a peel accepted a job'),
  service(jobReturnSubject(ANY, ANY), 'a peel finished a job'),
  service(jobScheduleSubject(ANY, ANY), 'a peel finished a scheduled run'),
  service(directAnswerSubject(ANY, ANY), 'a peel answers a direct request'),
  service(peelTargetResolveSubject(ANY), 'a peel asks which peels a target means'),
  service(renewCredentialsSubject(ANY), 'a peel asks for new credentials before its own expire'),
  ...ALL_BUCKETS.filter((b) => b.peelWritable).map((b) =>
    service(kvSubject(b.name, writtenKeys(b)), `writes of peels to ${b.name}`),
  ),
  ...READ_BUCKETS.map((b) =>
    service(
      directGetLastSubject(kvStreamName(b.name), '>'),
      `reads of peels from ${b.name}, the key in the subject`,
    ),
  ),
  ...READ_STORES.flatMap((store) => objectReadSubjects(store.name)).map((subject) =>
    service(subject, 'reads of peels from an object store'),
  ),
  stream(commandSubject(ANY), 'commands to peels'),
  stream(jobCancelSubject(ANY), 'cancels of jobs'),
  ...READ_BUCKETS.map((b) => stream(hintSubject(b.name, '>'), `hints that a key of ${b.name} changed`)),
];

function service(subject: string, doc: string): AccountExport {
  return { subject, kind: 'service', doc };
}

function stream(subject: string, doc: string): AccountExport {
  return { subject, kind: 'stream', doc };
}

/** Read of one key, or of all keys one by one. The key stands in the subject, so nothing else can be asked for. */
function keyReadSubject(spec: BucketSpec, pattern: string): string {
  return directGetLastSubject(kvStreamName(spec.name), kvSubject(spec.name, pattern));
}

/** Meta data by name, then chunks by sequence. The second opens the whole store, which holds nothing private. */
function objectReadSubjects(store: string): readonly string[] {
  const name = objectStreamName(store);
  return [directGetSubject(name), directGetLastSubject(name, objectMetaSubject(store, ANY))];
}

/** The shape of what peels write: one token for a key of their own, any tail below a prefix of their own. */
function writtenKeys(spec: BucketSpec): string {
  return spec.peelWrites.every((pattern) => pattern === SELF) ? ANY : '>';
}
