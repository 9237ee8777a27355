/**
 * `joinMachine` is `zester-peel join` without its words: it settles what the machine is called and what it trusts, and enrolls it.
 * One at a time in a directory. A machine that has joined already is left as it is, unless it is told to join again, to
 * other masters or by another pin. Whether it has, a master is asked: credentials look the same after they were revoked.
 *
 * `goOnJoining` is the daemon's half: it goes on with an enrollment that was begun, and asks again for credentials that have
 * expired, by the CA that the join left and by nothing less.
 */

import { type DoorUrl, parseDoorUrls } from '../../core/enroll/door-url.ts';
import { type JoinedVerdict, joinedVerdict } from '../../core/enroll/door-verdict.ts';
import { peelIdOfHost } from '../../core/enroll/machine-name.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { lockDirectory } from '../../process/directory-lock.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isExpired } from '../../trust/accounts/jwt.ts';
import { loadCreds } from '../../trust/auth-dir.ts';
import { hasSecretFile, makeDirectories, readPublicFile, readSecretFile } from '../../trust/key-files.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import { type EnrollmentId, type PeelId, peelName } from '../../wire/names/ids.ts';
import { readLine, readText, type TextFiles } from '../facts/machine-text.ts';
import { fqdnOf } from '../facts/network-facts.ts';
import { ANSWER_MS } from './door-request.ts';
import type { JoinLine, TrustedBy } from './doors.ts';
import {
  askHowItStands,
  enrollMachine,
  type JoinedMachine,
  type MachineEnrollment,
  refusal,
} from './enroll-machine.ts';
import { type JoinOptions, parseToken } from './join-options.ts';
import {
  type BegunEnrollment,
  peelCredsPath,
  pinName,
  pinReleaseKey,
  readEnrollment,
  readPersistedCa,
  readPinnedName,
  writeEnrollment,
} from './peel-auth-dir.ts';

export interface JoinReport extends JoinedMachine {
  readonly peelId: PeelId;
  readonly credsFile: string;
  /** It had joined before, as a master has confirmed, and nothing was changed. */
  readonly unchanged: boolean;
}

/** To reach a master, unless told otherwise. */
const REACH_MS = 300_000;
/** The same where there are credentials, and the question is only whether they count. */
const CONFIRM_MS = 20_000;
/** Of one answer: a short --timeout shortens it too, but not to nothing. */
const ANSWER_MS_MIN = 1_000;
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
    const hasCredentials = hasSecretFile(credsFile);
    const means = { caFile, pins, persisted: readPersistedCa(dir), hasCredentials, strict: options.strict };
    const plan = { dir, doors, peelId, hostname, means, token, approvalMs: timeoutMs };
    const lineFor = (reachMs: number) => ({
      ...{ ...line, reachMs },
      answerMs: Math.min(ANSWER_MS, Math.max(reachMs, ANSWER_MS_MIN)),
    });
    const known = options.again ? undefined : joinedBefore(dir, peelId, options, line.clock.nowMs());
    const stands = known && (await confirmed(plan, known, lineFor(timeoutMs ?? CONFIRM_MS)));
    if (known !== undefined && stands?.is === 'joined')
      return { ...known, enrollmentId: stands.id, peelId, credsFile, unchanged: true };
    const begun = stands?.is === 'go-on' ? stands.id : undefined;
    const joined = await enrollMachine({ ...plan, begun }, lineFor(timeoutMs ?? REACH_MS));
    return { ...joined, peelId, credsFile, unchanged: false };
  });
}

/** What the masters say about credentials that are here. Throws where the machine was shut out, and where none can be asked. */
async function confirmed(
  plan: Pick<MachineEnrollment, 'dir' | 'doors' | 'peelId' | 'means'>,
  { enrollmentId: id, expiresAtMs }: JoinedMachine,
  line: JoinLine,
): Promise<{ readonly is: JoinedVerdict; readonly id: EnrollmentId }> {
  const { dir, peelId: peel } = plan;
  const status = await askHowItStands(plan, id, line).catch((error: unknown) => {
    if (!isZesterError(error, 'JOIN_UNREACHABLE')) throw error;
    const until = expiresAtMs === undefined ? 'no end' : formatRfc3339(nanosFromMs(expiresAtMs));
    throw zesterError('JOIN_UNCONFIRMED', { peel, id, until, why: error.message }, { cause: error.cause });
  });
  const verdict = joinedVerdict(status?.state);
  if (status !== undefined && verdict === 'shut-out') throw refusal(status, peel);
  if (status === undefined) line.say(`the masters do not know enrollment ${id} any more: asking anew`);
  const enrollment = readEnrollment(dir);
  if (status !== undefined && verdict === 'joined' && enrollment !== undefined && status.id !== id)
    writeEnrollment(dir, { ...enrollment, enrollmentId: status.id });
  return { is: verdict, id: status?.id ?? id };
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

/** Credentials that are good by this machine's clock, of the fleet and the masters that were asked for. */
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
