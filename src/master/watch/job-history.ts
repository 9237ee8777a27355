/**
 * `JobHistory` reads what the store holds of one job: acks, returns and cancels in the streams of jobs, rows, and who owns the
 * record. A watcher hears words as they are published, but core messages may be lost (a cut line, an election, a full
 * buffer), and the stream is where peels have theirs confirmed. What is read goes to the same ears as what is heard; what
 * is known already changes nothing.
 *
 * Readings are retried until `signal` aborts. Bound: those of all jobs share the semaphore of the master.
 */
import type { StoredMessage } from '../../bus/port.ts';
import { joinedStreams } from '../../bus/stream/joined-streams.ts';
import type { UnixNanos } from '../../wire/msgpack/time.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobReturnPattern } from '../../wire/names/keys.ts';
import { PEEL_WORD_STREAMS, STREAMS } from '../../wire/names/streams.ts';
import { ANY, jobCancelSubject, jobReturnSubject, jobWordsSubject } from '../../wire/names/subjects.ts';
import type { Row } from '../../wire/records/job-return.ts';
import { isTrueCancel } from '../dispatch/cancels.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';
import type { OwnedJob } from './owned-job.ts';

export interface HistoryEars {
  /** An ack or a return, or what claims to be one. */
  word(subject: string, data: Uint8Array, at: UnixNanos): void;
  /** A cancel with a true signature. */
  cancel(): void;
  /** A return that is stored already: it counts, whatever the stream still has. */
  row(peel: PeelId, row: Row): void;
  /** The record was asked for at `askedMs`. */
  owner(isOurs: boolean, askedMs: number): void;
}

export class JobHistory {
  private readonly context: MasterContext;
  private readonly owned: OwnedJob;
  private readonly jid: Jid;
  private readonly signal: AbortSignal;
  private readonly ears: HistoryEars;

  constructor(context: MasterContext, owned: OwnedJob, signal: AbortSignal, ears: HistoryEars) {
    this.context = context;
    this.owned = owned;
    this.jid = owned.job.jid;
    this.signal = signal;
    this.ears = ears;
  }

  /** Everything, for a job that another master began. */
  readAll(): Promise<void> {
    return this.context.readings.run(async () => {
      await this.readRows();
      await this.readStream();
    });
  }

  /** Who owns the job, and if we do, the stream: in one turn, so that what is taken from it was ours a moment ago. */
  readAgain(): Promise<void> {
    return this.context.readings.run(async () => {
      const { jobs, runtime } = this.context;
      const askedMs = runtime.clock.monotonicMs();
      const { revision } = await this.retried('record', () => jobs.getLatest(this.jid));
      const isOurs = revision === this.owned.revision;
      this.ears.owner(isOurs, askedMs);
      if (isOurs) await this.readStream();
    });
  }

  async readCancels(): Promise<void> {
    await this.retried('cancels', () => this.replayCancels());
  }

  /** The place in the stream of the newest return of the job. Asked once. */
  async newestReturn(): Promise<number | undefined> {
    const subject = jobReturnSubject(this.jid, ANY);
    const words = this.context.bus.stream(STREAMS.jobWords.name);
    return (await this.context.readings.run(() => words.last(subject)))?.sequence;
  }

  private async readRows(): Promise<void> {
    const { rows } = this.context;
    for (const entry of await this.retried('rows', () => rows.entries(jobReturnPattern(this.jid))))
      if (entry.is === 'found') this.ears.row(entry.id.peel, entry.value);
  }

  /**
   * Of acks and returns the newest of each target, in one reading, in no order: who floods the stream makes it no longer,
   * and a return is not taken for missing because it came between two readings.
   */
  private readStream(): Promise<void> {
    const words = { filter: jobWordsSubject(this.jid), lastPerSubject: true };
    return this.retried('stream', async () => {
      await joinedStreams(this.context.bus, PEEL_WORD_STREAMS).replay(
        words,
        ({ subject, data, publishedMs }) => this.ears.word(subject, data, nanosFromMs(publishedMs)),
      );
      await this.replayCancels();
    });
  }

  /** All of them: one that is worth nothing must not hide another. Mostly there is none, and that is one question. */
  private async replayCancels(): Promise<void> {
    const filter = jobCancelSubject(this.jid);
    const judge = ({ headers }: StoredMessage) => {
      if (isTrueCancel(this.context, this.jid, headers)) this.ears.cancel();
    };
    if ((await this.stream.last(filter)) !== undefined) await this.stream.replay({ filter }, judge);
  }

  private get stream() {
    return this.context.bus.stream(STREAMS.jobEvents.name);
  }

  private retried<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    return retried(this.context.runtime, this.signal, `${what} of job ${this.jid}`, attempt);
  }
}
