/**
 * The fact index holds the peels of a fleet with their facts, in memory: what a target is resolved against. One owner
 * (a master's watch of the facts bucket) puts and removes; another (its watch of the enrollments) says what operators say of
 * peels; anybody reads. As large as those buckets, which enrollment bounds.
 *
 * A put replaces what was known of the peel; the same put twice changes nothing. The two owners come in any order: words wait
 * for a peel that is not here yet, and stay when its facts go. Facts are held as they are given and must not be changed
 * afterwards.
 */

import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { LruMap } from '../lru-map.ts';
import { FactColumn } from './fact-column.ts';
import { factPath, factValues } from './fact-values.ts';
import { IdVerdicts } from './id-verdicts.ts';
import {
  factsWithWords,
  hasWords,
  NO_WORDS,
  type OperatorWords,
  tagValues,
  wordValues,
} from './operator-words.ts';

/** Fact paths and tags whose values are remembered between two resolutions. At the limit the least recent one is read anew. */
const COLUMNS_MAX = 32;
/** Regular expressions whose verdicts are remembered, likewise. */
const PATTERNS_MAX = 16;

/** One peel, the same object for as long as it is in the index. */
export interface IndexedPeel {
  readonly id: PeelId;
  /** As the peel tells them, and with those of operators in their place. */
  readonly told: WireMap;
  readonly facts: WireMap;
  readonly words: OperatorWords;
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
  private readonly wordsByPeel = new Map<PeelId, OperatorWords>();
  private readonly freeSlots: number[] = [];
  private readonly columns = new LruMap<string, FactColumn<IndexedPeel>>(COLUMNS_MAX);
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

  put(id: PeelId, told: WireMap): void {
    const serial = ++this.serial;
    const words = this.words(id);
    const facts = factsWithWords(told, words);
    const known = this.peels.get(id);
    if (known !== undefined) {
      Object.assign(known, { told, facts, words, serial });
      return;
    }
    const slot = this.freeSlots.pop() ?? this.slots++;
    const peel: MutablePeel = { id, told, facts, words, slot, serial, arrival: serial, isRemoved: false };
    this.peels.set(id, peel);
    this.added.push(peel);
    this.cachedView = undefined;
  }

  /** What operators say of a peel, from now on. */
  putWords(id: PeelId, words: OperatorWords): void {
    if (hasWords(words)) this.wordsByPeel.set(id, words);
    else this.wordsByPeel.delete(id);
    const peel = this.peels.get(id);
    if (peel !== undefined) this.put(id, peel.told);
  }

  words(id: PeelId): OperatorWords {
    return this.wordsByPeel.get(id) ?? NO_WORDS;
  }

  /** Whether it was there. */
  remove(id: PeelId): boolean {
    const peel = this.peels.get(id);
    if (peel === undefined) return false;
    peel.isRemoved = true;
    Object.assign(peel, { told: {}, facts: {}, words: NO_WORDS });
    this.peels.delete(id);
    this.freeSlots.push(peel.slot);
    this.cachedView = undefined;
    return true;
  }

  has(id: PeelId): boolean {
    return this.peels.has(id);
  }

  /** As the peel tells them. */
  facts(id: PeelId): WireMap | undefined {
    return this.peels.get(id)?.told;
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
  column(path: string): FactColumn<IndexedPeel> {
    return this.columns.getOrMake(`fact ${path}`, () => {
      const parsed = factPath(path);
      return new FactColumn((peel) => factValues(peel, parsed));
    });
  }

  /** Of one tag; `withFacts`: or of the fact of that name that operators set. */
  tagColumn(name: string, withFacts: boolean): FactColumn<IndexedPeel> {
    const valuesOf = withFacts ? wordValues : tagValues;
    const kind = withFacts ? 'word' : 'tag';
    return this.columns.getOrMake(
      `${kind} ${name}`,
      () => new FactColumn(({ words }) => valuesOf(words, name)),
    );
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
