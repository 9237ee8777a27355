/**
 * These functions put an enrollment into words and into a record for programs. Most of it is the word of a machine that nobody trusts
 * yet, so whatever is put into a line goes through `printableLine` or a table. Facts that an operator set may be secrets: their
 * names are told, never their values.
 */
import { factNames } from '../../core/enroll/desk/change-tags.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import { keyFingerprint } from '../../trust/nkeys.ts';
import { formatRfc3339, msFromNanos, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { ageText } from '../terminal/age-text.ts';
import { displayName } from '../terminal/peel-names.ts';

/** A machine chooses its host name: enough to read. */
const HOST_CHARS_MAX = 40;
const WHO_CHARS_MAX = 40;

export const ENROLLMENT_HEAD = [
  'ID',
  'PEEL',
  'HOSTNAME',
  'ADDRESS',
  'STATE',
  'TRUST',
  'DECIDED BY',
  'WHEN',
  'AGE',
  'TAGS',
];

export type Trust = 'ok' | 'unverified' | 'MISMATCH!';

/** Whether the machine saw our CA, by its own signed word. */
export function trustOf({ trustMismatch, trustChecked }: Enrollment): Trust {
  return trustMismatch ? 'MISMATCH!' : trustChecked ? 'ok' : 'unverified';
}

export function enrollmentRow(enrollment: Enrollment, nowMs: number): readonly string[] {
  const { id, peelId, hostname, remoteAddress, state, decidedBy, decidedAt, createdAt, tags } = enrollment;
  return [
    id,
    displayName(peelId),
    printableLine(hostname, HOST_CHARS_MAX) || '-',
    printableLine(remoteAddress, HOST_CHARS_MAX) || '-',
    state,
    trustOf(enrollment),
    printableLine(decidedBy, WHO_CHARS_MAX) || '-',
    decidedAt === undefined ? '-' : timeText(decidedAt),
    ageText(nowMs - msFromNanos(createdAt)),
    tagsText(tags) || '-',
  ];
}

/** `rack=r7 role=web`, by name. */
export function tagsText(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** `by alice`, `carried over from enr-…`; empty: nobody had to decide. */
export function deciderText(by: string): string {
  return by === '' || /^(?:carried over|superseded) /.test(by) ? by : `by ${by}`;
}

/** For programs. Absent: not there, or not yet. */
export function enrollmentRecord(enrollment: Enrollment): Readonly<Record<string, unknown>> {
  const { id, peelId, publicKey, curvePublicKey, state, hostname, metadata, tags } = enrollment;
  return {
    id,
    peel_id: peelId,
    state,
    trust: trustOf(enrollment),
    hostname,
    remote_addr: enrollment.remoteAddress,
    metadata,
    public_key: publicKey,
    key_fingerprint: keyFingerprint(publicKey),
    curve_public_key: curvePublicKey,
    trusted_ca_spki: enrollment.trustedCaSpki,
    created_at: formatRfc3339(enrollment.createdAt),
    updated_at: formatRfc3339(enrollment.updatedAt),
    decided_by: enrollment.decidedBy,
    ...time('decided_at', enrollment.decidedAt),
    reject_reason: enrollment.rejectReason,
    ...time('issued_at', enrollment.issuedAt),
    ...time('expires_at', enrollment.expiresAt),
    tags,
    fact_names: factNames(enrollment),
    join_token: enrollment.joinToken,
    superseded_by: enrollment.supersededBy,
    changes: enrollment.changes.map(({ state: to, at, by, reason }) => ({
      ...{ state: to, at: formatRfc3339(at), by, reason },
    })),
  };
}

function time(name: string, value: UnixNanos | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: formatRfc3339(value) };
}
