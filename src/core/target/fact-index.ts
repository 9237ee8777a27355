/**
 * The fact index holds the peels of a fleet with their facts, in memory: what a target is resolved against. One owner
 * (a master's watch of the facts bucket) puts and removes; anybody reads. As large as that bucket, which enrollment
 * bounds.
 *
 * A put replaces what was known of the peel; the same put twice changes nothing. Facts are held as they are given and
 * must not be changed afterwards.
 */

import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { LruMap } from '../lru-map.ts';
import { FactColumn } from './fact-column.ts';
import { factPath } from './fact-values.ts';
import { IdVerdicts } from './id-verdicts.ts';

/** Fact paths whose values are remembered between two resolutions. At the limit the least recent one is read anew. */
const COLUMNS_MAX = 32;
/** Regular expressions whose verdicts are remembered, likewise. */
const PATTERNS_MAX = 16;

/** One peel, the same object for as long as it is in the index. */
export interface IndexedPeel {
  readonly id: PeelId;
  readonly facts: WireMap;
  /** A small number of its own, free again when the peel is removed. */
  readonly slot: number;
  /** New at every put, in any slot. */
  readonly serial: number;
  /** The serial of the put that added it. */
  readonly arrival: number;
  readonly isRemoved: boolean;
}

/**
 * Who is in the index. A view stays as it is while the index goes on: a later put shows in its peels, a later removal sets
 * `isRemoved`, a new peel is not in it.
 */
export interface IndexView {
  /** In the order in which they lie in memory: a walk by id would take ten times as long. */
  readonly peels: readonly IndexedPeel[];
  /** By id. */
  readonly ids: readonly PeelId[];
  /** Where in `peels` the peel of `ids[i]` is. */
  readonly places: Uint32Array;
}

type MutablePeel = { -readonly [K in keyof IndexedPeel]: IndexedPeel[K] };

export class FactIndex {
  private readonly peels = new Map<PeelId, MutablePeel>();
  private readonly freeSlots: number[] = [];
  private readonly columns = new LruMap<string, FactColumn>(COLUMNS_MAX);
  private readonly verdictsByPattern = new LruMap<string, IdVerdicts>(PATTERNS_MAX);
  private slots = 0;
  private serial = 0;
  /** By id, as of the latest view: the next one has less to sort. */
  private sorted: readonly MutablePeel[] = [];
  private added: MutablePeel[] = [];
  /** Undefined when peels came or went. */
  private cachedView: IndexView | undefined;

  get size(): number {
    return this.peels.size;
  }

  put(id: PeelId, facts: WireMap): void {
    const serial = ++this.serial;
    const known = this.peels.get(id);
    if (known !== undefined) {
      known.facts = facts;
      known.serial = serial;
      return;
    }
    const slot = this.freeSlots.pop() ?? this.slots++;
    const peel: MutablePeel = { id, facts, slot, serial, arrival: serial, isRemoved: false };
    this.peels.set(id, peel);
    this.added.push(peel);
    this.cachedView = undefined;
  }

  /** Whether it was there. */
  remove(id: PeelId): boolean {
    const peel = this.peels.get(id);
    if (peel === undefined) return false;
    peel.isRemoved = true;
    peel.facts = {};
    this.peels.delete(id);
    this.freeSlots.push(peel.slot);
    this.cachedView = undefined;
    return true;
  }

  has(id: PeelId): boolean {
    return this.peels.has(id);
  }

  facts(id: PeelId): WireMap | undefined {
    return this.peels.get(id)?.facts;
  }

  /** All ids, in order. */
  ids(): readonly PeelId[] {
    return this.view().ids;
  }

  view(): IndexView {
    this.cachedView ??= this.makeView();
    return this.cachedView;
  }

  /** The remembered values of one fact path. */
  column(path: string): FactColumn {
    return this.columns.getOrMake(path, () => new FactColumn(factPath(path)));
  }

  /** The remembered verdicts of one regular expression. */
  verdicts(pattern: string): IdVerdicts {
    return this.verdictsByPattern.getOrMake(pattern, () => new IdVerdicts());
  }

  private makeView(): IndexView {
    // Cheap when little was added: the array is nearly sorted.
    const sorted = [...this.sorted, ...this.added]
      .filter((peel) => !peel.isRemoved)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    this.sorted = sorted;
    this.added = [];
    const peels = [...this.peels.values()];
    const placeOfSlot = new Uint32Array(this.slots);
    peels.forEach((peel, place) => {
      placeOfSlot[peel.slot] = place;
    });
    const places = Uint32Array.from(sorted, (peel) => placeOfSlot[peel.slot] ?? 0);
    return { peels, ids: sorted.map((peel) => peel.id), places };
  }
}
