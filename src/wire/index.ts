/** The contract, by name: what other folders may use. */
export { decodeBase64url, encodeBase64url } from './base64url.ts';
export { ALL_BUCKETS, BUCKETS, type BucketSpec, SELF } from './buckets.ts';
export type { Codec, Field, Fields, FieldType, RecordCodec } from './codec.ts';
export { type DedupRecord, dedupCodec } from './dedup.ts';
export { type DispatchReply, dispatchReplyCodec } from './dispatch-reply.ts';
export { eventCodec, type ZesterEvent } from './event.ts';
export {
  ADMIN_ORIGIN,
  adminEventSubject,
  beaconSubject,
  EVENT_SUBJECTS,
  type EventOrigin,
  type EventSubject,
  eventMatchKey,
  MASTER_ORIGIN,
  masterEventSubject,
  parseEventSubject,
  peelEventSubject,
} from './event-subjects.ts';
export {
  type ExecRequest,
  type ExecResponse,
  execRequestCodec,
  execResponseCodec,
  type StateResult,
  stateResultCodec,
} from './exec.ts';
export { FACT_KEYS, factsCodec } from './facts.ts';
export {
  type FileEntry,
  type FileManifest,
  fileEntryCodec,
  fileManifestCodec,
  revisionCodec,
  settingsManifestCodec,
} from './file-set.ts';
export {
  ACCOUNTS,
  type AccountExport,
  ADMIN_GRANT,
  AGENT_EXPORTS,
  MASTER_GRANT,
  PEEL_TEMPLATE_NAME,
  type Permissions,
  peelGrant,
  SYS_GRANT,
} from './grants.ts';
export {
  DEADLINE_HEADER,
  EXPECTED_LAST_SEQUENCE_HEADER,
  EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER,
  KV_OPERATION_HEADER,
  LAST_SEQUENCE_HEADER,
  MESSAGE_ID_HEADER,
  PROOF_HEADER,
  ROLLUP_HEADER,
  SEQUENCE_HEADER,
  STREAM_HEADER,
  SUBJECT_HEADER,
  TIME_STAMP_HEADER,
} from './headers.ts';
export {
  type MasterHeartbeat,
  masterHeartbeatCodec,
  type PeelHeartbeat,
  peelHeartbeatCodec,
} from './heartbeat.ts';
export {
  EVENT_TAG_CHARS_MAX,
  EVENT_TAG_SEGMENTS_MAX,
  type EventTag,
  eventTagOfInput,
  ID_CHARS_MAX,
  type Jid,
  type MasterId,
  type PeelId,
  parseEventTag,
  parseJid,
  parseMasterId,
  parsePeelId,
  peelIdOfName,
  peelName,
} from './ids.ts';
export {
  ACK,
  consumerCreateSubject,
  consumerDeleteSubject,
  consumerInfoSubject,
  consumerNextSubject,
  type DeliveryTokens,
  JS_API_INFO,
  JS_ERROR,
  KV_DELETE,
  KV_PURGE,
  parseDeliverySubject,
  STATUS,
  streamCreateSubject,
  streamInfoSubject,
  streamMessageSubject,
  streamPurgeSubject,
  streamUpdateSubject,
} from './jetstream.ts';
export { type ActiveJobEntry, activeJobEntryCodec, type Job, jobCodec, PROTOCOL_VERSION } from './job.ts';
export { CANCEL_ACTION, type Cancel, cancelCodec, type JobEvent, jobEventCodec } from './job-event.ts';
export {
  type Ack,
  ackCodec,
  type LastProof,
  lastProofCodec,
  type Return,
  returnCodec,
} from './job-return.ts';
export {
  JOB_EVENT_TYPES,
  JOB_STATUSES,
  type JobEventType,
  type JobStatus,
  OUTCOMES,
  type Outcome,
  parseJobEventType,
  parseJobStatus,
  parseOutcome,
} from './job-status.ts';
export {
  ACTIVE_JOBS_PATTERN,
  activeJobKey,
  basketKey,
  basketPattern,
  CLUSTER_INFO_KEY,
  COMMAND_KEY,
  FACTS_SECRETS_LEASE_KEY,
  isKey,
  jobKey,
  jobReturnKey,
  jobReturnPattern,
  KEY_CHARS_MAX,
  MANIFEST_KEY,
  MASTER_CURVE_KEY,
  PUBLISHER_LEASE_KEY,
  parseActiveJobKey,
  parseJobReturnKey,
  REVISION_KEY,
} from './keys.ts';
export {
  DEDUP_ENTRIES_MAX,
  DEPTH_MAX,
  ELEMENTS_MAX,
  FILES_MAX,
  MESSAGE_BYTES_MAX,
  NAME_BYTES_MAX,
  RESULTS_MAX,
  TARGETS_MAX,
  TEXT_BYTES_MAX,
} from './limits.ts';
export { decodeValue } from './msgpack-decode.ts';
export { encodeSortedValue, encodeValue } from './msgpack-encode.ts';
export {
  ED25519_PUBLIC_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  OPERATOR_NAME_BYTES_MAX,
  type OperatorCertificate,
  type OperatorIdentity,
  operatorCertificateBytes,
  operatorCertificateCodec,
} from './operator-certificate.ts';
export {
  cancelProofBytes,
  commandProofBytes,
  directProofBytes,
  formatDeadline,
  parseDeadline,
} from './proof-bytes.ts';
export { formatProof, HMAC_BYTES, PROOF_HEADER_CHARS_MAX, type Proof, parseProof } from './proof-header.ts';
export {
  type ReactorTestMatch,
  type ReactorTestRequest,
  type ReactorTestResponse,
  reactorTestMatchCodec,
  reactorTestRequestCodec,
  reactorTestResponseCodec,
} from './reactor-dry-run.ts';
export { REGISTRY, type RegisteredCodec } from './registry.ts';
export {
  type Access,
  MATRIX_OTHER_PEEL,
  MATRIX_PEEL,
  ROLE_MATRIX,
  type RoleMatrixRow,
} from './role-matrix.ts';
export { type ScheduledResult, scheduledResultCodec } from './scheduled-result.ts';
export { type SealedSecrets, sealedSecretsCodec } from './secrets.ts';
export {
  directGetLastSubject,
  directGetSubject,
  hintSubject,
  inboxPrefix,
  kvStreamName,
  kvSubject,
  objectChunkSubject,
  objectMetaSubject,
  objectStreamName,
  parseHintSubject,
} from './store-subjects.ts';
export {
  ALL_CONSUMERS,
  ALL_OBJECT_STORES,
  ALL_STREAMS,
  CONSUMERS,
  type ConsumerSpec,
  OBJECT_STORES,
  type ObjectStoreSpec,
  STREAMS,
  type StreamSpec,
} from './streams.ts';
export {
  ANY,
  commandSubject,
  DISPATCH_SUBJECT,
  directAnswerSubject,
  FILESERVER_STATUS_SUBJECT,
  FILESERVER_UPDATE_SUBJECT,
  JOB_SUBJECTS,
  type JobSubject,
  jobAckSubject,
  jobCancelSubject,
  jobDispatchSubject,
  jobReturnSubject,
  jobScheduleSubject,
  jobStatusSubject,
  parseCommandSubject,
  parseDirectAnswerSubject,
  parseJobSubject,
  parsePeelTargetResolveSubject,
  peelTargetResolveSubject,
  QUEUES,
  REACTOR_TEST_SUBJECT,
  SUBJECT_CHARS_MAX,
  subjectMatches,
  TARGET_RESOLVE_SUBJECT,
} from './subjects.ts';
export {
  type ResolveRequest,
  type ResolveResponse,
  resolveRequestCodec,
  resolveResponseCodec,
} from './target-resolve.ts';
export {
  type DurationNanos,
  formatRfc3339,
  GO_ZERO_TIME,
  msFromNanos,
  NANOS_PER_MS,
  NANOS_PER_SECOND,
  nanosFromMs,
  parseRfc3339,
  TIME_MAX,
  type UnixNanos,
  WireTime,
} from './time.ts';
export { WireError } from './wire-error.ts';
export { ENCODED_NIL, type EncodedValue, isWireMap, type WireMap, type WireValue } from './wire-value.ts';
