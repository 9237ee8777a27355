/**
 * The auth directory of a peel holds who it is and whom it trusts. `zester-peel join` writes it, the daemon reads it and renews the
 * credentials in it. Every file is written whole and fsynced before it takes its name (trust/key-files.ts).
 *
 *   node-id           the id of the peel, pinned: host names change
 *   <peel>.seed       its key, made here, never sent anywhere
 *   enroll-ca.crt     the CA by which the masters' doors are judged; not there when the system's are
 *   nats-ca.crt       the CA of the NATS servers
 *   enrollment.json   where the masters and the NATS servers are, and which enrollment this is; no secret
 *   <peel>.creds      key and JWT for NATS, written last: whoever finds them finds the others too
 *   release-key       the key that releases must be signed with, pinned by the operator (decision 54)
 *
 * If we die in between, the next join finds the key and goes on with it; an enrollment without credentials was begun.
 */
import { basename, dirname } from 'node:path';
import { parseDoorUrls } from '../../core/enroll/door-url.ts';
import { parsePin, type TrustRung } from '../../core/enroll/trust-ladder.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Random } from '../../runtime/random.ts';
import { loadCreds } from '../../trust/auth-dir.ts';
import { formatCreds } from '../../trust/creds.ts';
import {
  hasSecretFile,
  PUBLIC_MODE,
  readPublicFile,
  readSecretFile,
  SECRET_MODE,
  writeKeyFiles,
} from '../../trust/key-files.ts';
import { newSigningKey, type SigningKey, signingKeyFromSeed } from '../../trust/nkeys.ts';
import { type EnrollmentId, type PeelId, parseEnrollmentId, parsePeelId } from '../../wire/names/ids.ts';

/** `enrollment.json`. */
export interface BegunEnrollment {
  readonly peelId: PeelId;
  readonly enrollmentId: EnrollmentId;
  readonly masters: readonly string[];
  readonly natsUrls: readonly string[];
  readonly trust: TrustRung;
  /** Of the root of the fleet. */
  readonly caPin: string;
}

const NODE_ID = 'node-id';
const ENROLLMENT = 'enrollment.json';
const ENROLL_CA = 'enroll-ca.crt';
const NATS_CA = 'nats-ca.crt';
const RELEASE_KEY = 'release-key';
const VERSION = 1;
const RUNGS: readonly TrustRung[] = ['ca-file', 'pin', 'persisted', 'system', 'first-use'];

export const peelCredsPath = (dir: string, peel: PeelId): string => `${dir}/${peel}.creds`;
export const natsCaPath = (dir: string): string => `${dir}/${NATS_CA}`;
const enrollCaPath = (dir: string): string => `${dir}/${ENROLL_CA}`;

/** The id that this machine was given once; undefined when it was not. */
export function readPinnedName(dir: string): PeelId | undefined {
  const file = `${dir}/${NODE_ID}`;
  if (!hasSecretFile(file)) return undefined;
  const peelId = parsePeelId(readPublicFile(file).trim());
  if (peelId === undefined)
    throw zesterError('JOIN_FILE_DAMAGED', { file, problem: 'it holds no id of a peel' });
  return peelId;
}

/** Pins the id; refuses one that is not the pinned one. */
export function pinName(dir: string, peelId: PeelId): void {
  const pinned = readPinnedName(dir);
  if (pinned === undefined)
    writeKeyFiles(dir, [{ path: NODE_ID, mode: PUBLIC_MODE, text: `${peelId}\n` }], { force: false });
  else if (pinned !== peelId)
    throw zesterError('JOIN_ID_PINNED', { pinned, file: `${dir}/${NODE_ID}`, id: peelId });
}

/** The key of this machine: the one that is there, also where only credentials of an earlier Zester have it, or a new one. */
export function keyOfMachine(dir: string, peelId: PeelId, random: Random): SigningKey {
  const name = `${peelId}.seed`;
  const file = `${dir}/${name}`;
  if (hasSecretFile(file)) return readSeed(file);
  const creds = peelCredsPath(dir, peelId);
  const key = hasSecretFile(creds) ? loadCreds(creds).key : newSigningKey('user', random);
  writeKeyFiles(dir, [{ path: name, mode: SECRET_MODE, text: `${key.exposeSeed()}\n` }], { force: false });
  return key;
}

function readSeed(file: string): SigningKey {
  try {
    return signingKeyFromSeed(readSecretFile(file).trim(), 'user');
  } catch (cause) {
    throw zesterError('JOIN_FILE_DAMAGED', { file, problem: 'it holds no seed of a user key' }, { cause });
  }
}

/** The CA by which doors were judged before; undefined when there is none. */
export function readPersistedCa(dir: string): { readonly path: string; readonly pem: string } | undefined {
  const path = enrollCaPath(dir);
  return hasSecretFile(path) ? { path, pem: readPublicFile(path) } : undefined;
}

export interface TrustFiles {
  /** PEM; undefined: doors are judged by the CAs of the system. */
  readonly doorCas: readonly string[] | undefined;
  readonly natsCa: string;
}

/** What a join has learned once its request is with a master; replaces what an earlier one left. */
export function writeBegun(dir: string, begun: BegunEnrollment, { doorCas, natsCa }: TrustFiles): void {
  const doorFile = { path: ENROLL_CA, mode: PUBLIC_MODE, text: doorCas?.join('') ?? '' } as const;
  const files = [
    { path: NATS_CA, mode: PUBLIC_MODE, text: natsCa },
    ...(doorCas === undefined ? [] : [doorFile]),
    { path: ENROLLMENT, mode: PUBLIC_MODE, text: enrollmentText(begun) },
  ] as const;
  writeKeyFiles(dir, files, { force: true });
}

/** Other addresses of the same fleet. */
export function writeEnrollment(dir: string, enrollment: BegunEnrollment): void {
  const file = { path: ENROLLMENT, mode: PUBLIC_MODE, text: enrollmentText(enrollment) } as const;
  writeKeyFiles(dir, [file], { force: true });
}

/** Replaces what is there. */
export function writeCredsFile(path: string, jwt: string, key: SigningKey): void {
  const file = { path: basename(path), mode: SECRET_MODE, text: formatCreds(jwt, key) } as const;
  writeKeyFiles(dirname(path), [file], { force: true });
}

/** Undefined when no enrollment was begun here. */
export function readEnrollment(dir: string): BegunEnrollment | undefined {
  const file = `${dir}/${ENROLLMENT}`;
  if (!hasSecretFile(file)) return undefined;
  const enrollment = parseEnrollment(readPublicFile(file));
  if (enrollment === undefined)
    throw zesterError('JOIN_FILE_DAMAGED', { file, problem: 'it does not say which enrollment it is about' });
  return enrollment;
}

/** Decision 54: what was pinned stays until somebody takes the file away. */
export function pinReleaseKey(dir: string, key: string): void {
  const file = `${dir}/${RELEASE_KEY}`;
  if (!hasSecretFile(file)) {
    writeKeyFiles(dir, [{ path: RELEASE_KEY, mode: PUBLIC_MODE, text: `${key}\n` }], { force: false });
    return;
  }
  const pinned = parsePin(readPublicFile(file));
  if (pinned === undefined)
    throw zesterError('JOIN_FILE_DAMAGED', { file, problem: 'it holds no sha256: fingerprint' });
  if (pinned !== key) throw zesterError('JOIN_RELEASE_KEY', { pinned, file, key });
}

function enrollmentText(enrollment: BegunEnrollment): string {
  const { peelId, enrollmentId, masters, natsUrls, trust, caPin } = enrollment;
  const fields = {
    v: VERSION,
    peel_id: peelId,
    enrollment_id: enrollmentId,
    masters,
    nats_urls: natsUrls,
    trust,
    ca_pin: caPin,
  };
  return `${JSON.stringify(fields, undefined, 2)}\n`;
}

function parseEnrollment(text: string): BegunEnrollment | undefined {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const { peel_id, enrollment_id, masters, nats_urls: natsUrls, trust, ca_pin } = fields;
  const peelId = parsePeelId(String(peel_id));
  const enrollmentId = parseEnrollmentId(String(enrollment_id));
  const caPin = parsePin(String(ca_pin));
  const rung = RUNGS.find((known) => known === trust);
  if (fields.v !== VERSION || peelId === undefined || enrollmentId === undefined) return undefined;
  if (caPin === undefined || rung === undefined || !areTexts(masters) || !areTexts(natsUrls))
    return undefined;
  if (parseDoorUrls(masters.join(',')) === undefined) return undefined;
  return { peelId, enrollmentId, masters, natsUrls, trust: rung, caPin };
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
