/**
 * This file builds every subject that Zester publishes or subscribes. Who may touch which is in grants.ts; what travels
 * on them is in the record files. `zester.fact.<peel>`, `zester.basket.<peel>.<fn>` and `zester.cmd.<peel>.>` are
 * reserved by the Go implementation and used by nobody.
 *
 * Builders take parsed ids, or `ANY` for a subscription. Parsers take whatever a stranger sent: anything that is not
 * exactly one of our subjects is undefined. The identity of a sender is always its subject token, which the server
 * enforces, never its payload.
 */
import { type Jid, type PeelId, parseJid, parsePeelId } from './ids.ts';

/** One token of any text, in a subscription. */
export const ANY = '*';
type Any = typeof ANY;

/** Longer subjects are not ours. Bounds the work a hostile subject can cause. */
export const SUBJECT_CHARS_MAX = 1_024;

/** Groups of subscribers of which one gets each message. */
export const QUEUES = {
  /** Masters that take new jobs. */
  masters: 'zester.masters',
  /** Masters that answer which peels a target means. */
  targetResolvers: 'zester-target-resolvers',
  /** Masters that run the reactor and answer dry runs of its rules. */
  reactorTesters: 'zester-reactor-testers',
  /** Masters that answer operators about enrollments, tokens, tags and accounts, and renew the credentials of peels. */
  admin: 'zester-masters-admin',
} as const;

/** Request. CLI → one master: a Job. Answer: DispatchReply. */
export const DISPATCH_SUBJECT = 'zester.dispatch';
/** Request. CLI → one master: ResolveRequest. Answer: ResolveResponse. Peels have their own, see below. */
export const TARGET_RESOLVE_SUBJECT = 'zester.target.resolve';
/** Request. CLI → one master with a reactor: ReactorTestRequest. Answer: ReactorTestResponse. */
export const REACTOR_TEST_SUBJECT = 'zester.reactor.test';
/** Request. CLI → every master; only the holder of the publisher lease answers: publish files now. */
export const FILESERVER_UPDATE_SUBJECT = 'zester.admin.fileserver.update';
/** Request. CLI → every master; only the holder of the publisher lease answers: who publishes. */
export const FILESERVER_STATUS_SUBJECT = 'zester.admin.fileserver.status';
/** Request, additive. CLI → every master; only the holder of the publisher lease answers: what differs in its directories. */
export const FILESERVER_DIFF_SUBJECT = 'zester.admin.fileserver.diff';
/** Request, additive. CLI → every master; only the holder of the publisher lease answers: put a sealed value into a settings file. */
export const SECRET_SET_SUBJECT = 'zester.admin.secret.set';
/** Request, additive. CLI → every master; only the holder of the publisher lease answers: which secrets there are, never their values. */
export const SECRET_LIST_SUBJECT = 'zester.admin.secret.list';
/** Request, additive. CLI → every master; only the holder of the publisher lease answers: seal everything anew. */
export const SECRET_REENCRYPT_SUBJECT = 'zester.admin.secret.reencrypt';
/** Request. CLI → one master: EnrollAdminRequest. Answer: EnrollAdminReply. */
export const ENROLL_APPROVE_SUBJECT = 'zester.admin.enroll.approve';
export const ENROLL_REJECT_SUBJECT = 'zester.admin.enroll.reject';
export const ENROLL_REVOKE_SUBJECT = 'zester.admin.enroll.revoke';
/** Request, additive. CLI → one master: JoinTokenRequest. Answer: JoinTokenReply. */
export const JOIN_TOKEN_CREATE_SUBJECT = 'zester.admin.enroll.token-create';
export const JOIN_TOKEN_REVOKE_SUBJECT = 'zester.admin.enroll.token-revoke';
/** Request, additive. CLI → one master: PeelTagRequest. Answer: EnrollAdminReply. */
export const PEEL_TAG_SUBJECT = 'zester.admin.peel.tag';
/** Request, additive. CLI → one master: PeelUnbanRequest. Answer: PeelUnbanReply. */
export const PEEL_UNBAN_SUBJECT = 'zester.admin.peel.unban';
/** Request, additive. CLI → one master: FleetKeyRequest. Answer: FleetKeyReply. How the fleet key stands; or make another generation. */
export const FLEET_KEY_STATUS_SUBJECT = 'zester.admin.auth.fleet-key-status';
export const FLEET_KEY_ROTATE_SUBJECT = 'zester.admin.auth.fleet-key-rotate';
/** Request, additive. CLI → one master: FleetKeyRequest. Answer: FleetKeyReply. The same of the key that signs credentials of peels. */
export const AGENTS_KEY_STATUS_SUBJECT = 'zester.admin.auth.agents-key-status';
export const AGENTS_KEY_ROTATE_SUBJECT = 'zester.admin.auth.agents-key-rotate';
/** Request, additive. CLI → one master: CertifyRequest. Answer: CertifyReply, the operator's certificate by the newest generation. */
export const OPERATOR_CERTIFY_SUBJECT = 'zester.admin.auth.certify';
/** Everything that is said of jobs. */
export const JOB_SUBJECTS = 'zester.job.>';

/**
 * ExecRequest to one peel. Master → peel without a reply subject: a job. CLI → peel with one: direct mode.
 * Core NATS, not stored: the master re-sends what was neither acknowledged nor returned.
 */
export const commandSubject = (peel: PeelId | Any): string => `zester.cmd.${peel}`;
/** Additive. The answer of our peel to a direct request. The CLI subscribes before it asks. */
export const directAnswerSubject = (jid: Jid | Any, peel: PeelId | Any): string =>
  `zester.direct.${jid}.${peel}`;
/** Request, additive. Peel → one master: RenewRequest. Answer: RenewReply, with new credentials for the same key. */
export const renewCredentialsSubject = (peel: PeelId | Any): string => `zester.enroll.renew.${peel}`;
/** Additive. Target resolution for peels: the token says who asks, facts of others are never answered. */
export const peelTargetResolveSubject = (peel: PeelId | Any): string => `${TARGET_RESOLVE_SUBJECT}.${peel}`;

/** JobEvent `dispatched`. Owning master → stream. */
export const jobDispatchSubject = (jid: Jid | Any): string => `zester.job.${jid}.dispatch`;
/** JobEvent `completed` or `failed`. Owning master → stream. */
export const jobStatusSubject = (jid: Jid | Any): string => `zester.job.${jid}.status`;
/** Cancel. CLI or master → every peel and every master. Only the jid token and the proof count. */
export const jobCancelSubject = (jid: Jid | Any): string => `zester.job.${jid}.cancel`;
/**
 * Ack: accepted, will run. Peel → owning master. Not sent where the return follows at once; may come twice: a duplicate
 * request is acknowledged again.
 */
export const jobAckSubject = (jid: Jid | Any, peel: PeelId | Any): string => `zester.job.${jid}.ack.${peel}`;
/** Every ack and return of a job, and nothing that concerns all of its targets. */
export const jobWordsSubject = (jid: Jid): string => `zester.job.${jid}.*.*`;
/** Every ack, return and scheduled result of one peel. */
export const peelWordsSubject = (peel: PeelId): string => `zester.job.*.*.${peel}`;
/** Return. Peel → owning master and CLI. May come twice, and late. */
export const jobReturnSubject = (jid: Jid | Any, peel: PeelId | Any): string =>
  `zester.job.${jid}.return.${peel}`;
/** ScheduledResult. Peel's scheduler → durable consumer schedule-results. */
export const jobScheduleSubject = (jid: Jid | Any, peel: PeelId | Any): string =>
  `zester.job.${jid}.schedule.${peel}`;

/** What a master appends to see whether it can, in streams job-events and job-words. `_probe` is no id: readers drop it. */
export const STORE_PROBE_EVENT_SUBJECT = 'zester.job._probe.status';
export const STORE_PROBE_WORD_SUBJECT = 'zester.job._probe.return._probe';

export type JobSubject =
  | { readonly kind: 'dispatch' | 'status' | 'cancel'; readonly jid: Jid }
  | { readonly kind: 'ack' | 'return' | 'schedule'; readonly jid: Jid; readonly peel: PeelId };

export function parseJobSubject(subject: string): JobSubject | undefined {
  const tokens = tokensOf(subject, 'zester.job.');
  const jid = parseJid(tokens[0] ?? '');
  const kind = tokens[1];
  if (jid === undefined) return undefined;
  if (kind === 'dispatch' || kind === 'status' || kind === 'cancel') {
    return tokens.length === 2 ? { kind, jid } : undefined;
  }
  if (kind !== 'ack' && kind !== 'return' && kind !== 'schedule') return undefined;
  const peel = parsePeelId(tokens[2] ?? '');
  return tokens.length === 3 && peel !== undefined ? { kind, jid, peel } : undefined;
}

export function parseCommandSubject(subject: string): PeelId | undefined {
  return onlyPeel(tokensOf(subject, 'zester.cmd.'));
}

export function parsePeelTargetResolveSubject(subject: string): PeelId | undefined {
  return onlyPeel(tokensOf(subject, `${TARGET_RESOLVE_SUBJECT}.`));
}

export function parseRenewCredentialsSubject(subject: string): PeelId | undefined {
  return onlyPeel(tokensOf(subject, 'zester.enroll.renew.'));
}

export function parseDirectAnswerSubject(
  subject: string,
): { readonly jid: Jid; readonly peel: PeelId } | undefined {
  const tokens = tokensOf(subject, 'zester.direct.');
  const jid = parseJid(tokens[0] ?? '');
  const peel = parsePeelId(tokens[1] ?? '');
  return tokens.length === 2 && jid !== undefined && peel !== undefined ? { jid, peel } : undefined;
}

/** Whether NATS would deliver `subject` to a subscription, or grant, of `pattern`. */
export function subjectMatches(pattern: string, subject: string): boolean {
  let p = 0;
  let s = 0;
  // Token by token without taking the texts apart: it is asked for every message and every stored subject.
  for (;;) {
    const patternEnd = tokenEnd(pattern, p);
    if (patternEnd - p === 1 && pattern[p] === '>') return s <= subject.length;
    if (s > subject.length) return false;
    const subjectEnd = tokenEnd(subject, s);
    const isAny = patternEnd - p === 1 && pattern[p] === ANY;
    if (!isAny && !sameToken(pattern, p, patternEnd, subject, s, subjectEnd)) return false;
    p = patternEnd + 1;
    s = subjectEnd + 1;
    if (p > pattern.length) return s > subject.length;
  }
}

function tokenEnd(text: string, from: number): number {
  const dot = text.indexOf('.', from);
  return dot < 0 ? text.length : dot;
}

function sameToken(a: string, aFrom: number, aEnd: number, b: string, bFrom: number, bEnd: number): boolean {
  if (aEnd - aFrom !== bEnd - bFrom) return false;
  for (let i = 0; i < aEnd - aFrom; i++)
    if (a.charCodeAt(aFrom + i) !== b.charCodeAt(bFrom + i)) return false;
  return true;
}

function onlyPeel(tokens: readonly string[]): PeelId | undefined {
  return tokens.length === 1 ? parsePeelId(tokens[0] ?? '') : undefined;
}

/** The tokens after a prefix; none when the prefix is another or the subject is too long to be ours. */
function tokensOf(subject: string, prefix: string): readonly string[] {
  return subject.length <= SUBJECT_CHARS_MAX && subject.startsWith(prefix)
    ? subject.slice(prefix.length).split('.')
    : [];
}
