/**
 * `tendConnection` looks after a peel that cannot get through to NATS, by asking the masters' doors, which its join left the addresses
 * and the CA of. When the connection has been down for some minutes, or the credentials have expired:
 *
 *   servers     the addresses of the NATS servers are asked for; new ones are written down and used at the next try
 *   expired     the machine enrolls again with the same key; where that was approved before, nobody needs to approve it again
 *   shut out    an enrollment that was revoked is told in the log, once: the machine does not ask to be let in again by itself
 *   clock       a clock that is not the server's is told in the log: certificates and credentials are good for a time
 *
 * Nothing here is needed by a peel that is connected. One look at a time; what fails is told and comes again with the next one.
 */
import type { NatsLine } from '../../bus/nats/nats-connection.ts';
import { parseNatsUrl } from '../../bus/nats/nats-url.ts';
import { clockVerdict } from '../../core/enroll/door-verdict.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { parseDateText } from '../../runtime/clock.ts';
import { periodic } from '../../runtime/periodic.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { stopSource } from '../../runtime/signals.ts';
import { isExpired } from '../../trust/accounts/jwt.ts';
import type { Creds } from '../../trust/creds.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import { ENROLL_CA_PATH } from '../../wire/names/enroll-routes.ts';
import { enrollmentStatus } from './await-decision.ts';
import { bootstrapOf } from './door-trust.ts';
import { type DoorSaid, Doors, type JoinLine } from './doors.ts';
import { doorsOf, goOnJoining, trustOfJoin } from './join-machine.ts';
import { type BegunEnrollment, readEnrollment, writeEnrollment } from './peel-auth-dir.ts';

export interface TendTimes {
  /** The connection may be down for this long before anybody is asked. */
  readonly patienceMs: number;
  readonly lookEveryMs: number;
  /** To reach a door, at one look. */
  readonly reachMs: number;
}

const TEND_TIMES: TendTimes = { patienceMs: 180_000, lookEveryMs: 60_000, reachMs: 30_000 };
const LOOK_SPREAD = 0.3;
const DATE_CHARS_MAX = 40;

export interface TendPorts {
  readonly connection: Pick<NatsLine, 'status' | 'failure' | 'useServers'>;
  readonly runtime: Runtime;
  readonly authDir: string;
  readonly readCreds: () => Creds;
  /** Given on the command line: then nobody is asked for others. */
  readonly areServersGiven: boolean;
  readonly times?: TendTimes;
}

export function tendConnection(ports: TendPorts): { stop(): void } {
  const { connection, runtime, readCreds, times = TEND_TIMES } = ports;
  const { clock } = runtime;
  const stopped = stopSource();
  let downSinceMs: number | undefined;
  let isShutOutTold = false;

  async function look(): Promise<void> {
    if (connection.status() === 'connected') {
      downSinceMs = undefined;
      return;
    }
    downSinceMs ??= clock.monotonicMs();
    const expired = isExpired(readCreds().claims, clock.nowMs());
    const isLong = clock.monotonicMs() - downSinceMs >= times.patienceMs;
    const enrollment = expired || isLong ? readEnrollment(ports.authDir) : undefined;
    if (enrollment === undefined) return;
    const line = lineOf(ports, times, stopped.signal);
    await tend(ports, enrollment, expired, line);
    if (!expired && !isShutOutTold) isShutOutTold = await tellShutOut(ports, enrollment, line);
  }

  const what = 'asking the masters about the NATS servers';
  const looks = periodic(runtime, { what, everyMs: times.lookEveryMs, spread: LOOK_SPREAD }, look);
  return {
    stop() {
      looks.stop();
      stopped.abort();
    },
  };
}

async function tend(
  ports: TendPorts,
  enrollment: BegunEnrollment,
  expired: boolean,
  line: JoinLine,
): Promise<void> {
  const { authDir, connection, areServersGiven } = ports;
  const { log } = ports.runtime;
  const doors = new Doors(doorsOf(enrollment), line);
  const answer = await doors.ask({ path: ENROLL_CA_PATH }, trustOfJoin(authDir));
  tellClock(ports, answer);
  const { natsUrls } = bootstrapOf(answer.door, answer.status, answer.body);
  const urls = natsUrls.map((url) => parseNatsUrl(url).url);
  if (!areServersGiven && urls.length > 0 && urls.join() !== enrollment.natsUrls.join()) {
    writeEnrollment(authDir, { ...enrollment, natsUrls: urls });
    connection.useServers(urls);
    log.warn('the NATS servers are elsewhere now, by the word of a master', { servers: urls });
  }
  if (!expired) return;
  log.warn('the credentials have expired; enrolling again with the same key');
  await goOnJoining(authDir, enrollment, true, line);
  log.info('there are new credentials');
}

function lineOf({ runtime }: TendPorts, { reachMs }: TendTimes, signal: AbortSignal): JoinLine {
  const { clock, random, log } = runtime;
  return { clock, random, signal, say: (line: string) => log.info(line), reachMs };
}

/** Whether there was something to tell. */
async function tellShutOut(
  { runtime, authDir }: TendPorts,
  enrollment: BegunEnrollment,
  line: JoinLine,
): Promise<boolean> {
  const { peelId, enrollmentId: id } = enrollment;
  const doors = new Doors(doorsOf(enrollment), line);
  const status = await enrollmentStatus(doors, { id, peelId, trust: trustOfJoin(authDir) });
  if (status?.state !== 'revoked' && status?.state !== 'rejected') return false;
  const { state, message: reason } = status;
  runtime.log.error('this machine is shut out; to ask to be let in again, run `zester-peel join`', {
    ...{ enrollment: id, state, reason },
  });
  return true;
}

/** A server goes by its own clock when it judges our credentials, and we by ours when we judge its certificate. */
function tellClock({ runtime, connection }: TendPorts, { date, door }: DoorSaid): void {
  const nowMs = runtime.clock.nowMs();
  if (clockVerdict(nowMs, parseDateText(date)) !== 'clock') return;
  const failure = connection.failure();
  runtime.log.warn('the clock of this machine is wrong, which may be why NATS cannot be reached; set it', {
    clock: formatRfc3339(nanosFromMs(Math.floor(nowMs / 1000) * 1000)),
    server_clock: printableLine(date, DATE_CHARS_MAX),
    server: door.url,
    ...(isZesterError(failure) ? { error: failure } : {}),
  });
}
