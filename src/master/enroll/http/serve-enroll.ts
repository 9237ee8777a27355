/**
 * `serveEnroll` puts the enrollment door of the program zester-master together: certificate, what machines are told of the CA, limits,
 * address. An address that was asked for must be had; the default one may be taken, and a master without a certificate may go
 * without a door: both are warned of, because jobs matter more.
 *
 * `file` gets the address once it is served, for those who let the system choose the port.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { DOOR_BOUNDS, DoorLimits } from '../../../core/enroll/desk/door-limits.ts';
import { isZesterError, zesterError } from '../../../core/errors/zester-error.ts';
import { addressText } from '../../../daemon/health-address.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { hasSecretFile, readPublicFile } from '../../../trust/key-files.ts';
import { type IssuingCa, spkiPin } from '../../../trust/x509/ca.ts';
import { loadRoot, rootPath } from '../../../trust/x509/ca-dir.ts';
import { readCaCertificate } from '../../../trust/x509/read-certificate.ts';
import { parseSubjectName } from '../../../trust/x509/subject-names.ts';
import { formatRfc3339, nanosFromMs } from '../../../wire/msgpack/time.ts';
import type { EnrollBootstrap } from '../../../wire/records/enroll/enroll-http.ts';
import type { EnrollOptions } from '../enroll-options.ts';
import type { EnrollmentDesk } from '../enrollment-desk.ts';
import { doorCa } from './door-ca.ts';
import { type DoorCertificate, filedCertificate, isIssuedBy, ownCertificate } from './door-certificate.ts';
import { type DoorMetrics, type EnrollDoor, openEnrollDoor } from './enroll-door.ts';

/** What the door stands on: looked at before anything is served. */
export interface DoorGround {
  readonly certificate: DoorCertificate | undefined;
  /** With the intermediate there is now. */
  readonly bootstrap: () => EnrollBootstrap | undefined;
  /** What machines that see our certificate see as its root; undefined: somebody else's. */
  readonly caPin: string | undefined;
}

export interface DoorPlace {
  readonly authDir: string;
  /** The CA of the NATS servers, where that is not the one in the auth directory. */
  readonly ca: string | undefined;
  readonly natsUrls: readonly string[];
}

/** Throws when the certificate that was asked for cannot be used. */
export function doorGround(options: EnrollOptions, place: DoorPlace, runtime: Runtime): DoorGround {
  const ca = hasSecretFile(rootPath(place.authDir)) ? doorCa(place.authDir, runtime) : undefined;
  const certificate = options.address === 'off' ? undefined : certificateOf(options, ca, place, runtime);
  const isOurs = ca !== undefined && (certificate === undefined || isIssuedBy(certificate.current(), ca()));
  if (ca !== undefined && !isOurs)
    runtime.log.info(
      'the enrollment door has a certificate of another CA: what machines see is not compared',
      {},
    );
  return {
    certificate,
    bootstrap: bootstrapOf(ca, place, options.natsAdvertise ?? place.natsUrls, runtime),
    caPin: isOurs ? spkiPin(ca().root) : undefined,
  };
}

export interface ServeEnrollParts extends DoorGround {
  readonly runtime: Runtime;
  readonly desk: EnrollmentDesk;
  readonly isReady: () => boolean;
  readonly metrics: DoorMetrics;
}

export async function serveEnroll(
  parts: ServeEnrollParts,
  { address, isDefault, file, perSecond }: EnrollOptions,
): Promise<{ stop(): Promise<void> }> {
  const { certificate, runtime } = parts;
  const nothing = { stop: () => Promise.resolve() };
  if (address === 'off' || certificate === undefined) return nothing;
  let door: EnrollDoor;
  try {
    const limits = new DoorLimits({ ...DOOR_BOUNDS, perSecond });
    door = await openEnrollDoor({ ...parts, certificate, limits }, address);
  } catch (error) {
    if (!isDefault || !isZesterError(error)) throw error;
    runtime.log.warn(
      'machines cannot join through this master: the default address is taken; choose one with --enroll-addr',
      { error },
    );
    return nothing;
  }
  const served = addressText(door.address);
  runtime.log.info('machines can join', { address: served, pin: parts.caPin ?? 'of another CA' });
  if (file !== undefined) writeAddress(file, served);
  return {
    async stop() {
      if (file !== undefined) rmSync(file, { force: true });
      await door.stop();
    },
  };
}

function certificateOf(
  { files, names, address, isDefault }: EnrollOptions,
  ca: (() => IssuingCa) | undefined,
  { authDir }: DoorPlace,
  runtime: Runtime,
): DoorCertificate | undefined {
  if (files !== undefined) return filedCertificate(files, runtime);
  if (ca !== undefined)
    return ownCertificate(ca, names ?? namesHere(address === 'off' ? '' : address.host), runtime);
  const error = zesterError('ENROLL_NO_CERTIFICATE', { dir: authDir });
  if (!isDefault) throw error;
  runtime.log.warn('machines cannot join through this master', { error });
  return undefined;
}

/** Stable as long as CA and addresses are: who compares two leaves `issued_at` out. */
function bootstrapOf(
  ca: (() => IssuingCa) | undefined,
  { authDir, ca: natsCa }: DoorPlace,
  natsUrls: readonly string[],
  { clock }: Runtime,
): () => EnrollBootstrap | undefined {
  const given = natsCa === undefined || natsCa === rootPath(authDir) ? '' : readPublicFile(natsCa);
  if (ca === undefined && given === '') return () => undefined;
  const rootPem = ca === undefined ? '' : loadRoot(authDir).pem;
  const root = ca?.().root ?? readCaCertificate(given, natsCa ?? '');
  const always = {
    v: 1,
    fingerprint: spkiPin(root),
    nats_urls: natsUrls,
    issued_at: formatRfc3339(nanosFromMs(clock.nowMs())),
  } as const;
  return () => ({ ...always, ca_bundle_pem: `${rootPem}${ca?.().intermediatePem ?? ''}${given}` });
}

/** By which machines may know this one, as long as nobody says otherwise. */
function namesHere(host: string): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const all = [hostname(), host, 'localhost', ...addresses.map(({ address }) => address.split('%')[0] ?? '')];
  return [...new Set(all)].filter(isSubjectName).slice(0, NAMES_MAX);
}

const NAMES_MAX = 32;

function isSubjectName(name: string): boolean {
  try {
    parseSubjectName(name);
    return true;
  } catch {
    return false;
  }
}

function writeAddress(file: string, address: string): void {
  try {
    writeFileSync(`${file}.tmp`, `${address}\n`);
    renameSync(`${file}.tmp`, file);
  } catch (cause) {
    throw zesterError('ENROLL_ADDRESS', { address, reason: `${file} cannot be written` }, { cause });
  }
}
