/**
 * The registry lists every codec of the contract, for whoever needs all of them: the tests, which demand fixtures and
 * properties for each, and the generated reference page. A new codec that is not listed here is found by the test
 * beside this file.
 */
import type { Codec, Field } from '../msgpack/codec.ts';
import { dedupCodec } from './dedup.ts';
import { dispatchReplyCodec } from './dispatch-reply.ts';
import { accountDocsCodec } from './enroll/account-docs.ts';
import { renewReplyCodec, renewRequestCodec } from './enroll/credentials-renewal.ts';
import {
  enrollAdminReplyCodec,
  enrollAdminRequestCodec,
  joinTokenReplyCodec,
  joinTokenRequestCodec,
  peelTagRequestCodec,
} from './enroll/enroll-admin.ts';
import { enrollChallengeCodec, enrollmentCodec, stateChangeCodec } from './enroll/enrollment.ts';
import { floodBanCodec, peelUnbanReplyCodec, peelUnbanRequestCodec } from './enroll/flood-ban.ts';
import { joinTokenCodec } from './enroll/join-token.ts';
import { peelTagsCodec } from './enroll/peel-tags.ts';
import { eventCodec } from './event.ts';
import { execRequestCodec, execResponseCodec, stateOriginCodec, stateResultCodec } from './exec.ts';
import { factsCodec } from './facts.ts';
import {
  fileEntryCodec,
  fileManifestCodec,
  revisionCodec,
  settingsManifestCodec,
  spreadCodec,
} from './file-set.ts';
import {
  filesDifferenceCodec,
  filesDiffReplyCodec,
  filesDiffRequestCodec,
  filesReplyCodec,
  filesSetReportCodec,
  filesUpdateRequestCodec,
} from './fileserver.ts';
import { agentsGenerationCodec, agentsPublicKeyCodec } from './fleet-key/agents-keys.ts';
import {
  certifyReplyCodec,
  certifyRequestCodec,
  fleetKeyReplyCodec,
  fleetKeyRequestCodec,
  generationStandingCodec,
} from './fleet-key/fleet-key-admin.ts';
import { fleetGenerationCodec, fleetKeyListCodec, fleetPublicKeyCodec } from './fleet-key/fleet-keys.ts';
import { masterHeartbeatCodec, peelHeartbeatCodec } from './heartbeat.ts';
import { activeJobEntryCodec, jobCodec } from './job.ts';
import { cancelCodec, jobEventCodec } from './job-event.ts';
import { ackCodec, lastProofCodec, returnCodec, rowCodec } from './job-return.ts';
import { operatorCertificateCodec } from './operator-certificate.ts';
import {
  reactorTestMatchCodec,
  reactorTestRequestCodec,
  reactorTestResponseCodec,
} from './reactor-dry-run.ts';
import { scheduledResultCodec } from './scheduled-result.ts';
import {
  secretListingCodec,
  secretListRequestCodec,
  secretReencryptRequestCodec,
  secretReplyCodec,
  secretSetRequestCodec,
} from './secret-admin.ts';
import { sealedSecretsCodec } from './secrets.ts';
import { resolveRequestCodec, resolveResponseCodec } from './target-resolve.ts';

/** A codec of unknown type, with its table if it is a record. */
export type RegisteredCodec = Codec<unknown> & { readonly fields?: Readonly<Record<string, Field<unknown>>> };

export const REGISTRY: readonly RegisteredCodec[] = [
  jobCodec,
  activeJobEntryCodec,
  dispatchReplyCodec,
  execRequestCodec,
  execResponseCodec,
  stateResultCodec,
  stateOriginCodec,
  ackCodec,
  returnCodec,
  rowCodec,
  lastProofCodec,
  jobEventCodec,
  cancelCodec,
  scheduledResultCodec,
  masterHeartbeatCodec,
  peelHeartbeatCodec,
  resolveRequestCodec,
  resolveResponseCodec,
  factsCodec,
  settingsManifestCodec,
  fileManifestCodec,
  fileEntryCodec,
  revisionCodec,
  spreadCodec,
  filesUpdateRequestCodec,
  filesReplyCodec,
  filesSetReportCodec,
  filesDiffRequestCodec,
  filesDiffReplyCodec,
  filesDifferenceCodec,
  sealedSecretsCodec,
  secretSetRequestCodec,
  secretListRequestCodec,
  secretReencryptRequestCodec,
  secretReplyCodec,
  secretListingCodec,
  dedupCodec,
  eventCodec,
  reactorTestRequestCodec,
  reactorTestMatchCodec,
  reactorTestResponseCodec,
  operatorCertificateCodec,
  enrollmentCodec,
  stateChangeCodec,
  enrollChallengeCodec,
  enrollAdminRequestCodec,
  enrollAdminReplyCodec,
  joinTokenCodec,
  joinTokenRequestCodec,
  joinTokenReplyCodec,
  peelTagsCodec,
  peelTagRequestCodec,
  renewRequestCodec,
  renewReplyCodec,
  accountDocsCodec,
  agentsGenerationCodec,
  agentsPublicKeyCodec,
  fleetGenerationCodec,
  fleetPublicKeyCodec,
  fleetKeyListCodec,
  fleetKeyRequestCodec,
  generationStandingCodec,
  fleetKeyReplyCodec,
  certifyRequestCodec,
  certifyReplyCodec,
  floodBanCodec,
  peelUnbanRequestCodec,
  peelUnbanReplyCodec,
];
