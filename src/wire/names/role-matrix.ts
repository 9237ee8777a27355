/**
 * The role matrix says what each role can and cannot do, one concrete subject a row: it is the policy, written down
 * apart from the grants that implement it. A unit test compares the two; an integration test tries every cell on a real
 * server, as users made from the grants. It publishes empty messages, some to the JetStream API: give it a server of
 * its own.
 *
 * The peel is `web-01`; what belongs to `web-02` must be out of its reach.
 */
import { ALL_BUCKETS, type BucketSpec, SELF } from './buckets.ts';
import type { PeelId } from './ids.ts';
import {
  CLAIMS_UPDATE_SUBJECT,
  consumerDeleteSubject,
  consumerInfoSubject,
  consumerNextSubject,
} from './jetstream.ts';
import { ACCOUNT_DOCS_KEY, enrolledPeelKey, PUBLISHER_LEASE_KEY } from './keys.ts';
import {
  directGetLastSubject,
  directGetSubject,
  hintSubject,
  kvStreamName,
  kvSubject,
} from './store-subjects.ts';
import { ALL_CONSUMERS, ALL_OBJECT_STORES, ALL_STREAMS, type ConsumerSpec } from './streams.ts';
import {
  AGENTS_KEY_ROTATE_SUBJECT,
  AGENTS_KEY_STATUS_SUBJECT,
  DISPATCH_SUBJECT,
  ENROLL_APPROVE_SUBJECT,
  ENROLL_REJECT_SUBJECT,
  ENROLL_REVOKE_SUBJECT,
  FILESERVER_DIFF_SUBJECT,
  FILESERVER_STATUS_SUBJECT,
  FILESERVER_UPDATE_SUBJECT,
  FLEET_KEY_ROTATE_SUBJECT,
  FLEET_KEY_STATUS_SUBJECT,
  JOIN_TOKEN_CREATE_SUBJECT,
  JOIN_TOKEN_REVOKE_SUBJECT,
  OPERATOR_CERTIFY_SUBJECT,
  PEEL_TAG_SUBJECT,
  PEEL_UNBAN_SUBJECT,
  REACTOR_TEST_SUBJECT,
  SECRET_LIST_SUBJECT,
  SECRET_REENCRYPT_SUBJECT,
  SECRET_SET_SUBJECT,
  TARGET_RESOLVE_SUBJECT,
} from './subjects.ts';

export interface Access {
  readonly pub: boolean;
  readonly sub: boolean;
}

export interface RoleMatrixRow {
  readonly subject: string;
  readonly doc: string;
  readonly master: Access;
  readonly admin: Access;
  readonly peel: Access;
}

/** The name of the peel whose rights the column `peel` describes. */
export const MATRIX_PEEL = 'web-01';
/** Another peel, whose things are none of its business. */
export const MATRIX_OTHER_PEEL = 'web-02';

const ME = MATRIX_PEEL;
const OTHER = MATRIX_OTHER_PEEL;
const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO';

/** Ways to read, wipe, replace or hijack a stream that know no key. */
const STREAM_CALLS = [
  'STREAM.CREATE',
  'STREAM.INFO',
  'STREAM.DELETE',
  'STREAM.PURGE',
  'STREAM.UPDATE',
  'STREAM.MSG.GET',
  'STREAM.MSG.DELETE',
  'STREAM.SNAPSHOT',
  'STREAM.RESTORE',
  'STREAM.LEADER.STEPDOWN',
  'STREAM.PEER.REMOVE',
  'CONSUMER.CREATE',
  'CONSUMER.NAMES',
  'CONSUMER.LIST',
];

type Rights = 'both' | 'pub' | 'sub' | 'none';

export const ROLE_MATRIX: readonly RoleMatrixRow[] = [
  row(DISPATCH_SUBJECT, 'submit a job', 'both', 'pub', 'none'),
  row(TARGET_RESOLVE_SUBJECT, 'resolve a target, facts included', 'both', 'pub', 'none'),
  row(`${TARGET_RESOLVE_SUBJECT}.${ME}`, 'resolve a target as a peel', 'both', 'none', 'pub'),
  row(`${TARGET_RESOLVE_SUBJECT}.${OTHER}`, 'resolve a target as another peel', 'both', 'none', 'none'),
  row(`zester.enroll.renew.${ME}`, 'renew the credentials of the peel', 'both', 'none', 'pub'),
  row(`zester.enroll.renew.${OTHER}`, 'renew the credentials of another peel', 'both', 'none', 'none'),
  ...[
    ENROLL_APPROVE_SUBJECT,
    ENROLL_REJECT_SUBJECT,
    ENROLL_REVOKE_SUBJECT,
    JOIN_TOKEN_CREATE_SUBJECT,
    JOIN_TOKEN_REVOKE_SUBJECT,
    PEEL_TAG_SUBJECT,
    PEEL_UNBAN_SUBJECT,
  ].map((subject) => row(subject, 'decide who may join', 'both', 'pub', 'none')),
  row(FLEET_KEY_STATUS_SUBJECT, 'ask how the fleet key stands', 'both', 'pub', 'none'),
  row(FLEET_KEY_ROTATE_SUBJECT, 'rotate the fleet key', 'both', 'pub', 'none'),
  row(AGENTS_KEY_STATUS_SUBJECT, 'ask how the key that signs peels stands', 'both', 'pub', 'none'),
  row(AGENTS_KEY_ROTATE_SUBJECT, 'rotate the key that signs peels', 'both', 'pub', 'none'),
  row(OPERATOR_CERTIFY_SUBJECT, 'renew the certificate of an operator', 'both', 'pub', 'none'),
  row(REACTOR_TEST_SUBJECT, 'dry-run reactor rules', 'both', 'pub', 'none'),
  row(FILESERVER_UPDATE_SUBJECT, 'publish files now', 'both', 'pub', 'none'),
  row(FILESERVER_STATUS_SUBJECT, 'ask who publishes files', 'both', 'pub', 'none'),
  row(FILESERVER_DIFF_SUBJECT, 'ask what the publisher would change', 'both', 'pub', 'none'),
  row(SECRET_SET_SUBJECT, 'put a sealed value into a settings file', 'both', 'pub', 'none'),
  row(SECRET_LIST_SUBJECT, 'ask which secrets there are', 'both', 'pub', 'none'),
  row(SECRET_REENCRYPT_SUBJECT, 'seal all secrets anew', 'both', 'pub', 'none'),

  row(`zester.cmd.${ME}`, 'command to the peel', 'both', 'pub', 'sub'),
  row(`zester.cmd.${OTHER}`, 'command to another peel', 'both', 'pub', 'none'),
  row('zester.cmd.*', 'commands to all peels', 'both', 'pub', 'none'),
  row(`zester.direct.${JID}.${ME}`, 'answer of the peel to a direct request', 'both', 'sub', 'pub'),
  row(`zester.direct.${JID}.${OTHER}`, 'answer of another peel to a direct request', 'both', 'sub', 'none'),

  ...['ack', 'return', 'schedule'].flatMap((kind) => [
    row(`zester.job.${JID}.${kind}.${ME}`, `${kind} of the peel`, 'both', 'both', 'pub'),
    row(`zester.job.${JID}.${kind}.${OTHER}`, `${kind} of another peel`, 'both', 'both', 'none'),
  ]),
  row(`zester.job.${JID}.cancel`, 'cancel of a job', 'both', 'both', 'sub'),
  row(`zester.job.${JID}.dispatch`, 'dispatch event of a job', 'both', 'both', 'none'),
  row(`zester.job.${JID}.status`, 'final event of a job', 'both', 'both', 'none'),
  row('zester.job.>', 'everything about all jobs', 'both', 'both', 'none'),

  row(`zester.event.${ME}.send.deploy`, 'event of the peel', 'both', 'sub', 'pub'),
  row(`zester.event.${OTHER}.send.deploy`, 'event of another peel', 'both', 'sub', 'none'),
  row('zester.event._master.enroll', 'event of a master', 'both', 'sub', 'none'),
  row('zester.event._admin.send.deploy', 'event of an operator', 'both', 'both', 'none'),

  row(`_INBOX.${ME}.x`, 'answers to the peel', 'both', 'both', 'sub'),
  row(`_INBOX.${OTHER}.x`, 'answers to another peel', 'both', 'both', 'none'),
  row('_INBOX.>', 'answers to everybody', 'both', 'both', 'none'),
  row('_R_.x.y', 'answers to requests that crossed accounts', 'pub', 'none', 'none'),
  row(CLAIMS_UPDATE_SUBJECT, 'change an account', 'none', 'none', 'none'),
  row('$SYS.REQ.SERVER.PING.CONNZ', 'ask who is connected', 'none', 'none', 'none'),
  row('$JS.API.STREAM.NAMES', 'list the streams', 'both', 'both', 'none'),
  row('$JS.API.INFO', 'ask how much is stored', 'both', 'both', 'none'),
  row('>', 'everything', 'none', 'none', 'none'),

  ...ALL_BUCKETS.flatMap(bucketRows),
  ...ALL_OBJECT_STORES.flatMap(({ name }) => [
    row(directGetSubject(`OBJ_${name}`), `chunks of ${name}`, 'both', 'both', 'pub'),
    row(
      directGetLastSubject(`OBJ_${name}`, `$O.${name}.M.eA==`),
      `meta data in ${name}`,
      'both',
      'both',
      'pub',
    ),
    row(`$O.${name}.M.eA==`, `overwrite an object of ${name}`, 'both', 'both', 'none'),
    row(`$O.${name}.C.x`, `forge a chunk of ${name}`, 'both', 'both', 'none'),
    ...apiRows(`OBJ_${name}`),
  ]),
  ...ALL_STREAMS.flatMap(({ name }) => [
    row(directGetSubject(name), `any message of ${name}`, 'both', 'both', 'none'),
    ...apiRows(name),
  ]),
  ...ALL_CONSUMERS.flatMap(consumerRows),
];

/** Own key, another's key, every key: read, written, watched. Plus all ways around the key. */
function bucketRows(spec: BucketSpec): readonly RoleMatrixRow[] {
  const stream = kvStreamName(spec.name);
  const keys = [
    ME,
    `${ME}.x`,
    OTHER,
    `${OTHER}.x`,
    '_manifest',
    '_revision',
    '_spread',
    '_master_curve_pub',
    '_command_pub',
    '_cluster_info',
    '_fleet_keys',
    // Of the buckets that only masters write: jobs, rows, leases, enrollments and their index, account documents.
    JID,
    `active.${JID}`,
    `${JID}.${ME}`,
    PUBLISHER_LEASE_KEY,
    `enr-${JID}`,
    enrolledPeelKey(ME as PeelId),
    ACCOUNT_DOCS_KEY,
  ];
  return [
    ...keys.flatMap((key) => [
      row(
        kvSubject(spec.name, key),
        `write ${key} of ${spec.name}`,
        'both',
        'both',
        peelMay(spec.peelWrites, key, 'pub'),
      ),
      row(
        directGetLastSubject(stream, kvSubject(spec.name, key)),
        `read ${key} of ${spec.name}`,
        'both',
        'both',
        peelMay(spec.peelReads, key, 'pub'),
      ),
      row(
        hintSubject(spec.name, key),
        `watch ${key} of ${spec.name}`,
        'both',
        'sub',
        peelMay(spec.peelReads, key, 'sub'),
      ),
    ]),
    row(directGetSubject(stream), `read ${spec.name}, the key in the body`, 'both', 'both', 'none'),
    ...apiRows(stream),
  ];
}

function apiRows(stream: string): readonly RoleMatrixRow[] {
  const consumer = `$JS.API.CONSUMER.CREATE.${stream}.mine.>`;
  return [
    ...STREAM_CALLS.map((call) =>
      row(`$JS.API.${call}.${stream}`, `${call} on ${stream}`, 'both', 'both', 'none'),
    ),
    row(consumer, `a consumer of its own on ${stream}`, 'both', 'both', 'none'),
  ];
}

/** Taking over a consumer that masters share: its filter, its messages, its acknowledgements. */
function consumerRows({ name, stream }: ConsumerSpec): readonly RoleMatrixRow[] {
  const rows = {
    'replace the filter of': `$JS.API.CONSUMER.CREATE.${stream}.${name}.zester.job.*.return.${ME}`,
    'replace, in the old way,': `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${name}`,
    'take messages of': consumerNextSubject(stream, name),
    'ask about': consumerInfoSubject(stream, name),
    delete: consumerDeleteSubject(stream, name),
    'acknowledge for': `$JS.ACK.${stream}.${name}.1.1.1.1.0`,
  };
  return Object.entries(rows).map(([what, subject]) =>
    row(subject, `${what} consumer ${name}`, 'both', 'both', 'none'),
  );
}

/** Whether a key is one of the patterns of a bucket, read without the help of grants.ts or subjectMatches. */
function peelMay(patterns: readonly string[], key: string, right: 'pub' | 'sub'): Rights {
  const allowed = patterns.some((pattern) => {
    if (pattern === '>') return true;
    if (pattern === `${SELF}.>`) return key.startsWith(`${ME}.`);
    return key === (pattern === SELF ? ME : pattern);
  });
  return allowed ? right : 'none';
}

function row(subject: string, doc: string, master: Rights, admin: Rights, peel: Rights): RoleMatrixRow {
  return { subject, doc, master: access(master), admin: access(admin), peel: access(peel) };
}

function access(rights: Rights): Access {
  return { pub: rights === 'both' || rights === 'pub', sub: rights === 'both' || rights === 'sub' };
}
