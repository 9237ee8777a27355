/**
 * `awaitDecision` waits until somebody has decided about an enrollment. A master tells it on a stream of events; where that cannot be
 * had (a proxy in between, too many of us), the machine asks, at first every ten seconds, in the end every five minutes. A stream
 * that ends says nothing: the master is asked, and only its answer counts. Both start over on another master when this one is gone.
 */
import { StringDecoder } from 'node:string_decoder';
import { type Backoff, backoffMs } from '../../core/backoff.ts';
import { formatDuration } from '../../core/duration.ts';
import { readRefusal, readStatus, type StatusRead } from '../../core/enroll/door-answers.ts';
import { EventStream } from '../../core/enroll/event-stream.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { jitter } from '../../runtime/random.ts';
import { enrollStatusPath, enrollStreamPath } from '../../wire/names/enroll-routes.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { openDoor } from './door-request.ts';
import { type Doors, explained, type JoinLine, type TrustedBy } from './doors.ts';

export interface WaitTimes {
  readonly polls: Backoff;
  /** A stream that lasted so long was a good one: it is opened again at once. */
  readonly goodStreamMs: number;
  /** A master says something every 30 s. */
  readonly silentStreamMs: number;
}

const WAIT_TIMES: WaitTimes = {
  polls: { firstMs: 10_000, maxMs: 300_000 },
  goodStreamMs: 60_000,
  silentStreamMs: 75_000,
};

const POLL_SPREAD = 0.2;
/** A machine that has enrolled again so often asks anew. */
const HEIRS_MAX = 8;

export interface Waiting {
  readonly id: EnrollmentId;
  readonly peelId: PeelId;
  readonly trust: TrustedBy;
  /** Undefined: as long as it takes. */
  readonly approvalMs: number | undefined;
  readonly times?: WaitTimes;
}

/** The decision; undefined when the masters do not know the enrollment any more. */
export async function awaitDecision(
  doors: Doors,
  waiting: Waiting,
  line: JoinLine,
): Promise<StatusRead | undefined> {
  const { id, peelId, approvalMs = Number.POSITIVE_INFINITY, times = WAIT_TIMES } = waiting;
  const { clock, random, signal } = line;
  const startMs = clock.monotonicMs();
  const leftMs = () => approvalMs - (clock.monotonicMs() - startMs);
  for (let polls = 0; ; ) {
    const openedMs = clock.monotonicMs();
    await followStream(doors, waiting, times, leftMs(), line);
    const status = await enrollmentStatus(doors, waiting);
    if (status?.state !== 'pending') return status;
    if (leftMs() <= 0)
      throw zesterError('JOIN_PENDING', { id, peel: peelId, waited: formatDuration(approvalMs) });
    const wasGood = clock.monotonicMs() - openedMs >= times.goodStreamMs;
    polls = wasGood ? 0 : polls + 1;
    const pauseMs = wasGood ? 0 : jitter(random, backoffMs(times.polls, polls), POLL_SPREAD);
    await sleep(clock, Math.min(pauseMs, Math.max(leftMs(), 0)), signal);
  }
}

/** How it stands, or the one that took its place; undefined when the masters do not know it. */
export async function enrollmentStatus(
  doors: Doors,
  { id, peelId, trust }: Pick<Waiting, 'id' | 'peelId' | 'trust'>,
): Promise<StatusRead | undefined> {
  let status = await statusOf(doors, { id, peelId, trust });
  for (let heirs = 0; status?.supersededBy !== undefined && heirs < HEIRS_MAX; heirs++)
    status = await statusOf(doors, { id: status.supersededBy, peelId, trust });
  return status;
}

async function statusOf(
  doors: Doors,
  { id, peelId, trust }: Pick<Waiting, 'id' | 'peelId' | 'trust'>,
): Promise<StatusRead | undefined> {
  const { door, status, body } = await doors.ask({ path: enrollStatusPath(id) }, trust);
  if (status === 404) return undefined;
  const what = 'the question how it stands';
  if (status !== 200) {
    const { reason, code } = readRefusal(body);
    const said = { url: door.url, what, reason: reason || `its status is ${status}` };
    throw zesterError('JOIN_REFUSED', said, { reasonCode: code });
  }
  const read = readStatus(body, peelId, id);
  if ('problem' in read) throw zesterError('JOIN_BAD_ANSWER', { url: door.url, what, problem: read.problem });
  return read.value;
}

/** Resolves when the stream has something to say, ends, is silent for too long, or cannot be had. What it says is not used. */
async function followStream(
  doors: Doors,
  { id, trust }: Waiting,
  { silentStreamMs }: WaitTimes,
  leftMs: number,
  line: JoinLine,
): Promise<void> {
  const door = doors.current;
  const watch = new SilenceWatch(line.clock, Math.min(silentStreamMs, leftMs));
  const atEnd = leftMs < Number.POSITIVE_INFINITY ? line.clock.after(leftMs, () => watch.abort()) : undefined;
  try {
    const signal = AbortSignal.any([line.signal, watch.signal]);
    const message = await openDoor(door, { path: enrollStreamPath(id) }, trust.anchors, signal);
    const isStream =
      message.statusCode === 200 && /^text\/event-stream\b/.test(message.headers['content-type'] ?? '');
    if (!isStream) return void message.destroy();
    const events = new EventStream();
    const decoder = new StringDecoder('utf8');
    for await (const piece of message as AsyncIterable<Buffer>) {
      watch.heard();
      const said = events.push(decoder.write(piece));
      if (said === undefined || said.some(isDecision)) return void message.destroy();
    }
  } catch (error) {
    line.signal.throwIfAborted();
    const cause = await explained(error, door, trust.rung, line);
    const isGone = watch.signal.aborted || !isZesterError(cause);
    // What breaks off is asked about; a certificate that is not good is not.
    if (!isGone) throw cause;
  } finally {
    watch.stop();
    atEnd?.cancel();
  }
}

/** Any state but pending, and a stream that says it is over: the master is asked then. */
function isDecision({ event, data }: { readonly event: string; readonly data: string }): boolean {
  return event !== 'state' || !/"state"\s*:\s*"pending"/.test(data);
}

/** Aborts when nothing was heard for a while. */
class SilenceWatch {
  private readonly controller = new AbortController();
  private readonly clock: Clock;
  private readonly ms: number;
  private timer: { cancel(): void };

  constructor(clock: Clock, ms: number) {
    this.clock = clock;
    this.ms = ms;
    this.timer = this.armed();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  heard(): void {
    this.timer.cancel();
    this.timer = this.armed();
  }

  abort(): void {
    this.controller.abort();
  }

  stop(): void {
    this.timer.cancel();
  }

  private armed() {
    return this.clock.after(Math.max(this.ms, 0), () => this.abort());
  }
}
