/**
 * These functions ask masters to decide about enrollments, to change what operators say of a peel, and to lift a ban. What they answer
 * is what the masters answered: the record as it stands then, and a warning where not everything could be confirmed.
 */
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import type { EnrollAdminReply, PeelTagRequest } from '../../wire/records/enroll/enroll-admin.ts';
import type { PeelUnbanReply } from '../../wire/records/enroll/flood-ban.ts';
import { QUESTIONS } from '../ask.ts';
import type { ClientContext } from '../client-context.ts';
import { askDoor } from './ask-door.ts';

export type EnrollDecision = 'approve' | 'reject' | 'revoke';

export interface DecisionTerms {
  readonly reason: string;
  /** In spite of a CA that is not ours, or of a peel of that id that never enrolled. */
  readonly force: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly facts: WireMap;
}

const QUESTION = {
  approve: QUESTIONS.enrollApprove,
  reject: QUESTIONS.enrollReject,
  revoke: QUESTIONS.enrollRevoke,
} as const;

export function decideEnrollment(
  client: ClientContext,
  decision: EnrollDecision,
  id: EnrollmentId,
  terms: DecisionTerms,
): Promise<EnrollAdminReply> {
  const request = { id, peelId: '', operator: client.user, ...terms };
  return askDoor(client, QUESTION[decision], request, `enrollment ${id}`);
}

/** Also of a peel without an enrollment, which an older version made. */
export function revokePeel(
  client: ClientContext,
  peelId: PeelId,
  terms: DecisionTerms,
): Promise<EnrollAdminReply> {
  const request = { id: '', peelId, operator: client.user, ...terms };
  return askDoor(client, QUESTIONS.enrollRevoke, request, `peel ${peelId}`);
}

export function tagPeel(
  client: ClientContext,
  peelId: PeelId,
  change: Omit<PeelTagRequest, 'peelId' | 'operator'>,
): Promise<EnrollAdminReply> {
  const request = { peelId, operator: client.user, ...change };
  return askDoor(client, QUESTIONS.peelTag, request, `the tags of ${peelId}`);
}

export function unbanPeel(client: ClientContext, peelId: PeelId): Promise<PeelUnbanReply> {
  const request = { peelId, operator: client.user };
  return askDoor(client, QUESTIONS.peelUnban, request, `the ban of ${peelId}`);
}
