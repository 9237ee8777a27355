/**
 * `ask` sends one question to the masters and reads the answer. Whichever of them the server picks answers; it is not asked
 * twice here. An answer that is no such record is BUS_BAD_DATA: a master of another version, or something that is none.
 */
import type { Bus } from '../bus/port.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import type { Codec } from '../wire/msgpack/codec.ts';
import { decoded } from '../wire/msgpack/decoded.ts';
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
  SECRET_LIST_SUBJECT,
  SECRET_REENCRYPT_SUBJECT,
  SECRET_SET_SUBJECT,
  TARGET_RESOLVE_SUBJECT,
} from '../wire/names/subjects.ts';
import { dispatchReplyCodec } from '../wire/records/dispatch-reply.ts';
import {
  enrollAdminReplyCodec,
  enrollAdminRequestCodec,
  joinTokenReplyCodec,
  joinTokenRequestCodec,
  peelTagRequestCodec,
} from '../wire/records/enroll/enroll-admin.ts';
import { peelUnbanReplyCodec, peelUnbanRequestCodec } from '../wire/records/enroll/flood-ban.ts';
import {
  filesDiffReplyCodec,
  filesDiffRequestCodec,
  filesReplyCodec,
  filesUpdateRequestCodec,
} from '../wire/records/fileserver.ts';
import {
  certifyReplyCodec,
  certifyRequestCodec,
  fleetKeyReplyCodec,
  fleetKeyRequestCodec,
} from '../wire/records/fleet-key/fleet-key-admin.ts';
import { jobCodec } from '../wire/records/job.ts';
import {
  secretListRequestCodec,
  secretReencryptRequestCodec,
  secretReplyCodec,
  secretSetRequestCodec,
} from '../wire/records/secret-admin.ts';
import { resolveRequestCodec, resolveResponseCodec } from '../wire/records/target-resolve.ts';

export interface Question<Asked, Answer> {
  readonly subject: string;
  readonly asked: Codec<Asked>;
  readonly answer: Codec<Answer>;
}

export const QUESTIONS = {
  /** Take this job. */
  dispatch: { subject: DISPATCH_SUBJECT, asked: jobCodec, answer: dispatchReplyCodec },
  /** Which peels does this target mean? */
  resolve: { subject: TARGET_RESOLVE_SUBJECT, asked: resolveRequestCodec, answer: resolveResponseCodec },
  /** Put this value into a settings file. */
  secretSet: { subject: SECRET_SET_SUBJECT, asked: secretSetRequestCodec, answer: secretReplyCodec },
  /** Which secrets are there? */
  secretList: { subject: SECRET_LIST_SUBJECT, asked: secretListRequestCodec, answer: secretReplyCodec },
  /** Seal them anew. */
  secretReencrypt: {
    subject: SECRET_REENCRYPT_SUBJECT,
    asked: secretReencryptRequestCodec,
    answer: secretReplyCodec,
  },
  /** Publish the files now. */
  publishFiles: {
    subject: FILESERVER_UPDATE_SUBJECT,
    asked: filesUpdateRequestCodec,
    answer: filesReplyCodec,
  },
  /** Who publishes, and how does each set stand? What is asked is empty. */
  filesStatus: {
    subject: FILESERVER_STATUS_SUBJECT,
    asked: filesUpdateRequestCodec,
    answer: filesReplyCodec,
  },
  /** How does the fleet key stand? */
  fleetKeyStatus: {
    subject: FLEET_KEY_STATUS_SUBJECT,
    asked: fleetKeyRequestCodec,
    answer: fleetKeyReplyCodec,
  },
  /** Make another generation of it. */
  fleetKeyRotate: {
    subject: FLEET_KEY_ROTATE_SUBJECT,
    asked: fleetKeyRequestCodec,
    answer: fleetKeyReplyCodec,
  },
  /** The same of the key that signs credentials of peels. */
  agentsKeyStatus: {
    subject: AGENTS_KEY_STATUS_SUBJECT,
    asked: fleetKeyRequestCodec,
    answer: fleetKeyReplyCodec,
  },
  agentsKeyRotate: {
    subject: AGENTS_KEY_ROTATE_SUBJECT,
    asked: fleetKeyRequestCodec,
    answer: fleetKeyReplyCodec,
  },
  /** Certify the key of an operator by the newest generation. */
  operatorCertify: {
    subject: OPERATOR_CERTIFY_SUBJECT,
    asked: certifyRequestCodec,
    answer: certifyReplyCodec,
  },
  /** Approve, reject or revoke an enrollment. */
  enrollApprove: {
    subject: ENROLL_APPROVE_SUBJECT,
    asked: enrollAdminRequestCodec,
    answer: enrollAdminReplyCodec,
  },
  enrollReject: {
    subject: ENROLL_REJECT_SUBJECT,
    asked: enrollAdminRequestCodec,
    answer: enrollAdminReplyCodec,
  },
  enrollRevoke: {
    subject: ENROLL_REVOKE_SUBJECT,
    asked: enrollAdminRequestCodec,
    answer: enrollAdminReplyCodec,
  },
  /** Make a join token, or take it back. */
  tokenCreate: {
    subject: JOIN_TOKEN_CREATE_SUBJECT,
    asked: joinTokenRequestCodec,
    answer: joinTokenReplyCodec,
  },
  tokenRevoke: {
    subject: JOIN_TOKEN_REVOKE_SUBJECT,
    asked: joinTokenRequestCodec,
    answer: joinTokenReplyCodec,
  },
  /** Say something else of a peel. */
  peelTag: { subject: PEEL_TAG_SUBJECT, asked: peelTagRequestCodec, answer: enrollAdminReplyCodec },
  /** Let a peel in again that flooded. */
  peelUnban: { subject: PEEL_UNBAN_SUBJECT, asked: peelUnbanRequestCodec, answer: peelUnbanReplyCodec },
  /** What would be published? */
  filesDiff: { subject: FILESERVER_DIFF_SUBJECT, asked: filesDiffRequestCodec, answer: filesDiffReplyCodec },
} as const;

/**
 * So long nobody says that no master is there: where the server finds none, all of them may have hung on a NATS node that
 * was lost a moment ago, and whoever loses its node is connected to another within about two seconds.
 */
export const MASTERS_AWAY_MS = 3_000;

export async function ask<Asked, Answer>(
  bus: Pick<Bus, 'request'>,
  { subject, asked, answer }: Question<Asked, Answer>,
  value: Asked,
  timeoutMs: number,
): Promise<Answer> {
  const { data } = await bus.request(subject, asked.encode(value), { timeoutMs });
  const read = decoded(answer, data);
  if (!read.isReadable) throw zesterError('BUS_BAD_DATA', { what: subject, problem: read.problem });
  return read.value;
}
