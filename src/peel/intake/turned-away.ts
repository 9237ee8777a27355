/**
 * Keeps the jobs that found the queue full. Nothing is recorded and nothing is said for `WAIT_FOR_ROOM_MS`, in which the
 * master sends the request again (ack window: 5 s) and it may find room. What is still here then, or shortly before its
 * deadline, is given one last look: it is accepted if there is room now, and answered `peel busy` if not. See
 * judge-job.ts for why.
 *
 * In memory: if we die, the job is one that never reached us. Bounds: `REQUESTS_MAX` and `BYTES_MAX`; over them the last
 * look comes at once.
 */
import type { Clock, Timer } from '../../runtime/clock.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { Jid } from '../../wire/names/ids.ts';
import type { ExecRequest } from '../../wire/records/exec.ts';

export const WAIT_FOR_ROOM_MS = 12_000;
const REQUESTS_MAX = 1_024;
const BYTES_MAX = 8 * 1_048_576;
/** The answer must reach the master before it closes the job. */
const BEFORE_DEADLINE_MS = 1_000;

export interface JobArrival {
  readonly request: ExecRequest;
  /** Of the message it came in. */
  readonly bytes: number;
}

interface Entry extends JobArrival {
  readonly timer: Timer;
}

export class TurnedAway {
  private readonly clock: Clock;
  private readonly lookAgain: (job: JobArrival) => void;
  private readonly entries = new Map<Jid, Entry>();
  private bytes = 0;

  constructor(clock: Clock, lookAgain: (job: JobArrival) => void) {
    this.clock = clock;
    this.lookAgain = lookAgain;
  }

  add(job: JobArrival): void {
    const { jid, deadline } = job.request;
    if (this.entries.has(jid)) return;
    if (this.entries.size >= REQUESTS_MAX || this.bytes + job.bytes > BYTES_MAX) {
      this.lookAgain(job);
      return;
    }
    const leftMs =
      deadline === undefined
        ? WAIT_FOR_ROOM_MS
        : msFromNanos(deadline) - this.clock.nowMs() - BEFORE_DEADLINE_MS;
    const timer = this.clock.after(Math.max(0, Math.min(leftMs, WAIT_FOR_ROOM_MS)), () => {
      if (this.take(jid)) this.lookAgain(job);
    });
    this.entries.set(jid, { ...job, timer });
    this.bytes += job.bytes;
  }

  has(jid: Jid): boolean {
    return this.entries.has(jid);
  }

  /** Its fate is decided, or about to be: forgets it and gives it back. */
  take(jid: Jid): JobArrival | undefined {
    const entry = this.entries.get(jid);
    if (entry === undefined) return undefined;
    entry.timer.cancel();
    this.entries.delete(jid);
    this.bytes -= entry.bytes;
    return entry;
  }

  stop(): void {
    for (const jid of [...this.entries.keys()]) this.take(jid);
  }
}
