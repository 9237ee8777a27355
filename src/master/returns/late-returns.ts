/**
 * The late-returns consumer looks at every return in stream job-words, shared by all masters, so that none is missing from
 * the rows whatever happened to the watcher: the owner dead, cut off, too slow, or done with the job long ago (decision 4).
 *
 * One delivery ends in one of two ways. Ack: its row is there, or it can never be one (no such job, no target, nonsense).
 * Nak: the store does not answer, or the job is being ended right now; it comes again, any number of times. In the common
 * case the watcher of this very master has the return already, or had it when it ended the job, and the delivery costs
 * nothing; or the owner elsewhere has stored it and it costs one read. The same return again costs nothing: a row that was
 * found is remembered (up to `FOUND_ROWS_MAX`; the one that was not asked for longest is read again), until the line is
 * lost, because a store may come back without its last rows. What strangers send costs nothing once they have sent too
 * much (strangers.ts).
 *
 * Why a row of a silent target may only be replaced once the job has ended: its owner is counting. It wrote that row, has
 * not written the record yet, and would not see the change; afterwards the recount does.
 * If we die after the row, the delivery comes again and the recount is done then: only a first delivery may trust a row
 * that it finds.
 *
 * Older versions had returns in stream job-events and the consumer there (decision 123). Where it is found, it is worked off as
 * well: what came before the upgrade and was not looked at yet.
 */
import type { Consumption, Delivery } from '../../bus/port.ts';
import { readPeelWord } from '../../core/jobs/peel-word.ts';
import { isRealReturn, rowOf } from '../../core/jobs/target-row.ts';
import { LruMap } from '../../core/lru-map.ts';
import { stopSource } from '../../runtime/signals.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { consumerInfoSubject } from '../../wire/names/jetstream.ts';
import { jobReturnKey } from '../../wire/names/keys.ts';
import { CONSUMERS, type ConsumerSpec, STREAMS } from '../../wire/names/streams.ts';
import { parseJobSubject } from '../../wire/names/subjects.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';
import type { WatchedJobs } from '../watch/watched-jobs.ts';
import { addRow, persistRow } from './persist-row.ts';
import { Recounts } from './recounts.ts';

const RETRY_MS = 1_000;
/** Jobs whose targets are remembered: a wide job has a thousand returns and one list of targets. */
const TARGET_LISTS_MAX = 64;

const FOUND_ROWS_MAX = 50_000;

export class LateReturns {
  private readonly context: MasterContext;
  private readonly watched: WatchedJobs;
  private readonly recounts: Recounts;
  /** Rows that are the return of their target. */
  private foundRows = new LruMap<string, true>(FOUND_ROWS_MAX);
  private readonly targetLists = new LruMap<Jid, ReadonlySet<PeelId>>(TARGET_LISTS_MAX);

  constructor(context: MasterContext, watched: WatchedJobs) {
    this.context = context;
    this.watched = watched;
    this.recounts = new Recounts(context);
  }

  start(): Consumption {
    const { bus, runtime, settings } = this.context;
    const trouble = (error: Error) => runtime.log.warn('returns cannot be read for the moment', { error });
    const slots = settings.lateReturnSlots;
    const consume = (spec: ConsumerSpec) =>
      bus.stream(spec.stream).consume(spec, { slots, trouble }, (delivery) => this.handle(delivery));
    const ended = stopSource();
    const former = this.formerConsumer(ended.signal).then((spec) =>
      spec === undefined || ended.signal.aborted ? undefined : consume(spec),
    );
    const statuses = bus.onStatus(() => {
      this.foundRows = new LruMap(FOUND_ROWS_MAX);
    });
    const consumption = consume(CONSUMERS.lateReturns);
    return {
      async stop() {
        statuses.unsubscribe();
        ended.abort();
        await Promise.all([consumption.stop(), former.then((each) => each?.stop())]);
      },
    };
  }

  /** Undefined where no older version was, or when we stop before it is known. */
  private async formerConsumer(signal: AbortSignal): Promise<ConsumerSpec | undefined> {
    const { bus, runtime } = this.context;
    const spec = { ...CONSUMERS.lateReturns, stream: STREAMS.jobEvents.name };
    const subject = consumerInfoSubject(spec.stream, spec.name);
    try {
      const info = await retried(runtime, signal, 'the former consumer of returns', () =>
        bus.tryApi(subject, {}),
      );
      return 'answer' in info ? spec : undefined;
    } catch (error) {
      if (!signal.aborted) runtime.log.warn('the former consumer of returns was not looked for', { error });
      return undefined;
    }
  }

  private async handle(delivery: Delivery): Promise<void> {
    try {
      if (await this.settle(delivery)) delivery.ack();
      else delivery.nak(RETRY_MS);
    } catch (error) {
      this.context.runtime.log.debug('a return is tried again later', { subject: delivery.subject, error });
      this.nakQuietly(delivery);
    }
  }

  /** True when nothing is left to do. */
  private async settle(delivery: Delivery): Promise<boolean> {
    if (this.isFlood(delivery.subject)) return true;
    const word = readPeelWord(delivery.subject, delivery.data);
    if (word.kind !== 'return') return true;
    const { jid, peel, value } = word;
    if (this.context.enrollments.isShutOut(peel)) {
      this.context.strangers.note(peel, 'is shut out', { jid });
      return true;
    }
    if (await this.watched.get(jid)?.take(peel, value)) return true;
    if (this.watched.hasStored(jid, peel)) return true;
    const key = jobReturnKey(jid, peel);
    const isFirst = delivery.deliveryCount === 1;
    if (isFirst && this.foundRows.get(key)) return true;
    const row = await this.readRow(jid, peel);
    if (row === 'real') this.foundRows.getOrMake(key, () => true);
    if (row === 'real' && isFirst) return true;
    if (row !== 'real' && !(await this.isTarget(jid, peel))) return true;
    // Its owner is counting right now and would not see the change.
    if (row === 'made' && (await this.recounts.recount(jid)) === 'open') return false;
    if (row === 'none' && !(await addRow(this.context, rowOf(value)))) return false;
    if (row === 'made') await persistRow(this.context, rowOf(value));
    await this.recounts.recount(jid);
    return true;
  }

  /** A row is the return of the target, or made by a master for a silent one, or not there. */
  private async readRow(jid: Jid, peel: PeelId): Promise<'real' | 'made' | 'none'> {
    const there = await this.context.rows.get({ jid, peel });
    if (there.is === 'absent') return 'none';
    return there.is === 'found' && isRealReturn(there.value) ? 'real' : 'made';
  }

  private async isTarget(jid: Jid, peel: PeelId): Promise<boolean> {
    const known = this.targetLists.peek(jid) ?? (await this.readTargets(jid));
    if (known.has(peel)) return true;
    // Of a job that is watched here the watcher has told.
    if (this.watched.get(jid) === undefined)
      this.context.strangers.note(peel, known.size === 0 ? 'no such job' : 'is no target', { jid });
    return false;
  }

  /** Of a job that is not known here to be the peel's, and of a peel about which the store was asked too often for nothing. */
  private isFlood(subject: string): boolean {
    const word = parseJobSubject(subject);
    if (word?.kind !== 'return') return false;
    const { jid, peel } = word;
    const isKnown = this.watched.get(jid) !== undefined || this.watched.hasStored(jid, peel);
    if (isKnown || this.targetLists.peek(jid)?.has(peel)) return false;
    if (this.context.strangers.mayAsk(peel)) return false;
    this.context.strangers.note(peel, 'too many', { jid });
    return true;
  }

  /** None when there is no such job: then it is forged, or older than the records are kept. */
  private async readTargets(jid: Jid): Promise<ReadonlySet<PeelId>> {
    const read = await this.context.jobs.getLatest(jid);
    if (read.is !== 'found') return new Set();
    const targets = new Set(read.value.targets);
    this.targetLists.set(jid, targets);
    return targets;
  }

  /** Without a connection the delivery comes again by itself, after its ack wait. */
  private nakQuietly(delivery: Delivery): void {
    try {
      delivery.nak(RETRY_MS);
    } catch (error) {
      this.context.runtime.log.debug('a delivery could not be given back', { error });
    }
  }
}
