/**
 * `Doors` are the enrollment doors of a fleet's masters, asked one after the other: a request goes to the one that answered last, and to
 * the next when nobody is there or that master is in trouble (5xx). A refusal is an answer: it is not carried to another master,
 * which would say the same or hand out a second record.
 *
 * When a whole round is without an answer, `Doors` says what it waits for and tries again, with growing pauses and chance in
 * them, until the time is up. A master that has had enough of us (429) is left alone for as long as it says.
 */
import { type Backoff, backoffMs } from '../../core/backoff.ts';
import { formatDuration } from '../../core/duration.ts';
import type { DoorUrl } from '../../core/enroll/door-url.ts';
import { clockVerdict, doorVerdict } from '../../core/enroll/door-verdict.ts';
import type { TrustRung } from '../../core/enroll/trust-ladder.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { type Clock, parseDateText, sleep } from '../../runtime/clock.ts';
import { jitter, type Random } from '../../runtime/random.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import { ENROLL_CA_PATH } from '../../wire/names/enroll-routes.ts';
import {
  type DoorAnchors,
  type DoorAnswer,
  DoorFailure,
  type DoorRequest,
  requestDoor,
} from './door-request.ts';

export interface JoinLine {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** What a person wants to know meanwhile: one line, printable. */
  readonly say: (line: string) => void;
  /** How long to go on where no master can be reached. */
  readonly reachMs: number;
  readonly answerMs?: number;
}

/** The certificate of a door was judged by it. */
export interface TrustedBy {
  readonly rung: TrustRung;
  readonly anchors: DoorAnchors;
}

export interface DoorSaid extends DoorAnswer {
  readonly door: DoorUrl;
}

const RETRIES: Backoff = { firstMs: 1_000, maxMs: 30_000 };
const RETRY_SPREAD = 0.25;
/** In one request. */
const LATER_MAX = 100;
const DATE_CHARS_MAX = 40;

const RUNG_WORDS: Readonly<Record<TrustRung, string>> = {
  'ca-file': 'CA file',
  pin: 'pinned CA',
  persisted: 'CA that this machine joined with',
  system: 'CAs of the system',
  'first-use': 'CA that it shows itself',
};

export class Doors {
  private readonly urls: readonly DoorUrl[];
  private readonly line: JoinLine;
  private at = 0;
  private isClockSaid = false;

  constructor(urls: readonly DoorUrl[], line: JoinLine) {
    this.urls = urls;
    this.line = line;
  }

  /** The one that answered last, or is to be asked next. */
  get current(): DoorUrl {
    return this.urls[this.at] as DoorUrl;
  }

  /** The answer, also where it is a refusal. Throws when no master can be reached in time, and for a certificate that is not good. */
  async ask(asked: DoorRequest, trust: TrustedBy): Promise<DoorSaid> {
    return this.untilReached((door) => this.askOne(door, asked, trust));
  }

  /**
   * Asks one door after the other until `work` has its answer; where all of them are away, again after a pause. `work` throws a
   * DoorFailure `unreachable` to have the next one asked.
   */
  async untilReached<T>(work: (door: DoorUrl) => Promise<T>): Promise<T> {
    const { clock, random, signal, say, reachMs } = this.line;
    const startMs = clock.monotonicMs();
    for (let rounds = 1; ; rounds++) {
      const reasons: string[] = [];
      for (let tried = 0; tried < this.urls.length; tried++) {
        const door = this.current;
        try {
          return await work(door);
        } catch (error) {
          if (!(error instanceof DoorFailure) || error.kind !== 'unreachable') throw error;
          reasons.push(`${door.url}: ${printableLine(error.message)}`);
          this.at = (this.at + 1) % this.urls.length;
        }
      }
      const waitedMs = clock.monotonicMs() - startMs;
      const pauseMs = jitter(random, backoffMs(RETRIES, rounds), RETRY_SPREAD);
      if (waitedMs + pauseMs > reachMs)
        throw zesterError(
          'JOIN_UNREACHABLE',
          { urls: this.urls.map(({ url }) => url).join(', '), waited: formatDuration(Math.round(waitedMs)) },
          { cause: reasons.join('; ') },
        );
      say(`no master can be reached (${reasons.join('; ')}); trying again in ${Math.ceil(pauseMs / 1000)} s`);
      await sleep(clock, pauseMs, signal);
    }
  }

  /** Certificates and credentials are good for a time: whoever joins with a wrong clock should hear of it now, and once. */
  private sayClock({ date }: DoorAnswer, { url }: DoorUrl): void {
    const { clock, say } = this.line;
    const nowMs = clock.nowMs();
    if (this.isClockSaid || clockVerdict(nowMs, parseDateText(date)) !== 'clock') return;
    this.isClockSaid = true;
    const theirs = printableLine(date, DATE_CHARS_MAX);
    say(`the clock of this machine says ${secondsText(nowMs)}, that of ${url} ${theirs}: set the wrong one`);
  }

  private async askOne(door: DoorUrl, asked: DoorRequest, trust: TrustedBy): Promise<DoorSaid> {
    const { clock, signal, say } = this.line;
    for (let tries = 1; ; tries++) {
      const answer = await askTrusted(door, asked, trust, this.line);
      const verdict = doorVerdict(answer.status, answer.retryAfter);
      if (verdict.is === 'next') throw new DoorFailure('unreachable', `it answered with ${answer.status}`);
      this.sayClock(answer, door);
      if (verdict.is !== 'later' || tries >= LATER_MAX) return { ...answer, door };
      say(`${door.url} asks for patience: going on in ${Math.ceil(verdict.waitMs / 1000)} s`);
      await sleep(clock, verdict.waitMs, signal);
    }
  }
}

/** As `requestDoor`; what is wrong with a certificate or an answer comes as an error for people. */
async function askTrusted(
  door: DoorUrl,
  asked: DoorRequest,
  { anchors, rung }: TrustedBy,
  line: JoinLine,
): Promise<DoorAnswer> {
  try {
    return await requestDoor(door, asked, anchors, line);
  } catch (error) {
    throw await explained(error, door, rung, line);
  }
}

/** An unreachable door stays a DoorFailure; what else went wrong becomes an error for people. */
export async function explained(
  error: unknown,
  { host, port, url }: DoorUrl,
  rung: TrustRung,
  line: JoinLine,
): Promise<unknown> {
  if (!(error instanceof DoorFailure) || error.kind === 'unreachable') return error;
  if (error.kind === 'certificate-time') return clockTrouble({ host, port, url }, error, line);
  const reason = printableLine(error.message);
  return error.kind === 'certificate'
    ? zesterError('JOIN_UNTRUSTED', { url, rung: RUNG_WORDS[rung], reason })
    : zesterError('JOIN_BAD_ANSWER', { url, what: 'a request', problem: reason });
}

/** A certificate that is not good now: the server is asked for its time, which proves nothing and tells a person enough. */
async function clockTrouble(door: DoorUrl, { code }: DoorFailure, line: JoinLine): Promise<Error> {
  const nowMs = line.clock.nowMs();
  const said = await requestDoor(door, { path: ENROLL_CA_PATH }, 'nothing', line).catch(() => undefined);
  line.signal.throwIfAborted();
  const date = said?.date ?? '';
  const known = {
    url: door.url,
    now: secondsText(nowMs),
    server: date === '' ? 'nothing about its clock' : printableLine(date, DATE_CHARS_MAX),
    verdict: code === 'CERT_NOT_YET_VALID' ? 'not valid yet' : 'expired',
  };
  return clockVerdict(nowMs, date === '' ? undefined : parseDateText(date)) === 'clock'
    ? zesterError('JOIN_CLOCK', known)
    : zesterError('JOIN_CERTIFICATE_TIME', known);
}

function secondsText(ms: number): string {
  return formatRfc3339(nanosFromMs(Math.floor(ms / 1000) * 1000));
}
