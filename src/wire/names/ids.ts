/**
 * Ids name jobs, peels, masters, enrollments and event tags. A branded type is made only by its parse function, so text that
 * came from outside cannot become part of a subject or a key before somebody looked at it.
 *
 * Every parser takes any text and answers undefined for what it does not accept; none throws.
 */

declare const brand: unique symbol;

/** A job: a KSUID (27 characters of base 62), or `rxn-` and 32 hex digits when a reaction made it. */
export type Jid = string & { readonly [brand]: 'jid' };
/** A managed machine, as one subject token: a dot of its host name is written `_`. */
export type PeelId = string & { readonly [brand]: 'peel' };
/** One run of one master process: `master-` and a KSUID, new at every start. */
export type MasterId = string & { readonly [brand]: 'master' };
/** One request of a machine to join: `enr-` and a KSUID. */
export type EnrollmentId = string & { readonly [brand]: 'enrollment' };
/** What a machine proves its key over: `chl-` and a KSUID. */
export type ChallengeId = string & { readonly [brand]: 'challenge' };
/** The public half of a join token: `tok-` and a KSUID. */
export type JoinTokenId = string & { readonly [brand]: 'join-token' };
/** What an event is about, in slash form: `myco/deploy/finished`. */
export type EventTag = string & { readonly [brand]: 'tag' };

/** Longest peel or master id, in characters. */
export const ID_CHARS_MAX = 128;
export const EVENT_TAG_CHARS_MAX = 512;
export const EVENT_TAG_SEGMENTS_MAX = 32;

const KSUID = /^[0-9A-Za-z]{27}$/;
const REACTION_JID = /^rxn-[0-9a-f]{32}$/;
const ID_TOKEN = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}$/;
const ENROLLMENT_ID = /^enr-[0-9A-Za-z]{27}$/;
const CHALLENGE_ID = /^chl-[0-9A-Za-z]{27}$/;
const JOIN_TOKEN_ID = /^tok-[0-9A-Za-z]{27}$/;
const TAG_SEGMENT = /^[a-zA-Z0-9_-]+$/;

export function parseJid(text: string): Jid | undefined {
  return KSUID.test(text) || REACTION_JID.test(text) ? (text as Jid) : undefined;
}

export function parsePeelId(text: string): PeelId | undefined {
  return ID_TOKEN.test(text) ? (text as PeelId) : undefined;
}

/** Wider than what we mint: anything that is one safe token, so that no record is unreadable for a name in it. */
export function parseMasterId(text: string): MasterId | undefined {
  return ID_TOKEN.test(text) ? (text as MasterId) : undefined;
}

export function parseEnrollmentId(text: string): EnrollmentId | undefined {
  return ENROLLMENT_ID.test(text) ? (text as EnrollmentId) : undefined;
}

export function parseChallengeId(text: string): ChallengeId | undefined {
  return CHALLENGE_ID.test(text) ? (text as ChallengeId) : undefined;
}

export function parseJoinTokenId(text: string): JoinTokenId | undefined {
  return JOIN_TOKEN_ID.test(text) ? (text as JoinTokenId) : undefined;
}

/** The id of a machine from its host name: dots become `_`. A name that is already an id stays what it is. */
export function peelIdOfName(name: string): PeelId | undefined {
  return name.endsWith('.') ? undefined : parsePeelId(name.replaceAll('.', '_'));
}

/** The id as a person knows it, with the dots back. For display only: it is not an id. */
export function peelName(peel: PeelId): string {
  return peel.replaceAll('_', '.');
}

/** Accepts the slash form only; see `eventTagOfInput` for what people type. */
export function parseEventTag(text: string): EventTag | undefined {
  if (text.length > EVENT_TAG_CHARS_MAX) return undefined;
  const segments = text.split('/');
  if (segments.length > EVENT_TAG_SEGMENTS_MAX) return undefined;
  return segments.every((segment) => TAG_SEGMENT.test(segment)) ? (text as EventTag) : undefined;
}

/** A tag as a person writes it: slashes, or dots throughout. A mixture is refused. */
export function eventTagOfInput(text: string): EventTag | undefined {
  return parseEventTag(text.includes('/') ? text : text.replaceAll('.', '/'));
}
