/**
 * `Recounts` brings the record of an ended job in line with its rows, after a return came late. Any master may do it: it
 * is a compare-and-set of a terminal record, read before the rows, so that an older count can never replace a newer one.
 *
 * Many returns may come late at once, and each recount reads every row of the job: so there is one at a time for a job,
 * and whoever comes while one is running shares the next.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { recounted } from '../../core/jobs/job-tally.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { jobKey, jobReturnPattern } from '../../wire/names/keys.ts';
import type { MasterContext } from '../master-context.ts';

/** Each round means that somebody else wrote the record between our read and our write. */
const ROUNDS_MAX = 8;

/** `open`: the job has not ended, so its owner will count. */
export type Recounted = 'done' | 'open';

interface Turn {
  readonly running: Promise<Recounted>;
  next: Promise<Recounted> | undefined;
}

export class Recounts {
  private readonly context: MasterContext;
  private readonly turns = new Map<Jid, Turn>();

  constructor(context: MasterContext) {
    this.context = context;
  }

  /** Resolves when a recount that began after this call is done. */
  recount(jid: Jid): Promise<Recounted> {
    const turn = this.turns.get(jid);
    if (turn === undefined) return this.begin(jid);
    turn.next ??= turn.running.then(
      () => this.begin(jid),
      () => this.begin(jid),
    );
    return turn.next;
  }

  private begin(jid: Jid): Promise<Recounted> {
    const turn: Turn = { running: this.count(jid), next: undefined };
    this.turns.set(jid, turn);
    return turn.running.finally(() => {
      if (turn.next === undefined) this.turns.delete(jid);
    });
  }

  private async count(jid: Jid): Promise<Recounted> {
    const { jobs, rows, now } = this.context;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const read = await jobs.getLatest(jid);
      if (read.is !== 'found') return 'done';
      if (!isTerminal(read.value.status)) return 'open';
      const entries = await rows.entries(jobReturnPattern(jid));
      const stored = entries.flatMap((entry) => (entry.is === 'found' ? [entry.value] : []));
      const next = recounted(read.value, stored, now());
      if (next === undefined) return 'done';
      if ((await jobs.update(jid, next, read.revision)).won) return this.tell(next);
    }
    throw zesterError('BUS_STORE_UNAVAILABLE', {
      what: jobKey(jid),
      reason: 'it changes faster than it can be read',
    });
  }

  private tell({ jid, status, returnCount }: { jid: Jid; status: string; returnCount: number }): 'done' {
    this.context.runtime.log.info('job recounted after a late return', { jid, status, returns: returnCount });
    return 'done';
  }
}
