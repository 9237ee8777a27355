/**
 * `joinMachine` is `zester-peel join` without its words: it settles what the machine is called and what it trusts, and enrolls it.
 * One at a time in a directory. A machine that has credentials is left as it is when the masters say that they count, or when none of
 * them can be asked; it asks again where they were taken back, and when it is told to: again, to other masters, by another pin.
 *
 * `goOnJoining` is the daemon's half: it goes on with an enrollment that was begun, and asks again for credentials that have
 * expired, by the CA that the join left and by nothing less.
 */

import { type DoorUrl, parseDoorUrls } from '../../core/enroll/door-url.ts';
import { peelIdOfHost } from '../../core/enroll/machine-name.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { lockDirectory } from '../../process/directory-lock.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isExpired } from '../../trust/accounts/jwt.ts';
import { loadCreds } from '../../trust/auth-dir.ts';
import { hasSecretFile, makeDirectories, readPublicFile, readSecretFile } from '../../trust/key-files.ts';
import { type EnrollmentId, type PeelId, peelName } from '../../wire/names/ids.ts';
import type { EnrollmentState } from '../../wire/records/enroll/enrollment.ts';
import { readLine, readText, type TextFiles } from '../facts/machine-text.ts';
import { fqdnOf } from '../facts/network-facts.ts';
import { enrollmentStatus } from './await-decision.ts';
import { ANSWER_MS } from './door-request.ts';
import { Doors, type JoinLine, type TrustedBy } from './doors.ts';
import { enrollMachine, type JoinedMachine } from './enroll-machine.ts';
import { type JoinOptions, parseToken } from './join-options.ts';
import {
  type BegunEnrollment,
  peelCredsPath,
  pinName,
  pinReleaseKey,
  readEnrollment,
  readPersistedCa,
  readPinnedName,
} from './peel-auth-dir.ts';

export interface JoinReport extends JoinedMachine {
  readonly peelId: PeelId;
  readonly credsFile: string;
  /** It had joined before: by the word of a master, or as far as this machine knows. Undefined: it joined now. */
  readonly before: 'confirmed' | 'unconfirmed' | undefined;
}

/** To reach a master, unless told otherwise. */
const REACH_MS = 300_000;
/** Of one answer: a short --timeout shortens it too, but not to nothing. */
const ANSWER_MS_MIN = 1_000;
/** To ask how an enrollment stands whose credentials are there: whoever runs the command again must not wait for masters. */
const STANDING_MS = 3_000;
const LOCK_NAME = 'join.lock';

export async function joinMachine(
  options: JoinOptions,
  files: TextFiles,
  line: Omit<JoinLine, 'reachMs'>,
): Promise<JoinReport> {
  const { authDir: dir, doors, pins, timeoutMs } = options;
  const token = tokenOf(options);
  const caFile = options.caFile === undefined ? undefined : caFileOf(options.caFile);
  const hostname = await hostNameOf(files);
  return locked(dir, line.clock, async () => {
    const peelId = options.id ?? readPinnedName(dir) ?? namedAfter(hostname);
    const credsFile = peelCredsPath(dir, peelId);
    if (readPinnedName(dir) !== undefined) pinName(dir, peelId);
    if (options.releaseKey !== undefined) pinReleaseKey(dir, options.releaseKey);
    const known = options.again ? undefined : joinedBefore(dir, peelId, options, line.clock.nowMs());
    const standing =
      known === undefined ? 'none' : await standingOf(options, peelId, known.enrollmentId, line);
    if (known !== undefined && (standing === 'unheard' || standing === 'issued' || standing === 'active'))
      return { ...known, peelId, credsFile, before: standing === 'unheard' ? 'unconfirmed' : 'confirmed' };
    const begun = standing === 'pending' || standing === 'approved' ? known?.enrollmentId : undefined;
    const persisted = readPersistedCa(dir);
    const means = {
      caFile,
      pins,
      persisted,
      hasCredentials: hasSecretFile(credsFile),
      strict: options.strict,
    };
    const plan = { dir, doors, peelId, hostname, means, token, begun, approvalMs: timeoutMs };
    const reachMs = timeoutMs ?? REACH_MS;
    const answerMs = Math.min(ANSWER_MS, Math.max(reachMs, ANSWER_MS_MIN));
    const joined = await enrollMachine(plan, { ...line, reachMs, answerMs });
    return { ...joined, peelId, credsFile, before: undefined };
  });
}

type Standing = EnrollmentState | 'none' | 'unheard';

/** What a master says of the enrollment that left credentials here; `none`: it knows none of that id. */
async function standingOf(
  { authDir, doors }: JoinOptions,
  peelId: PeelId,
  id: EnrollmentId,
  line: Omit<JoinLine, 'reachMs'>,
): Promise<Standing> {
  const times = { reachMs: STANDING_MS, answerMs: STANDING_MS };
  const asked = new Doors(doors, { ...line, ...times, say: () => undefined });
  try {
    const status = await enrollmentStatus(asked, { id, peelId, trust: trustOfJoin(authDir) });
    const { state = 'none', message = '' } = status ?? {};
    if (state === 'rejected' || state === 'revoked')
      line.say(
        `enrollment ${id} of ${peelId} was ${state}${message === '' ? '' : ` (${message})`}; asking again`,
      );
    return state;
  } catch (error) {
    if (isZesterError(error, 'JOIN_UNREACHABLE')) return 'unheard';
    throw error;
  }
}

/** By what a door is judged after the join. */
export function trustOfJoin(dir: string): TrustedBy {
  const persisted = readPersistedCa(dir);
  return persisted === undefined
    ? { rung: 'system', anchors: 'system' }
    : { rung: 'persisted', anchors: [persisted.pem] };
}

/** Goes on with an enrollment until there are credentials; with `anew` it makes a new request with the same key. */
export async function goOnJoining(
  dir: string,
  enrollment: BegunEnrollment,
  anew: boolean,
  line: Omit<JoinLine, 'reachMs'>,
): Promise<JoinedMachine> {
  const { peelId, enrollmentId } = enrollment;
  return locked(dir, line.clock, () =>
    enrollMachine(
      {
        dir,
        doors: doorsOf(enrollment),
        peelId,
        hostname: peelName(peelId),
        means: {
          caFile: undefined,
          pins: [],
          persisted: readPersistedCa(dir),
          hasCredentials: true,
          strict: true,
        },
        begun: anew ? undefined : enrollmentId,
        approvalMs: undefined,
      },
      { ...line, reachMs: Number.POSITIVE_INFINITY },
    ),
  );
}

/** Checked when the file was read. */
export function doorsOf({ masters }: BegunEnrollment): readonly DoorUrl[] {
  return parseDoorUrls(masters.join(',')) ?? [];
}

async function locked<T>(dir: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  try {
    makeDirectories(dir);
  } catch (cause) {
    throw zesterError('LOCK_UNUSABLE', { path: dir, reason: (cause as Error).message }, { cause });
  }
  const inUse = ({ pid, since }: { readonly pid: number | 'unknown'; readonly since: string }) =>
    zesterError('JOIN_IN_PROGRESS', { pid, dir, since });
  const lock = await lockDirectory(clock, dir, inUse, LOCK_NAME);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Credentials that are good, of the fleet and the masters that were asked for. */
function joinedBefore(
  dir: string,
  peelId: PeelId,
  { doors, pins }: JoinOptions,
  nowMs: number,
): JoinedMachine | undefined {
  const enrollment = readEnrollment(dir);
  const credsFile = peelCredsPath(dir, peelId);
  if (enrollment?.peelId !== peelId || !hasSecretFile(credsFile)) return undefined;
  const isSameFleet = pins.length === 0 || pins.includes(enrollment.caPin);
  const areSameMasters = doors.map(({ url }) => url).join() === enrollment.masters.join();
  const { claims } = loadCreds(credsFile);
  if (!isSameFleet || !areSameMasters || isExpired(claims, nowMs)) return undefined;
  const { enrollmentId, natsUrls } = enrollment;
  return { enrollmentId, natsUrls, expiresAtMs: claims.exp === undefined ? undefined : claims.exp * 1000 };
}

function namedAfter(hostname: string): PeelId {
  const named = peelIdOfHost(hostname);
  if ('peelId' in named) return named.peelId;
  throw zesterError('JOIN_NO_NAME', { problem: named.problem });
}

/** As `hostname -f` finds it without the DNS; the same as the fact. */
async function hostNameOf(files: TextFiles): Promise<string> {
  const hostname = (await readLine(files, '/proc/sys/kernel/hostname')) ?? '';
  return fqdnOf(hostname, (await readText(files, '/etc/hosts')) ?? '');
}

function tokenOf({ token }: JoinOptions): string | undefined {
  if (token === undefined) return undefined;
  return 'text' in token ? token.text : parseToken(readSecretFile(token.file));
}

function caFileOf(path: string): { readonly path: string; readonly pem: string } {
  try {
    return { path, pem: readPublicFile(path) };
  } catch (cause) {
    throw zesterError('JOIN_CA_FILE', { file: path, problem: 'it cannot be read' }, { cause });
  }
}
