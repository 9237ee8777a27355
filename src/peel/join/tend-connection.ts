/**
 * `tendConnection` looks after a peel that cannot get through to NATS, by asking the masters' doors, which its join left the addresses
 * and the CA of. When the connection has been down for some minutes, or the credentials have expired or are refused:
 *
 *   servers     the addresses of the NATS servers are asked for; new ones are written down and used at the next try
 *   expired     the machine enrolls again with the same key; where that was approved before, nobody needs to approve it again
 *   rotated     the same, where NATS refuses the credentials and their agents key is none that the masters name any more
 *   refused     the servers do not accept the credentials for another reason: a master is asked how the enrollment stands, and what it says is
 *               logged with what to do. A machine that was revoked does not ask again by itself; one that has asked again goes on with that
 *   clock       a clock that is not the server's is told in the log: certificates and credentials are good for a time
 *
 * Nothing here is needed by a peel that is connected. One look at a time; what fails is told and comes again with the next one.
 */
import { isCredentialsFailure } from '../../bus/nats/connect-failure.ts';
import type { NatsLine } from '../../bus/nats/nats-connection.ts';
import { parseNatsUrl } from '../../bus/nats/nats-url.ts';
import type { StatusRead } from '../../core/enroll/door-answers.ts';
import { clockVerdict, type JoinedVerdict, joinedVerdict } from '../../core/enroll/door-verdict.ts';
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
import type { EnrollmentId } from '../../wire/names/ids.ts';
import { enrollmentStatus } from './await-decision.ts';
import { bootstrapOf } from './door-trust.ts';
import { type DoorSaid, Doors } from './doors.ts';
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

/** Why a door is asked. */
type Trouble = 'expired' | 'refused' | 'down';

export function tendConnection(ports: TendPorts): { stop(): void } {
  const { connection, runtime, readCreds, times = TEND_TIMES } = ports;
  const { clock } = runtime;
  const stopped = stopSource();
  const teller = new RefusalTeller(runtime.log);
  let downSinceMs: number | undefined;

  async function look(): Promise<void> {
    if (connection.status() === 'connected') {
      downSinceMs = undefined;
      teller.forget();
      return;
    }
    downSinceMs ??= clock.monotonicMs();
    const isLong = clock.monotonicMs() - downSinceMs >= times.patienceMs;
    const trouble = troubleNow(isLong);
    const enrollment = trouble === undefined ? undefined : readEnrollment(ports.authDir);
    if (trouble === undefined || enrollment === undefined) return;
    await tend(ports, enrollment, trouble, teller, { ...times, signal: stopped.signal });
  }

  function troubleNow(isLong: boolean): Trouble | undefined {
    if (isExpired(readCreds().claims, clock.nowMs())) return 'expired';
    if (isCredentialsFailure(connection.failure())) return 'refused';
    return isLong ? 'down' : undefined;
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
  trouble: Trouble,
  teller: RefusalTeller,
  { reachMs, signal }: Pick<TendTimes, 'reachMs'> & { readonly signal: AbortSignal },
): Promise<void> {
  const { runtime, authDir, connection, areServersGiven } = ports;
  const { clock, random, log } = runtime;
  const line = { clock, random, signal, say: (text: string) => log.info(text), reachMs };
  const doors = new Doors(doorsOf(enrollment), line);
  const trust = trustOfJoin(authDir);
  const answer = await doors.ask({ path: ENROLL_CA_PATH }, trust);
  tellClock(ports, answer);
  const { natsUrls, agentsKeys } = bootstrapOf(answer.door, answer.status, answer.body);
  const urls = natsUrls.map((url) => parseNatsUrl(url).url);
  if (!areServersGiven && urls.length > 0 && urls.join() !== enrollment.natsUrls.join()) {
    writeEnrollment(authDir, { ...enrollment, natsUrls: urls });
    connection.useServers(urls);
    log.warn('the NATS servers are elsewhere now, by the word of a master', { servers: urls });
  }
  if (trouble === 'down') return;
  const isRotated = agentsKeys.length > 0 && !agentsKeys.includes(ports.readCreds().claims.iss);
  if (trouble === 'expired') log.warn('the credentials have expired; enrolling again with the same key');
  else if (isRotated)
    log.warn('the agents key that signed the credentials has ended; enrolling again with the same key');
  else {
    const { enrollmentId: id, peelId } = enrollment;
    const status = await enrollmentStatus(doors, { id, peelId, trust });
    teller.tell(status, id);
    if (joinedVerdict(status?.state) !== 'go-on') return;
  }
  await goOnJoining(authDir, enrollment, trouble === 'expired' || isRotated, line);
  log.info('there are new credentials');
}

/** Says what the masters say about an enrollment whose credentials NATS refuses: when it is news, not at every look. */
class RefusalTeller {
  private readonly log: Runtime['log'];
  private told = '';

  constructor(log: Runtime['log']) {
    this.log = log;
  }

  /** The next word is news again. */
  forget(): void {
    this.told = '';
  }

  tell(status: StatusRead | undefined, asked: EnrollmentId): void {
    const { id = asked, state = 'unknown', message: reason = '' } = status ?? {};
    const word = `${id} ${state}`;
    if (word === this.told) return;
    this.told = word;
    const fields = { id, state, ...(reason === '' ? {} : { reason }) };
    this.log.warn(
      `NATS refuses the credentials of this peel: ${REFUSED_WORDS[joinedVerdict(status?.state)]}`,
      fields,
    );
  }
}

const REFUSED_WORDS: Readonly<Record<JoinedVerdict, string>> = {
  joined:
    'its enrollment is good, the masters say, so the servers keep it out for another reason; `zester doctor` names peels that were cut off and servers with other documents',
  'go-on': 'it has asked to join again, and goes on with that',
  anew: 'there is no enrollment that lets it in; `zester-peel join` with --again asks for one',
  'shut-out':
    'its enrollment was revoked; if that was not meant, `zester-peel join` with --again makes a new request, about which an operator decides',
};

/** A server goes by its own clock when it judges our credentials, and we by ours when we judge its certificate. */
function tellClock({ runtime, connection }: TendPorts, { date, door }: DoorSaid): void {
  const nowMs = runtime.clock.nowMs();
  if (clockVerdict(nowMs, parseDateText(date)) !== 'clock') return;
  const failure = connection.failure();
  runtime.log.warn(
    'the clocks of this machine and of a master differ, which may be why NATS cannot be reached; set the wrong one',
    {
      clock: formatRfc3339(nanosFromMs(Math.floor(nowMs / 1000) * 1000)),
      server_clock: printableLine(date, DATE_CHARS_MAX),
      server: door.url,
      ...(isZesterError(failure) ? { error: failure } : {}),
    },
  );
}
