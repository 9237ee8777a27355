/**
 * `FloodBans` keeps peels out that flood the bus, and lets them in again. In this order: the ban is written (`flood-guard/<peel>`,
 * compare-and-set: of two masters one writes it); the account documents are settled, which shuts the key out on every server and
 * ends its connections; then, while the guard looks on, what it has in line and in the streams is taken away, and it is told (log, event,
 * metric, doctor).
 *
 * Dying in between costs nothing for long: the record alone makes every master shut the key out within seconds, and the master that
 * takes over does what comes after it again (`resume`). What fails is done again at the next look. Twice changes nothing: the event
 * has one message id, and the purge is of what the peel wrote, while it is out. Bound: one cleaning at a time, of the bans that are in force.
 */
import { openTable } from '../../bus/kv/table.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { type BanTimes, judgeLift, nextBan } from '../../core/guard/flood-bans.ts';
import { msFromNanos, nanosFromMs } from '../../wire/msgpack/time.ts';
import { floodBanTag } from '../../wire/names/event-subjects.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { FloodBan } from '../../wire/records/enroll/flood-ban.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { settlingProblem } from '../accounts/account-keeper.ts';
import type { MasterContext } from '../master-context.ts';
import { appendMasterEvent } from '../master-events.ts';
import { emptyQueues, purgeWords } from './peel-queues.ts';

/** What came in while the flooder was being cut off is in line, too: looked at again for this long. */
const AFTERMATH_MS = 10_000;
/** A master that died is followed within this time; the events of a ban are one within two minutes. */
const RESUMED_MS = 60_000;
/** Each round means that somebody else wrote the ban in between. */
const ROUNDS_MAX = 8;

export interface Flooder {
  readonly peel: PeelId;
  readonly publicKey: string;
  readonly reason: string;
}

export interface LiftedBan {
  readonly ban: FloodBan;
  /** For people: what is not done everywhere yet; empty: all is. */
  readonly warning: string;
}

export type GuardGround = Pick<
  MasterContext,
  'bus' | 'runtime' | 'identity' | 'accounts' | 'metrics' | 'keys' | 'now'
>;

export class FloodBans {
  private readonly context: GuardGround;
  private aftermathUntilMs = Number.NEGATIVE_INFINITY;
  /** What comes after the record is not done yet. */
  private readonly young = new Map<PeelId, FloodBan>();
  private cleaning: Promise<void> | undefined;

  constructor(context: GuardGround) {
    this.context = context;
  }

  /** Resolves when servers were told to keep them out. */
  async cutOff(flooders: readonly Flooder[]): Promise<void> {
    for (const flooder of flooders) await this.write(flooder);
    if (this.young.size > 0) await this.context.accounts.settle();
  }

  private async write({ peel, publicKey, reason }: Flooder): Promise<void> {
    const { runtime, identity, metrics } = this.context;
    const nowMs = runtime.clock.nowMs();
    const there = await this.table.getLatest(peel);
    const before = there.is === 'found' ? timesOf(there.value) : undefined;
    const times = nextBan(before, nowMs);
    // What is seen of it is what it did before it was cut off; unless it floods with another key.
    const isSame = there.is === 'found' && there.value.publicKey === publicKey;
    if (times === undefined && isSame) return;
    const { sinceMs, untilMs, count } = times ?? (before as BanTimes);
    const ban: FloodBan = {
      peelId: peel,
      publicKey,
      since: nanosFromMs(sinceMs),
      until: nanosFromMs(untilMs),
      count,
      reason,
      noticedBy: identity.masterId,
      liftedBy: '',
    };
    const { won } =
      there.revision === 0
        ? await this.table.create(peel, ban)
        : await this.table.update(peel, ban, there.revision);
    // Another master was faster, and does the rest.
    if (!won) return;
    const seconds = Math.round((untilMs - nowMs) / 1_000);
    runtime.log.error('a peel floods the bus and is kept out', { peel, reason, seconds, count });
    metrics.peelBanned(peel);
    this.note(ban);
  }

  /** Does what a master that died may have left: for whoever has just begun to look. */
  async resume(): Promise<void> {
    const { clock } = this.context.runtime;
    this.young.clear();
    for (const entry of await this.table.entries())
      if (entry.is === 'found' && clock.nowMs() - msFromNanos(entry.value.since) < RESUMED_MS)
        this.note(entry.value);
    if (this.young.size > 0) await this.context.accounts.settle();
  }

  /** Takes away what flooders have left, and tells of them; for a while also what came in late. */
  clean(): Promise<void> {
    this.cleaning ??= this.cleanNow().finally(() => {
      this.cleaning = undefined;
    });
    return this.cleaning;
  }

  private async cleanNow(): Promise<void> {
    const { clock, log } = this.context.runtime;
    if (clock.monotonicMs() >= this.aftermathUntilMs && this.young.size === 0) return;
    const emptied = await emptyQueues(this.context);
    if (emptied.length > 0) log.warn('what a flood had left in line was dropped', { assets: emptied });
    for (const ban of this.young.values()) {
      // Of a peel that is in again nothing is taken away: any master may have lifted the ban.
      const read = await this.table.getLatest(ban.peelId);
      const isOut = read.is === 'found' && msFromNanos(read.value.until) > clock.nowMs();
      if (isOut) await purgeWords(this.context, ban.peelId);
      await this.tell(ban);
      this.young.delete(ban.peelId);
    }
  }

  private note(ban: FloodBan): void {
    this.young.set(ban.peelId, ban);
    this.aftermathUntilMs = this.context.runtime.clock.monotonicMs() + AFTERMATH_MS;
  }

  /** Lets a peel in again before its time. What it did then counts for nothing: another ban is its first. */
  async lift(peel: PeelId, operator: string): Promise<LiftedBan> {
    const { runtime } = this.context;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const read = await this.table.getLatest(peel);
      const nowMs = runtime.clock.nowMs();
      if (read.is !== 'found') throw zesterError('ENROLL_NOT_BANNED', { peel });
      const { liftedBy, until } = read.value;
      const verdict = judgeLift({ untilMs: msFromNanos(until), liftedBy }, operator, nowMs);
      if (verdict === 'over') throw zesterError('ENROLL_NOT_BANNED', { peel });
      const ban =
        verdict === 'lift' ? { ...read.value, until: nanosFromMs(nowMs), liftedBy: operator } : read.value;
      if (verdict === 'lift' && !(await this.table.update(peel, ban, read.revision)).won) continue;
      this.young.delete(peel);
      runtime.log.warn('a ban was lifted', { peel, by: operator, reason: ban.reason });
      return { ban, warning: await this.settled() };
    }
    throw zesterError('BUS_STORE_UNAVAILABLE', {
      what: `the ban of ${peel}`,
      reason: 'others write it all the time',
    });
  }

  private async settled(): Promise<string> {
    try {
      const problem = settlingProblem(await this.context.accounts.settle());
      return problem === '' ? '' : `not every server lets it in yet: ${problem}; the masters try again`;
    } catch (error) {
      this.context.runtime.log.warn('account documents are not settled', { error });
      return 'the servers could not be told yet; the masters try again';
    }
  }

  private async tell({ peelId, since, until, count, reason, noticedBy }: FloodBan): Promise<void> {
    const id = `ban.${peelId}.${since}`;
    const seconds = Math.round((msFromNanos(until) - msFromNanos(since)) / 1_000);
    const data = { peel_id: peelId, reason, seconds, count, noticed_by: noticedBy };
    await appendMasterEvent(this.context, { id, tag: floodBanTag(peelId), data, timestamp: since });
  }

  private get table() {
    return openTable(this.context.bus, TABLES.floodBans);
  }
}

/** Undefined: an operator took it back, so it never was. */
function timesOf({ since, until, count, liftedBy }: FloodBan): BanTimes | undefined {
  if (liftedBy !== '') return undefined;
  return { sinceMs: msFromNanos(since), untilMs: msFromNanos(until), count };
}
