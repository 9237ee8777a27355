/**
 * `WatchedJobs` keeps the watchers of this master. News that concern many of them (a peel appeared, the line is back, a
 * cancel) come in here and go to those they concern.
 *
 * A cancel may overtake its job: it comes while the dispatch is still under way, or just before. So the latest few are
 * remembered, and a job that starts finds its own. Bound: `CANCELS_KEPT_MAX`; an older one is in the stream, where the
 * watcher finds it at the deadline at the latest.
 */
import { LruMap } from '../../core/lru-map.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import type { MasterContext } from '../master-context.ts';
import { EndedRows } from '../returns/ended-rows.ts';
import { JobWatcher } from './job-watcher.ts';
import type { OwnedJob } from './owned-job.ts';

const CANCELS_KEPT_MAX = 1_024;

export class WatchedJobs {
  private readonly context: MasterContext;
  private readonly watchers = new Map<Jid, JobWatcher>();
  private readonly ended = new EndedRows();
  private readonly cancels = new LruMap<Jid, true>(CANCELS_KEPT_MAX);

  constructor(context: MasterContext) {
    this.context = context;
  }

  get size(): number {
    return this.watchers.size;
  }

  jids(): Jid[] {
    return [...this.watchers.keys()];
  }

  get(jid: Jid): JobWatcher | undefined {
    return this.watchers.get(jid);
  }

  /** The job ended here lately, and the return of this target is stored and counted. */
  hasStored(jid: Jid, peel: PeelId): boolean {
    return this.ended.has(jid, peel);
  }

  /** A watcher that has not begun to listen. */
  add(owned: OwnedJob): JobWatcher {
    // One of an earlier ownership that we did not know to be over.
    this.watchers.get(owned.job.jid)?.abandon();
    const watcher = new JobWatcher(this.context, owned, (ended, returned) => {
      if (this.watchers.get(ended.jid) === ended) this.watchers.delete(ended.jid);
      if (returned !== undefined) this.ended.add(ended.jid, returned);
    });
    this.watchers.set(watcher.jid, watcher);
    if (this.cancels.has(watcher.jid)) watcher.cancel();
    return watcher;
  }

  appeared(peel: PeelId): void {
    for (const watcher of this.watchers.values()) watcher.appeared(peel);
  }

  reconnected(): void {
    for (const watcher of this.watchers.values()) watcher.catchUp();
  }

  cancel(jid: Jid): void {
    this.cancels.set(jid, true);
    this.watchers.get(jid)?.cancel();
  }

  /** A cancel of it was heard lately. */
  isCanceled(jid: Jid): boolean {
    return this.cancels.has(jid);
  }

  /** Stores what was taken, ends what is complete, lets go of the rest. */
  async detach(): Promise<void> {
    await Promise.all([...this.watchers.values()].map((watcher) => watcher.detach()));
  }

  abandon(): void {
    for (const watcher of [...this.watchers.values()]) watcher.abandon();
  }
}
