/**
 * The fleet key keeper brings this master along with the rotations of the fleet key (decision 46), and every rotation to its end,
 * whoever began it. A rotation is a record in bucket fleet-keys; all masters watch it and do the same with it:
 *
 *   it appears        its seed is opened; the public half is put where peels read it (public-keys.ts); from then on it is used:
 *                     secrets are sealed anew, commands proven with it to peels that have confirmed it
 *   overlap           looked at every `LOOK_MS`: when every online peel and every master has confirmed and nothing is sealed
 *                     under an older one, no earlier than the shortest and no later than the longest time, it is marked `final`
 *   final             the old one is taken off the list, and no master uses it any more
 *
 * Safety: a generation is created, never replaced, and marked by compare-and-set; the public half is stored before the private
 * half is used. A master that dies at any write leaves records from which any other goes on. A record that a store lost while we
 * know it is put back, whichever it is. One that this account cannot open is reported and changes nothing.
 * Liveness: the watch, a look every `LOOK_MS` in an overlap and every `CHECK_MS` otherwise. Twice or late: what is there already is not written again.
 */
import { openTable, type TableRead } from '../../bus/kv/table.ts';
import type { Watch } from '../../bus/port.ts';
import { assert } from '../../core/assert.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { type OverlapVerdict, overlapVerdict } from '../../core/fleet-key/rotation-plan.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { FleetGeneration } from '../../wire/records/fleet-key/fleet-keys.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { resealOperatorFacts } from '../enroll/operator-facts.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';
import { planRecord } from './fleet-key-book.ts';
import { publishKeys } from './public-keys.ts';
import { countOldSeals, resealMasterSettings } from './reseal-settings.ts';

const LOOK_MS = 2_000;
/** Where nothing is going on. */
const CHECK_MS = 60_000;
/** Whoever is behind may have sealed something under the old one once more. */
const RESEAL_MS = 10_000;
const LOOK_SPREAD = 0.2;

export interface FleetKeyKeeperParts {
  /** Whether this master seals secrets for all. */
  readonly isSealer: () => boolean;
  /** What is sealed under another generation can be opened from now on. */
  readonly learned: () => void;
  /** Another generation is used from now on. */
  readonly rotated: () => void;
}

export interface OverlapStanding {
  readonly peelsOnline: number;
  readonly peelsMissing: readonly PeelId[];
  readonly mastersMissing: readonly string[];
  readonly sealedOld: number;
}

/** Living masters that do not say that they have this generation of a key. */
export async function mastersWithout(
  bus: MasterContext['bus'],
  key: 'fleetGeneration' | 'agentsGeneration',
  generation: number,
): Promise<string[]> {
  const beats = await openTable(bus, TABLES.masterHeartbeats).entries();
  return beats
    .filter((read) => read.is === 'found' && !read.value.leaving && read.value[key] < generation)
    .map((read) => read.key);
}

export class FleetKeyKeeper {
  private readonly context: MasterContext;
  private readonly parts: FleetKeyKeeperParts;
  private readonly loop;
  /** When this master first saw each generation, on its monotonic clock. */
  private readonly seenMs = new Map<number, number>();
  /** The generation under which everything was found sealed. */
  private sealedUnder = 0;
  private resealedMs = Number.NEGATIVE_INFINITY;
  /** What was last brought to where peels read it, and when. */
  private looked = '';
  private lookedMs = Number.NEGATIVE_INFINITY;
  private watch: Watch | undefined;
  private looking: Periodic | undefined;

  constructor(context: MasterContext, parts: FleetKeyKeeperParts) {
    this.context = context;
    this.parts = parts;
    const { log } = context.runtime;
    this.loop = wakeLoop(
      context.runtime,
      () => this.follow(),
      (error) => log.warn('generations of the fleet key cannot be followed for the moment', { error }),
    );
  }

  /** Resolves when all generations there are have been read, and peels can read what is good. Throws MASTER_OTHER_KEYS. */
  async open(): Promise<void> {
    const { runtime, bus, life } = this.context;
    const replayed = new Promise<void>((resolve) => {
      this.watch = openTable(bus, TABLES.fleetGenerations).watch({
        changed: (read) => this.note(read),
        replayed: resolve,
        trouble: (error) => runtime.log.debug('generations of the fleet key cannot be seen', { error }),
      });
    });
    await unlessAborted(replayed, life);
    await retried(runtime, life, 'public keys', () => this.publish());
    this.useNewest();
  }

  /** From here on overlaps are brought to their end. Peels and masters must be visible by now. */
  start(): void {
    this.looking = periodic(
      this.context.runtime,
      { what: 'rotation of the fleet key', everyMs: LOOK_MS, spread: LOOK_SPREAD },
      () => {
        const isIdle = this.looked === this.state() && this.nowMs() - this.lookedMs < CHECK_MS;
        if (!isIdle || this.isOverlap()) this.loop.wake();
      },
    );
    this.loop.wake();
  }

  stop(): void {
    this.watch?.stop();
    this.looking?.stop();
    this.loop.stop();
  }

  /** Who has not confirmed the newest generation. */
  async standing(): Promise<OverlapStanding> {
    const { presence, fleetKeys } = this.context;
    const generation = fleetKeys.newest();
    return {
      peelsOnline: presence.online(),
      peelsMissing: presence.unconfirmed('fleetGeneration', generation),
      mastersMissing: await this.mastersWithout(generation),
      sealedOld: await countOldSeals(this.context, generation),
    };
  }

  mastersWithout(generation: number): Promise<string[]> {
    return mastersWithout(this.context.bus, 'fleetGeneration', generation);
  }

  /** Takes in a record that this master has just written, without waiting for the watch. */
  async taken(generation: number, record: FleetGeneration): Promise<void> {
    this.take(generation, record);
    await this.advance();
  }

  private note(read: TableRead<number, FleetGeneration>): void {
    const { log } = this.context.runtime;
    if (read.is === 'found') this.take(read.id, read.value);
    else if (read.is === 'unreadable')
      log.error('a generation of the fleet key cannot be read', { key: read.key, problem: read.problem });
    // Lost ones are put back in `follow`.
    if (this.looking !== undefined) this.loop.wake();
  }

  private take(generation: number, record: FleetGeneration): void {
    const { fleetKeys, runtime } = this.context;
    if (!this.seenMs.has(generation)) this.seenMs.set(generation, runtime.clock.monotonicMs());
    const isNew = fleetKeys.keyOf(generation) === undefined;
    if (fleetKeys.note(generation, record)) {
      if (isNew) this.parts.learned();
    } else
      runtime.log.error('a generation of the fleet key is not sealed for the account of this master', {
        generation,
      });
  }

  private async follow(): Promise<void> {
    const { fleetKeys } = this.context;
    if (this.looked !== this.state() || this.nowMs() - this.lookedMs >= CHECK_MS) {
      await this.advance();
      await this.putBack();
      this.looked = this.state();
      this.lookedMs = this.nowMs();
    }
    await this.reseal();
    const generation = fleetKeys.newest();
    const record = fleetKeys.recordOf(generation);
    if (record === undefined || !this.isOverlap()) return;
    const verdict = await this.verdict(generation, record);
    if (verdict.is === 'end') await this.end(generation, record, verdict.because);
  }

  private nowMs(): number {
    return this.context.runtime.clock.monotonicMs();
  }

  /** Another one whenever there is something to do. */
  private state(): string {
    const { fleetKeys } = this.context;
    const generation = fleetKeys.newest();
    return `${generation} ${fleetKeys.recordOf(generation)?.phase}`;
  }

  private isOverlap(): boolean {
    const { fleetKeys } = this.context;
    return fleetKeys.recordOf(fleetKeys.newest())?.phase === 'overlap';
  }

  /** The public half first, then the private one. */
  private async advance(): Promise<void> {
    await this.publish();
    this.useNewest();
  }

  /** A list that names a generation that we have not heard of is read about before it counts as another fleet's. */
  private async publish(): Promise<void> {
    try {
      await publishKeys(this.context);
    } catch (error) {
      if (!isZesterError(error, 'MASTER_OTHER_KEYS')) throw error;
      const before = this.context.fleetKeys.newest();
      const table = openTable(this.context.bus, TABLES.fleetGenerations);
      for (const read of await table.entries()) if (read.is === 'found') this.take(read.id, read.value);
      if (this.context.fleetKeys.newest() === before) throw error;
      await publishKeys(this.context);
    }
  }

  private useNewest(): void {
    const { fleetKeys, runtime } = this.context;
    const generation = fleetKeys.newest();
    if (generation === fleetKeys.generation()) return;
    fleetKeys.use(generation);
    runtime.log.info('fleet key', { generation });
    this.parts.rotated();
  }

  private async putBack(): Promise<void> {
    const { bus, fleetKeys, runtime } = this.context;
    const table = openTable(bus, TABLES.fleetGenerations);
    const there = new Set(await table.ids());
    for (const each of fleetKeys.records().filter(({ generation }) => !there.has(generation))) {
      const known = fleetKeys.recordOf(each.generation);
      assert(known !== undefined, 'a generation with a record has it');
      const { won } = await table.create(each.generation, known);
      if (won) runtime.log.warn('a generation of the fleet key was lost and is put back', { ...each });
    }
  }

  private async reseal(): Promise<void> {
    const { fleetKeys, runtime } = this.context;
    const generation = fleetKeys.generation();
    if (fleetKeys.recordOf(generation) === undefined || this.sealedUnder === generation) return;
    if (!this.parts.isSealer()) return;
    const files = await resealMasterSettings(this.context);
    const enrollments = await resealOperatorFacts(this.context);
    if (files + enrollments > 0)
      runtime.log.info('settings and facts sealed anew', { files, enrollments, generation });
    else this.sealedUnder = generation;
  }

  private async verdict(generation: number, record: FleetGeneration): Promise<OverlapVerdict> {
    const { runtime, presence } = this.context;
    const nowMs = runtime.clock.monotonicMs();
    const view = {
      newest: planRecord(generation, record),
      nowMs: runtime.clock.nowMs(),
      seenForMs: nowMs - (this.seenMs.get(generation) ?? nowMs),
      peelsMissing: presence.unconfirmed('fleetGeneration', generation).length,
      mastersMissing: 0,
      sealedOld: undefined,
    };
    // The dear looks only when the cheap ones do not answer already.
    const first = overlapVerdict(view);
    if (first.is !== 'wait' || first.for !== 'seals') return first;
    const mastersMissing = (await this.mastersWithout(generation)).length;
    const sealedOld = await countOldSeals(this.context, generation);
    if (sealedOld > 0 && this.parts.isSealer() && nowMs - this.resealedMs >= RESEAL_MS) {
      this.resealedMs = nowMs;
      this.sealedUnder = 0;
      this.parts.rotated();
    }
    return overlapVerdict({ ...view, mastersMissing, sealedOld });
  }

  /** Whoever is beaten hears of it by the watch. */
  private async end(generation: number, before: FleetGeneration, because: string): Promise<void> {
    const { bus, runtime, now } = this.context;
    const table = openTable(bus, TABLES.fleetGenerations);
    const read = await table.getLatest(generation);
    if (read.is !== 'found' || read.value.phase !== before.phase) return;
    const record: FleetGeneration = { ...read.value, phase: 'final', ended: now() };
    if (!(await table.update(generation, record, read.revision)).won) return;
    runtime.log.info('the generation of the fleet key before this one has ended', { generation, because });
    await this.taken(generation, record);
  }
}
