/**
 * `JobFollower` follows one job: acks and returns as they are published, and the record itself, whose end is the end.
 * What was published before we listened, or while the connection was away, is in the stream and in the rows: `catchUp`
 * reads it, and at the end the rows fill what is missing, so that the view never depends on this program having been
 * there.
 */
import { openTable } from '../../bus/kv/table.ts';
import type { Message, Subscription, Watch } from '../../bus/port.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { deadlineOf } from '../../core/jobs/job-record.ts';
import { outcomeOf, rowOf } from '../../core/jobs/target-row.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobReturnPattern } from '../../wire/names/keys.ts';
import { ANY, jobAckSubject, jobReturnSubject, parseJobSubject } from '../../wire/names/subjects.ts';
import type { Job } from '../../wire/records/job.ts';
import type { Row } from '../../wire/records/job-return.ts';
import type { Outcome } from '../../wire/records/job-status.ts';
import { readJobWord } from '../../wire/records/job-words.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext, UnreadableRecord } from '../client-context.ts';
import { type JobAcks, noteAck, readAcks, type TargetAck } from './job-acks.ts';

/** A record ends a little after its deadline: the owner writes rows for everyone first. */
const END_GRACE_MS = 15_000;
/** How long the record may take to end after the last return. */
const RECORD_MS = 3_000;
/** Events about what cannot be read; further ones are not told. */
const TOLD_MAX = 100;

export interface JobProgress {
  readonly targets: readonly PeelId[];
  /** Who has accepted the job, and what those wait behind that have not started it. */
  readonly acks: ReadonlyMap<PeelId, TargetAck>;
  readonly returns: ReadonlyMap<PeelId, Row>;
  /** The newest record seen. */
  readonly job: Job | undefined;
}

export interface FollowRequest {
  readonly jid: Jid;
  readonly targets: readonly PeelId[];
  /** Targets that are not waited for; what they say is taken all the same. */
  readonly notAwaited?: ReadonlySet<PeelId>;
}

export type FollowEvent =
  /** A target has a row now: what it returned, or what a master wrote for it. Once for each target. */
  | { readonly kind: 'return'; readonly value: Row }
  /** A row or a return that is left out. */
  | { readonly kind: 'unreadable'; readonly record: UnreadableRecord };

export class JobFollower implements JobProgress {
  readonly targets: readonly PeelId[];
  readonly acks: JobAcks = new Map();
  readonly returns = new Map<PeelId, Row>();
  job: Job | undefined;
  private readonly client: ClientContext;
  private readonly request: FollowRequest;
  private readonly onEvent: (event: FollowEvent) => void;
  private readonly isTarget: ReadonlySet<PeelId>;
  /** Targets that are waited for and have not returned. */
  private readonly awaited: Set<PeelId>;
  private readonly subscribing: Promise<Subscription>[] = [];
  private reconnects: Subscription | undefined;
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

  constructor(
    client: ClientContext,
    request: FollowRequest,
    onEvent: (event: FollowEvent) => void = () => undefined,
  ) {
    this.client = client;
    this.request = request;
    this.onEvent = onEvent;
    this.targets = request.targets;
    this.isTarget = new Set(request.targets);
    this.awaited = new Set(request.targets.filter((peel) => !request.notAwaited?.has(peel)));
  }

  /** Listens; resolves once nothing that is published from now on can be missed. */
  async start(): Promise<void> {
    const { bus, signal } = this.client;
    const { jid } = this.request;
    this.subscribing.push(
      bus.subscribe(jobAckSubject(jid, ANY), (message) => this.noteAck(message)),
      bus.subscribe(jobReturnSubject(jid, ANY), (message) => this.noteReturn(message)),
    );
    await unlessAborted(Promise.all(this.subscribing), signal);
    this.watch = openTable(bus, TABLES.jobs).watchIds([jid], {
      changed: (read) => {
        if (read.is === 'found') this.noteRecord(read.value);
      },
    });
    this.reconnects = bus.onStatus((status) => {
      if (status === 'connected') this.catchUp().catch(this.cannotCatchUp);
    });
  }

  /** Learns what was said before we listened. */
  async catchUp(): Promise<void> {
    await Promise.all([readAcks(this.client, this.request.jid, this.acks), this.readRows()]);
  }

  /**
   * Resolves when every target that is waited for has returned, the job has ended, or it should have: `leftMs`, the time
   * that its targets have from now on, is over. The view is complete then. Rejects when the client's signal aborts.
   */
  async untilEnd(leftMs: number): Promise<void> {
    await this.ended(leftMs + END_GRACE_MS);
    const hasEnded = this.job !== undefined && isTerminal(this.job.status);
    if (!hasEnded && !this.leavesOut) await this.recordEnded();
    // Rows complete the picture: what was published before we listened, and targets that never answered.
    if (this.awaited.size > 0 || this.leavesOut) await this.readRows();
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
    for (const each of this.subscribing)
      each.then(
        (subscription) => subscription.unsubscribe(),
        () => undefined,
      );
    this.reconnects?.unsubscribe();
    this.watch?.stop();
  }

  private async ended(waitMs: number): Promise<void> {
    const timer = this.client.runtime.clock.after(waitMs, () => this.finish());
    if (this.awaited.size === 0) this.finish();
    await unlessAborted(this.done, this.client.signal).finally(() => timer.cancel());
  }

  /** When the last target has returned, the owner still has to write the end into the record. */
  private async recordEnded(): Promise<void> {
    const timer = this.client.runtime.clock.after(RECORD_MS, () => this.close());
    await unlessAborted(this.closed, this.client.signal).finally(() => timer.cancel());
  }

  /** Whether someone is left out of the wait that has not returned: then the record does not end with the others. */
  private get leavesOut(): boolean {
    return [...(this.request.notAwaited ?? [])].some((peel) => !this.returns.has(peel));
  }

  /** Reads the stored rows and takes those of targets that were not heard of. */
  private async readRows(): Promise<void> {
    const { bus, signal } = this.client;
    const reading = openTable(bus, TABLES.rows).entries(jobReturnPattern(this.request.jid));
    for (const entry of await unlessAborted(reading, signal)) {
      if (entry.is === 'found') this.take(entry.id.peel, entry.value);
      else if (entry.id !== undefined)
        this.tellOnce({ kind: 'row', key: entry.id.peel, problem: entry.problem });
    }
  }

  /** The end reads the rows anyway; until then the view may lack what was said while we were away. */
  private readonly cannotCatchUp = (error: unknown): void => {
    this.client.runtime.log.debug('not read again after a reconnect', { error });
  };

  private noteAck({ subject, data }: Message): void {
    noteAck(this.acks, this.request.jid, readJobWord(subject, data), this.client.runtime.clock.nowMs());
  }

  private noteReturn({ subject, data }: Message): void {
    const word = readJobWord(subject, data);
    if (!word.isReadable) {
      const from = parseJobSubject(subject);
      if (from?.kind === 'return') this.tellOnce({ kind: 'return', key: from.peel, problem: word.problem });
    } else if (word.value.kind === 'return') this.take(word.value.peel, rowOf(word.value.value));
  }

  /** A peel may send the same nonsense any number of times. */
  private tellOnce(record: UnreadableRecord): void {
    const line = JSON.stringify(record);
    if (this.told.has(line) || this.told.size >= TOLD_MAX) return;
    this.told.add(line);
    this.onEvent({ kind: 'unreadable', record });
  }

  /** The first real return of a target counts; a row that a master made gives way to it. */
  private take(peel: PeelId, value: Row): void {
    const before = this.returns.get(peel);
    if (!this.isTarget.has(peel) || (before !== undefined && !(before.unreachable && !value.unreachable)))
      return;
    this.returns.set(peel, value);
    if (before === undefined) this.onEvent({ kind: 'return', value });
    if (!value.unreachable) this.awaited.delete(peel);
    if (this.awaited.size === 0) this.finish();
  }

  private noteRecord(job: Job): void {
    this.job = job;
    if (!isTerminal(job.status)) return;
    this.finish();
    this.close();
  }
}

/** Comes back to a job: listens, and learns what was said so far. Whoever gets the follower stops it. */
export async function attachJob(
  client: ClientContext,
  { jid, targets }: Job,
  onEvent: (event: FollowEvent) => void,
): Promise<JobFollower> {
  const follower = new JobFollower(client, { jid, targets }, onEvent);
  try {
    await follower.start();
    await follower.catchUp();
    return follower;
  } catch (error) {
    follower.stop();
    throw error;
  }
}

/** How long the targets of a job that was dispatched have from now on. */
export function leftMsOf(job: Job, nowMs: number): number {
  return Math.max(0, msFromNanos(deadlineOf(job)) - nowMs);
}
