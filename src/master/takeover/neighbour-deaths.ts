/**
 * `NeighbourDeaths` notices within a second that a master of this very machine has died without a word, instead of at the
 * next look: the kernel knows at once, and asking it costs nothing (decision 7). Only a hint: whoever is told looks for
 * itself.
 *
 * Each death is told once. One that is missed, because its heartbeat was never heard here, is found by the next look.
 * Bound: a master per heartbeat key; who stops beating without dying is forgotten after `FORGOTTEN_MS`.
 */
import { type OwnPlace, signOf } from '../../core/jobs/dead-owners.ts';
import { type Period, periodic } from '../../runtime/periodic.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import type { MasterHeartbeat } from '../../wire/records/heartbeat.ts';
import type { MasterContext } from '../master-context.ts';

const CHECKS: Period = { what: 'neighbours', everyMs: 1_000, spread: 0.1 };
const FORGOTTEN_MS = BUCKETS.masterHeartbeat.ttlMs;

export class NeighbourDeaths {
  private readonly clock: MasterContext['runtime']['clock'];
  private readonly here: OwnPlace;
  private readonly died: () => void;
  private readonly last = new Map<MasterId, { readonly beat: MasterHeartbeat; readonly seenMs: number }>();
  private readonly checks: { stop(): void };

  constructor({ runtime }: Pick<MasterContext, 'runtime'>, here: OwnPlace, died: () => void) {
    this.clock = runtime.clock;
    this.here = here;
    this.died = died;
    this.checks = periodic(runtime, CHECKS, () => this.check());
  }

  heard(beat: MasterHeartbeat): void {
    const { host, bootId } = this.here;
    if (beat.leaving) this.last.delete(beat.masterId);
    else if (beat.host === host && beat.bootId === bootId)
      this.last.set(beat.masterId, { beat, seenMs: this.clock.monotonicMs() });
  }

  stop(): void {
    this.checks.stop();
  }

  private check(): void {
    const forgetMs = this.clock.monotonicMs() - FORGOTTEN_MS;
    for (const [id, { beat, seenMs }] of this.last) {
      const isGone = signOf(beat, this.here) === 'gone';
      if (isGone || seenMs < forgetMs) this.last.delete(id);
      if (isGone) this.died();
    }
  }
}
