/** This file reads the options of zester-master about enrollment: where machines may join, with which certificate, how fast. */
import { CREDENTIALS_DAYS_MAX } from '../../core/accounts/desired-revocations.ts';
import { parseDuration } from '../../core/duration.ts';
import { DOOR_BOUNDS } from '../../core/enroll/desk/door-limits.ts';
import { parseHealthAddress } from '../../daemon/health-address.ts';
import { ENROLL_PORT } from '../../wire/names/enroll-routes.ts';
import type { CertificateFiles } from './http/door-certificate.ts';
import type { DoorAddress } from './http/enroll-door.ts';

export interface EnrollOptions {
  readonly address: DoorAddress | 'off';
  /** Nobody asked for this address. */
  readonly isDefault: boolean;
  readonly file: string | undefined;
  /** Names in the certificate that the master issues to itself; undefined: those that this machine has. */
  readonly names: readonly string[] | undefined;
  /** A certificate from elsewhere. */
  readonly files: CertificateFiles | undefined;
  /** Where peels find NATS; undefined: where the master does. */
  readonly natsAdvertise: readonly string[] | undefined;
  /** Requests of one address in a second. */
  readonly perSecond: number;
}

export const ENROLL_VALUES = [
  'enroll-addr',
  'enroll-file',
  'enroll-name',
  'enroll-cert',
  'enroll-key',
  'enroll-rate',
  'nats-advertise',
  'peel-creds-valid',
] as const;

const ANY_HOST = `:${ENROLL_PORT}`;
const PER_SECOND_MAX = 100_000;
const HOUR_MS = 3_600_000;
const CREDS_VALID_MS_MIN = 60_000;
/** A revocation is forgotten when no credentials can be as old. */
const CREDS_VALID_HOURS_MAX = CREDENTIALS_DAYS_MAX * 24;

export const ENROLL_HELP = [
  '  --enroll-addr ADDRESS  where machines join over HTTPS: [HOST]:PORT, port 0 for a free one, or off;',
  `                         default ${ANY_HOST}`,
  '  --enroll-file FILE     write the address that is served to this file',
  '  --enroll-name NAME[,NAME…]',
  '                         names and addresses by which machines know this master; default those of this machine',
  '  --enroll-cert FILE, --enroll-key FILE',
  '                         certificate chain and key to serve instead of one of the CA in --auth-dir',
  `  --enroll-rate N        requests that one address may send in a second; default ${DOOR_BOUNDS.perSecond}`,
  '  --nats-advertise URL[,URL…]',
  '                         addresses of the NATS servers that machines are told; default those of --nats-url',
  '  --peel-creds-valid TIME',
  '                         how long credentials of peels are good, which renew them in time; default 4320h (180 days)',
].join('\n');

type Given = Pick<ReadonlyMap<string, string>, 'get'>;

export function enrollOptions(given: Given, refuse: (problem: string) => Error): EnrollOptions {
  const text = given.get('enroll-addr');
  const address = parseDoorAddress(text ?? ANY_HOST);
  if (address === undefined)
    throw refuse(`option --enroll-addr is [HOST]:PORT, such as ${ANY_HOST}, or off, not ${text}`);
  const file = given.get('enroll-file');
  if (address === 'off' && file !== undefined)
    throw refuse('option --enroll-file has nothing to tell with --enroll-addr off');
  const [certFile, keyFile] = [given.get('enroll-cert'), given.get('enroll-key')];
  if ((certFile === undefined) !== (keyFile === undefined))
    throw refuse('options --enroll-cert and --enroll-key are given together');
  return {
    address,
    isDefault: text === undefined,
    file,
    names: given.get('enroll-name')?.split(','),
    files: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
    natsAdvertise: given.get('nats-advertise')?.split(','),
    perSecond: rateOf(given, refuse),
  };
}

/** Undefined: not given. */
export function credsValidOf(given: Given, refuse: (problem: string) => Error): number | undefined {
  const text = given.get('peel-creds-valid');
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined || ms < CREDS_VALID_MS_MIN || ms > CREDS_VALID_HOURS_MAX * HOUR_MS)
    throw refuse(
      `option --peel-creds-valid is a duration from 1m to ${CREDS_VALID_HOURS_MAX}h, such as 4320h, not ${text}`,
    );
  return ms;
}

function parseDoorAddress(text: string): DoorAddress | 'off' | undefined {
  if (!text.startsWith(':')) return parseHealthAddress(text);
  const any = parseHealthAddress(`any${text}`);
  return any === undefined || any === 'off' ? undefined : { host: '', port: any.port };
}

function rateOf(given: Given, refuse: (problem: string) => Error): number {
  const text = given.get('enroll-rate');
  if (text === undefined) return DOOR_BOUNDS.perSecond;
  const perSecond = Number(text);
  if (!/^\d{1,6}$/.test(text) || perSecond < 1 || perSecond > PER_SECOND_MAX)
    throw refuse(`option --enroll-rate is a number from 1 to ${PER_SECOND_MAX}, not ${text}`);
  return perSecond;
}
