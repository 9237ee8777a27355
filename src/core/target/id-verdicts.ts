/**
 * `IdVerdicts` caches what one regular expression says of the ids of an index: asked once for each peel, since an id
 * never changes. A verdict counts only for the arrival it was made for, so a slot that another peel takes over starts
 * anew. 8 bytes for each peel.
 */
import type { PeelId } from '../../wire/names/ids.ts';

export interface VerdictSubject {
  readonly id: PeelId;
  readonly slot: number;
  /** New for every peel that is added; from 1. */
  readonly arrival: number;
}

export class IdVerdicts {
  /** By slot: the arrival of a peel that matches, the negative arrival of one that does not, 0 where nobody asked. */
  private verdicts = new Float64Array(0);

  /** `test` must always be of the same pattern. */
  judge(test: (id: PeelId) => boolean): (subject: VerdictSubject) => boolean {
    return (subject) => {
      const { slot, arrival } = subject;
      const known = this.verdicts[slot];
      if (known === arrival) return true;
      if (known === -arrival) return false;
      const verdict = test(subject.id);
      if (slot >= this.verdicts.length) this.grow(slot + 1);
      this.verdicts[slot] = verdict ? arrival : -arrival;
      return verdict;
    };
  }

  private grow(slots: number): void {
    const verdicts = new Float64Array(Math.max(1_024, slots, 2 * this.verdicts.length));
    verdicts.set(this.verdicts);
    this.verdicts = verdicts;
  }
}
