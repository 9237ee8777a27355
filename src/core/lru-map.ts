/**
 * An LRU map: a map with a bound, in which the entry that was not used longest makes room for a new one.
 *
 * `get`, `getOrMake` and `set` use an entry, `has` and `peek` only look; a map that is only looked at therefore forgets in
 * the order of writing. Bounds: `entriesMax`, and if entries weigh something also `weightMax` over all of them. An entry that
 * is heavier than that by itself is not kept.
 */
export interface LruBounds<K, V> {
  readonly entriesMax: number;
  readonly weightMax: number;
  /** Asked again when the entry goes: the same every time. */
  readonly weightOf: (value: V, key: K) => number;
}

export class LruMap<K, V> {
  private readonly bounds: LruBounds<K, V>;
  /** A Map keeps insertion order, so the first key is the one to drop. */
  private readonly entries = new Map<K, V>();
  private weight = 0;

  constructor(bounds: number | LruBounds<K, V>) {
    this.bounds =
      typeof bounds === 'number' ? { entriesMax: bounds, weightMax: 0, weightOf: () => 0 } : bounds;
  }

  get size(): number {
    return this.entries.size;
  }

  has(key: K): boolean {
    return this.entries.has(key);
  }

  /** What is kept under the key, if anything is. This does not count as use. */
  peek(key: K): V | undefined {
    return this.entries.get(key);
  }

  /** What is kept under the key, if anything is. */
  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** One that is heavier than all may be is not kept, and nothing else goes for it. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.bounds.weightOf(value, key);
    if (weight > this.bounds.weightMax) return;
    this.entries.set(key, value);
    this.weight += weight;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.bounds.entriesMax && this.weight <= this.bounds.weightMax) return;
      this.delete(oldest);
    }
  }

  /** The value of the key; made and kept if it is not there. What `make` throws is not kept. */
  getOrMake(key: K, make: (key: K) => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    this.set(key, value);
    return value;
  }

  delete(key: K): void {
    const value = this.entries.get(key);
    if (value === undefined) return;
    this.entries.delete(key);
    this.weight -= this.bounds.weightOf(value, key);
  }

  /** The one that was not used longest first. */
  keys(): IterableIterator<K> {
    return this.entries.keys();
  }
}
