/**
 * This file builds and reads subjects of events, which prove the event's origin and tag. Peels, masters and operators
 * publish; stream `events` stores; the reactor and `zester event watch` read.
 *
 * A peel may publish only below its own token, so a rule for `_master/…` can never be met by a peel. The payload
 * carries the tag again; a reader drops an event whose payload says another tag than its subject.
 */
import type { EnrollmentState } from '../records/enroll/enrollment.ts';
import { type EnrollmentId, type EventTag, type PeelId, parseEventTag, parsePeelId } from './ids.ts';
import { SUBJECT_CHARS_MAX } from './subjects.ts';

/** Everything that stream events keeps. */
export const EVENT_SUBJECTS = 'zester.event.>';

/** Everything that one peel tells. */
export const peelEventsPattern = (peel: PeelId): string => `zester.event.${peel}.>`;

/** Events that masters make: `enroll/pending/<id>`, `reaction/<tag>`. */
export const MASTER_ORIGIN = '_master';
/** An enrollment got into a state. Ids of enrollments and their states are segments of a tag by their form. */
export const enrollmentEventTag = (state: EnrollmentState, id: EnrollmentId): EventTag =>
  `enroll/${state}/${id}` as EventTag;
/** A NATS server had another account document than the one that counts, and was put right. */
export const ACCOUNT_RESTORED_TAG = 'accounts/restored' as EventTag;
/** A peel floods the bus and is kept out for a while. */
export const floodBanTag = (peel: PeelId): EventTag => `guard/banned/${peel}` as EventTag;
/** Events that operators send with `zester event send`. */
export const ADMIN_ORIGIN = '_admin';
export type EventOrigin = PeelId | typeof MASTER_ORIGIN | typeof ADMIN_ORIGIN;

/** `event.send` on a peel. */
export const peelEventSubject = (peel: PeelId, tag: EventTag): string =>
  `zester.event.${peel}.send.${dotted(tag)}`;
/** A beacon on a peel; its tag is `beacon/<peel>/<name>`. */
export const beaconSubject = (peel: PeelId, name: EventTag): string =>
  `zester.event.${peel}.beacon.${dotted(name)}`;
export const masterEventSubject = (tag: EventTag): string => `zester.event.${MASTER_ORIGIN}.${dotted(tag)}`;
/** Those of one kind: `enroll`. */
export const masterEventsPattern = (kind: string): string => `zester.event.${MASTER_ORIGIN}.${kind}.>`;
export const adminEventSubject = (tag: EventTag): string =>
  `zester.event.${ADMIN_ORIGIN}.send.${dotted(tag)}`;

export interface EventSubject {
  readonly origin: EventOrigin;
  readonly tag: EventTag;
}

/** What rules match on: `<origin>/<tag>`. */
export const eventMatchKey = (event: EventSubject): string => `${event.origin}/${event.tag}`;

/** Origin and tag of an event, from its subject alone; undefined when it has none of the four shapes. */
export function parseEventSubject(subject: string): EventSubject | undefined {
  if (subject.length > SUBJECT_CHARS_MAX) return undefined;
  const [root, area, from = '', ...rest] = subject.split('.');
  if (root !== 'zester' || area !== 'event') return undefined;
  if (from === MASTER_ORIGIN) return tagged(MASTER_ORIGIN, rest);
  const [verb, ...tail] = rest;
  if (from === ADMIN_ORIGIN) return verb === 'send' ? tagged(ADMIN_ORIGIN, tail) : undefined;
  const peel = parsePeelId(from);
  if (peel === undefined) return undefined;
  if (verb === 'send') return tagged(peel, tail);
  // An empty tail must not become the tag `beacon/<peel>`.
  return verb === 'beacon' && tail.length > 0 ? tagged(peel, ['beacon', peel, ...tail]) : undefined;
}

function tagged(origin: EventOrigin, segments: readonly string[]): EventSubject | undefined {
  const tag = parseEventTag(segments.join('/'));
  return tag === undefined ? undefined : { origin, tag };
}

function dotted(tag: EventTag): string {
  return tag.replaceAll('/', '.');
}
