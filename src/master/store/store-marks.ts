/**
 * `StoreMarks` keeps what this master knows of the streams of jobs from its own writes: the highest sequence that was
 * acknowledged, and what stands there. That is more than any look can see, because a store that loses its last writes
 * loses those that came after the last look.
 *
 * A lost connection freezes the marks until the next look has compared them: writes to a store that came back older must
 * not overtake what they are compared with. So does an acknowledgement that is no progress. Bound: one mark for each of
 * the watched streams.
 */
import type { Bucket, Bus, CasOutcome } from '../../bus/port.ts';
import { kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import { type StoreMark, WATCHED_STORES } from '../../wire/records/store-watch.ts';

export class StoreMarks {
  private readonly marks = new Map<string, StoreMark>();
  private readonly frozen = new Set<string>();
  /** Called when an acknowledgement is not in order. */
  onDoubt: () => void = () => undefined;

  of(asset: string): StoreMark | undefined {
    return this.marks.get(asset);
  }

  freeze(): void {
    for (const asset of WATCHED_STORES) this.frozen.add(asset);
  }

  /** A write was acknowledged. */
  note(asset: string, sequence: number, subject: string): void {
    if (this.frozen.has(asset) || !WATCHED_STORES.includes(asset)) return;
    const mark = this.marks.get(asset);
    // Before the first look there is nothing to compare with.
    if (mark === undefined) return;
    if (sequence > mark.sequence) {
      this.marks.set(asset, { ...mark, sequence, subject });
    } else {
      this.frozen.add(asset);
      this.onDoubt();
    }
  }

  /** A look has compared the mark; from now on this is how the store was. */
  settle(asset: string, mark: StoreMark): void {
    const known = this.marks.get(asset);
    // Writes that were acknowledged while the look went on count.
    const isAhead = known !== undefined && !this.frozen.has(asset) && known.sequence > mark.sequence;
    this.marks.set(asset, isAhead ? { ...known, created: mark.created, seenMs: mark.seenMs } : mark);
    this.frozen.delete(asset);
  }
}

/** The same bus, whose writes to the streams of jobs are noted. */
export function notingBus(bus: Bus, marks: StoreMarks): Bus {
  return {
    ...bus,
    async append(subject, data, options) {
      const appended = await bus.append(subject, data, options);
      if (!appended.duplicate) marks.note(appended.stream, appended.sequence, subject);
      return appended;
    },
    bucket: (name) => notingBucket(name, bus.bucket(name), marks),
  };
}

function notingBucket(name: string, bucket: Bucket, marks: StoreMarks): Bucket {
  const stream = kvStreamName(name);
  if (!WATCHED_STORES.includes(stream)) return bucket;
  const noted = (key: string, outcome: CasOutcome): CasOutcome => {
    if (outcome.won) marks.note(stream, outcome.revision, kvSubject(name, key));
    return outcome;
  };
  return {
    ...bucket,
    async put(key, value, options) {
      const revision = await bucket.put(key, value, options);
      marks.note(stream, revision, kvSubject(name, key));
      return revision;
    },
    create: async (key, value) => noted(key, await bucket.create(key, value)),
    update: async (key, value, revision) => noted(key, await bucket.update(key, value, revision)),
    delete: async (key, options) => noted(key, await bucket.delete(key, options)),
    remove: async (key, options) => noted(key, await bucket.remove(key, options)),
  };
}
