/**
 * `Dict` is Python's dict: insertion order, keys by `hash` and `==`, the first spelling of a key stays (1 and True are
 * one key). Its methods are in `dict-methods.ts`, its views in `dict-views.ts`.
 */
import { compared, sameItem } from '../compare.ts';
import { type HashKey, hashKey } from '../hash.ts';
import { beginPrint, endPrint, reprPart } from '../print.ts';
import { PyObject, PythonError, type Value } from '../value.ts';

interface Entry {
  readonly key: Value;
  value: Value;
}

/** Entries that are made when they are asked for, such as data of the host that a template may never look at. */
export interface EntrySource {
  get(key: string): Value | undefined;
  entries(): Iterable<readonly [Value, Value]>;
}

export class Dict extends PyObject {
  override readonly typeName: string = 'dict';
  private made: Map<HashKey, Entry> | undefined;
  private source: EntrySource | undefined;

  /** Reads one entry after the other from the source; all at once when it is changed or walked through. */
  static over(source: EntrySource): Dict {
    const dict = new Dict();
    dict.source = source;
    return dict;
  }

  static of(pairs: Iterable<readonly [Value, Value]>): Dict {
    const dict = new Dict();
    for (const [key, value] of pairs) dict.set(key, value);
    return dict;
  }

  private get byKey(): Map<HashKey, Entry> {
    return this.made ?? this.make();
  }

  private make(): Map<HashKey, Entry> {
    const made = new Map<HashKey, Entry>();
    if (this.source !== undefined)
      for (const [key, value] of this.source.entries()) made.set(hashKey(key), { key, value });
    this.made = made;
    this.source = undefined;
    return made;
  }

  get size(): number {
    return this.byKey.size;
  }
  /** undefined where there is no such key; a TypeError where the key has no hash. */
  get(key: Value): Value | undefined {
    if (this.source !== undefined && typeof key === 'string') return this.source.get(key);
    return this.byKey.get(hashKey(key))?.value;
  }
  has(key: Value): boolean {
    return this.byKey.has(hashKey(key));
  }
  set(key: Value, value: Value): void {
    const hash = hashKey(key);
    const entry = this.byKey.get(hash);
    if (entry === undefined) this.byKey.set(hash, { key, value });
    else entry.value = value;
  }
  /** The value that was there, or undefined. */
  delete(key: Value): Value | undefined {
    const hash = hashKey(key);
    const entry = this.byKey.get(hash);
    if (entry !== undefined) this.byKey.delete(hash);
    return entry?.value;
  }
  clear(): void {
    this.byKey.clear();
  }

  keys(): IterableIterator<Value> {
    return new EntryIterator(this.byKey, (entry) => entry.key);
  }
  values(): IterableIterator<Value> {
    return new EntryIterator(this.byKey, (entry) => entry.value);
  }
  entries(): IterableIterator<[Value, Value]> {
    return new EntryIterator(this.byKey, (entry): [Value, Value] => [entry.key, entry.value]);
  }
  /** The youngest entry first. */
  reversed(): [Value, Value][] {
    return [...this.entries()].reverse();
  }

  override repr(): string {
    if (!beginPrint(this)) return '{...}';
    try {
      let text = '{';
      let separator = '';
      for (const { key, value } of this.byKey.values()) {
        text += `${separator}${reprPart(key)}: ${reprPart(value)}`;
        separator = ', ';
      }
      return `${text}}`;
    } finally {
      endPrint();
    }
  }
  override truthy(): boolean {
    return this.byKey.size > 0;
  }
  override length(): number {
    return this.byKey.size;
  }
  override iterate(): Iterator<Value> {
    return this.keys();
  }
  override item(key: Value): Value | undefined {
    return this.get(key);
  }
  override contains(key: Value): boolean {
    return this.has(key);
  }
  override equals(other: Value): boolean {
    if (!(other instanceof Dict) || other.size !== this.size) return false;
    return compared(this.size, () => {
      for (const [hash, { value }] of this.byKey) {
        const match = other.byKey.get(hash);
        if (match === undefined || !sameItem(value, match.value)) return false;
      }
      return true;
    });
  }
}

/** Walks the entries; a dict that grows or shrinks meanwhile is an error, as in Python. */
class EntryIterator<T> implements IterableIterator<T> {
  private readonly map: Map<HashKey, Entry>;
  private readonly entries: Iterator<Entry>;
  private readonly pick: (entry: Entry) => T;
  private readonly size: number;

  constructor(map: Map<HashKey, Entry>, pick: (entry: Entry) => T) {
    this.map = map;
    this.entries = map.values();
    this.pick = pick;
    this.size = map.size;
  }

  next(): IteratorResult<T, undefined> {
    if (this.map.size !== this.size)
      throw new PythonError('RuntimeError', 'dictionary changed size during iteration');
    const { done, value } = this.entries.next();
    return done === true ? { done: true, value: undefined } : { done: false, value: this.pick(value) };
  }

  [Symbol.iterator](): this {
    return this;
  }
}
