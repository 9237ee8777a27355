/** `LeastRecentMap` is an LRU map: when it is full, the entry that was not asked for longest makes room. */
export class LeastRecentMap<K, V> {
  private readonly entriesMax: number;
  /** A Map keeps insertion order, so the first key is the one to drop. */
  private readonly entries = new Map<K, V>();

  constructor(entriesMax: number) {
    this.entriesMax = entriesMax;
  }

  get size(): number {
    return this.entries.size;
  }

  /** What is kept under the key, if anything is. */
  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** The value of the key; made and kept if it is not there. What `make` throws is not kept. */
  getOrMake(key: K, make: (key: K) => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    this.entries.set(key, value);
    if (this.entries.size > this.entriesMax) this.dropOldest();
    return value;
  }

  private dropOldest(): void {
    for (const key of this.entries.keys()) {
      this.entries.delete(key);
      return;
    }
  }
}
