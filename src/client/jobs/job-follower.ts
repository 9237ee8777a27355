/**
 * Follows one job: acks and returns as they are published, and the record itself, whose end is the end. What was
 * published before we listened, or while the connection was away, is in the stream and in the rows: `catchUp` reads it,
 * and at the end the rows fill what is missing, so that the view never depends on this program having been there.
 */
import type { Bus, Message, Subscription, Watch } from '../../bus/port.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { outcomeOf } from '../../core/jobs/job-tally.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobKey, jobReturnPattern, parseJobReturnKey } from '../../wire/names/keys.ts';
import { ANY, jobAckSubject, jobReturnSubject, parseJobSubject } from '../../wire/names/subjects.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { type Return, returnCodec } from '../../wire/records/job-return.ts';
import type { Outcome } from '../../wire/records/job-status.ts';
import { decodeOrTell, leftOut, tryDecode } from '../try-decode.ts';
import { type JobAcks, noteAck, readAcks, type TargetAck } from './job-acks.ts';

/** Lines about what cannot be read; further ones are not told. */
const TOLD_MAX = 100;

export interface JobProgress {
  readonly targets: readonly PeelId[];
  /** Who has accepted the job, and what those wait behind that have not started it. */
  readonly acks: ReadonlyMap<PeelId, TargetAck>;
  readonly returns: ReadonlyMap<PeelId, Return>;
  /** The newest record seen. */
  readonly job: Job | undefined;
}

export interface FollowOptions {
  readonly bus: Bus;
  readonly runtime: Runtime;
  readonly jid: Jid;
  readonly targets: readonly PeelId[];
  /** Targets that are not waited for; what they say is taken all the same. */
  readonly notAwaited?: ReadonlySet<PeelId>;
  /** Gets a line for a row or a return that cannot be read, and is left out. */
  readonly warn: (line: string) => void;
  /** A target returned, for the first time. */
  readonly onReturn?: (value: Return) => void;
  /** Anything changed. */
  readonly onProgress?: () => void;
}

export class JobFollower implements JobProgress {
  readonly targets: readonly PeelId[];
  readonly acks: JobAcks = new Map();
  readonly returns = new Map<PeelId, Return>();
  job: Job | undefined;
  private readonly options: FollowOptions;
  private readonly isTarget: ReadonlySet<PeelId>;
  /** Targets that are waited for and have not returned. */
  private readonly awaited: Set<PeelId>;
  private readonly subscriptions: Subscription[] = [];
  private readonly told = new Set<string>();
  private watch: Watch | undefined;
  private finish: () => void = () => undefined;
  private readonly done = new Promise<void>((resolve) => {
    this.finish = resolve;
  });
  private close: () => void = () => undefined;
  private readonly closed = new Promise<void>((resolve) => {
    this.close = resolve;
  });

  constructor(options: FollowOptions) {
    this.options = options;
    this.targets = options.targets;
    this.isTarget = new Set(options.targets);
    this.awaited = new Set(options.targets.filter((peel) => !options.notAwaited?.has(peel)));
  }

  /** Listens; resolves once nothing that is published from now on can be missed. */
  async start(): Promise<void> {
    const { bus, jid } = this.options;
    this.subscriptions.push(
      ...(await Promise.all([
        bus.subscribe(jobAckSubject(jid, ANY), (message) => this.noteAck(message)),
        bus.subscribe(jobReturnSubject(jid, ANY), ({ subject, data }) => this.noteReturn(subject, data)),
      ])),
    );
    this.watch = bus.bucket(BUCKETS.jobs.name).watchKeys([jobKey(jid)], {
      changed: (read) => {
        const job = read.found ? tryDecode(jobCodec, read.value) : undefined;
        if (job !== undefined) this.noteRecord(job);
      },
    });
    this.subscriptions.push(
      bus.onStatus((status) => {
        if (status === 'connected') this.catchUp().catch(this.cannotCatchUp);
      }),
    );
  }

  /** Learns what was said before we listened. */
  async catchUp(): Promise<void> {
    const { bus, jid } = this.options;
    await Promise.all([readAcks(bus, jid, this.acks), this.readRows()]);
    this.options.onProgress?.();
  }

  /** Resolves when every target that is waited for has returned, the job has ended, or the time is up. */
  async ended(waitMs: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.options.runtime;
    const stop = () => this.finish();
    const timer = clock.after(waitMs, stop);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted || this.awaited.size === 0) stop();
    await this.done;
    timer.cancel();
    signal.removeEventListener('abort', stop);
  }

  /** Whether someone is left out of the wait that has not returned: then the record does not end with the others. */
  get leavesOut(): boolean {
    return [...(this.options.notAwaited ?? [])].some((peel) => !this.returns.has(peel));
  }

  /** When the last target has returned, the owner still has to write the end into the record. */
  async recordEnded(waitMs: number): Promise<void> {
    const timer = this.options.runtime.clock.after(waitMs, () => this.close());
    await this.closed;
    timer.cancel();
  }

  /** Reads the stored rows and takes those of targets that were not heard of. */
  async readRows(): Promise<void> {
    const { bus, jid } = this.options;
    for (const entry of await bus.bucket(BUCKETS.jobReturns.name).entries(jobReturnPattern(jid))) {
      const key = parseJobReturnKey(entry.key);
      const row = key === undefined ? undefined : this.decoded(`the row of ${key.peel}`, entry.value);
      if (key !== undefined && row !== undefined) this.take(key.peel, row);
    }
  }

  /** Every target has said itself how it went: the rows can add nothing. */
  get allReturned(): boolean {
    return this.awaited.size === 0 && !this.leavesOut;
  }

  outcomes(): Map<PeelId, Outcome> {
    return new Map(
      this.targets.map((peel) => {
        const value = this.returns.get(peel);
        if (value !== undefined) return [peel, outcomeOf(value)];
        return [peel, this.acks.has(peel) ? 'running' : 'unreachable'];
      }),
    );
  }

  stop(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    this.watch?.stop();
  }

  /** The end reads the rows anyway; until then the view may lack what was said while we were away. */
  private readonly cannotCatchUp = (error: unknown): void => {
    this.options.runtime.log.debug('not read again after a reconnect', { error });
  };

  private noteAck(message: Message): void {
    if (noteAck(this.acks, this.options.jid, message, this.options.runtime.clock.nowMs()))
      this.options.onProgress?.();
  }

  private noteReturn(subject: string, data: Uint8Array): void {
    const parsed = parseJobSubject(subject);
    if (parsed?.kind !== 'return') return;
    const value = this.decoded(`a return of ${parsed.peel}`, data);
    if (value?.peelId === parsed.peel && !value.unreachable) this.take(parsed.peel, value);
  }

  private decoded(what: string, bytes: Uint8Array): Return | undefined {
    return decodeOrTell(returnCodec, bytes, (why) => this.tellOnce(leftOut(what, why)));
  }

  /** A peel may send the same nonsense any number of times. */
  private tellOnce(line: string): void {
    if (this.told.has(line) || this.told.size >= TOLD_MAX) return;
    this.told.add(line);
    this.options.warn(line);
  }

  /** The first real return of a target counts; a row that a master made gives way to it. */
  private take(peel: PeelId, value: Return): void {
    const before = this.returns.get(peel);
    if (!this.isTarget.has(peel) || (before !== undefined && !(before.unreachable && !value.unreachable)))
      return;
    this.returns.set(peel, value);
    if (before === undefined) this.options.onReturn?.(value);
    this.options.onProgress?.();
    if (!value.unreachable) this.awaited.delete(peel);
    if (this.awaited.size === 0) this.finish();
  }

  private noteRecord(job: Job): void {
    this.job = job;
    this.options.onProgress?.();
    if (!isTerminal(job.status)) return;
    this.finish();
    this.close();
  }
}
