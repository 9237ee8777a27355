/**
 * `fromHost` is the border between JavaScript's data and Python's values. Only plain data crosses it: a function or an
 * instance of some class is an error, never an object whose insides a template could reach.
 */
import { Walk } from './bounds.ts';
import { Dict, type EntrySource } from './container/dict.ts';
import { each } from './container/iterate.ts';
import { PySet } from './container/set.ts';
import { Tuple } from './container/tuple.ts';
import { Float } from './number/float.ts';
import { normalInt } from './number/integer.ts';
import { Bytes } from './text/bytes.ts';
import { Markup } from './text/markup.ts';
import { PyObject, PythonError, type Value } from './value.ts';

/**
 * Plain data as Python values; whole numbers are ints, `undefined` is None. Two places that hold one object hold one
 * value afterwards, and data that contains itself may.
 */
export function fromHost(data: unknown): Value {
  return new HostReader().read(data);
}

const walk = new Walk(' while data crossed the border of the template');

function bounded<T>(step: () => T): T {
  walk.enter();
  try {
    return step();
  } finally {
    walk.leave();
  }
}

/**
 * One reader keeps what is one object one value, over all that it reads. A lazy one copies a plain object when the
 * template changes it or walks through it; until then its values are read one by one, which costs far less. The host
 * must leave the data alone until the render has ended.
 */
export class HostReader {
  private readonly seen = new Map<object, Value>();
  private readonly lazy: boolean;

  constructor(options: { readonly lazy?: boolean } = {}) {
    this.lazy = options.lazy ?? false;
  }

  read(data: unknown): Value {
    switch (typeof data) {
      case 'string':
      case 'boolean':
        return data;
      case 'number':
        return Number.isSafeInteger(data) ? data + 0 : new Float(data);
      case 'bigint':
        return normalInt(data);
      case 'undefined':
        return null;
      case 'object':
        if (data === null) return null;
        return this.seen.get(data) ?? this.bounded(data);
      default:
        throw new PythonError('TypeError', `a template cannot be handed a JavaScript ${typeof data}`);
    }
  }

  private bounded(data: object): Value {
    walk.enter();
    try {
      return this.object(data);
    } finally {
      walk.leave();
    }
  }

  private object(data: object): Value {
    if (Array.isArray(data)) {
      const list: Value[] = [];
      this.seen.set(data, list);
      for (const item of data) list.push(this.read(item));
      return list;
    }
    const prototype: unknown = Object.getPrototypeOf(data);
    if (prototype !== Object.prototype && prototype !== null) return this.instance(data);
    if (!this.lazy) return this.fill(new Dict(), data, Object.entries(data));
    const dict = Dict.over(new HostObject(data as Record<string, unknown>, this));
    this.seen.set(data, dict);
    return dict;
  }

  private instance(data: object): Value {
    if (data instanceof PyObject) return this.copy(data);
    if (data instanceof Uint8Array) return new Bytes(data);
    if (data instanceof Set) return new PySet(Array.from(data, (item) => this.read(item)));
    if (data instanceof Map) return this.fill(new Dict(), data, data);
    throw new PythonError('TypeError', `a template cannot be handed an instance of ${className(data)}`);
  }

  private fill(dict: Dict, data: object, entries: Iterable<[unknown, unknown]>): Dict {
    this.seen.set(data, dict);
    for (const [key, value] of entries) dict.set(this.read(key), this.read(value));
    return dict;
  }

  /** A dict of the host is copied as plain data is: what a template does to it must not come back to the host. */
  private copy(data: PyObject): Value {
    if (data instanceof Tuple && data.constructor === Tuple) {
      const tuple = new Tuple(data.items.map((item) => this.read(item)));
      this.seen.set(data, tuple);
      return tuple;
    }
    if (!(data instanceof Dict)) return data;
    const dict = new Dict();
    this.seen.set(data, dict);
    for (const [key, value] of data.entries()) dict.set(key, this.read(value));
    return dict;
  }
}

/** A plain object of the host that is read where it is. The reader makes one value of one object, so that nothing is kept here. */
export class HostObject implements EntrySource {
  private readonly data: Readonly<Record<string, unknown>>;
  private readonly reader: HostReader;

  constructor(data: Readonly<Record<string, unknown>>, reader: HostReader) {
    this.data = data;
    this.reader = reader;
  }

  get(key: string): Value | undefined {
    try {
      return Object.hasOwn(this.data, key) ? this.reader.read(this.data[key]) : undefined;
    } catch (error) {
      throw unreadable(error);
    }
  }

  entries(): readonly (readonly [Value, Value])[] {
    try {
      return Object.entries(this.data).map(([key, value]) => [key, this.reader.read(value)] as const);
    } catch (error) {
      throw unreadable(error);
    }
  }
}

/** Data that runs code of the host when it is looked at, such as a getter, may throw anything. */
function unreadable(error: unknown): unknown {
  if (error instanceof PythonError) return error;
  const failure = new PythonError('HostError', `data of the host cannot be read: ${String(error)}`);
  failure.cause = error;
  return failure;
}

function className(data: object): string {
  return data.constructor?.name ?? 'an unnamed class';
}

/**
 * Python values as plain data: tuples become arrays, a dict becomes an object, or a Map where a key is not a str.
 * What is not data, such as a function, is a TypeError. An undefined value stays what it is: a host that only hands it
 * back, as a lookup does with a default, has not used it.
 */
export function toHost(value: Value): unknown {
  return new HostWriter().write(value);
}

class HostWriter {
  private readonly seen = new Map<object, unknown>();

  write(value: Value): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Float) return value.value;
    if (value instanceof Markup) return value.text;
    if (value instanceof Bytes) return value.bytes;
    // As in Python, whoever gets it finds out when it is used.
    if (value instanceof PyObject && value.fail !== undefined) return value;
    return this.seen.get(value) ?? bounded(() => this.container(value));
  }

  private container(value: Value[] | PyObject): unknown {
    if (value instanceof Dict) return this.dict(value);
    if (!Array.isArray(value) && value.iterate === undefined)
      throw new PythonError('TypeError', `a ${value.typeName} cannot leave the template`);
    const list: unknown[] = [];
    this.seen.set(value, list);
    for (const item of each(value)) list.push(this.write(item));
    return list;
  }

  private dict(dict: Dict): unknown {
    const keys = [...dict.keys()];
    if (!keys.every((key) => typeof key === 'string' || key instanceof Markup)) {
      const map = new Map<unknown, unknown>();
      this.seen.set(dict, map);
      for (const [key, value] of dict.entries()) map.set(this.write(key), this.write(value));
      return map;
    }
    const object: Record<string, unknown> = {};
    this.seen.set(dict, object);
    // Not an assignment: '__proto__' is a key like any other.
    for (const [key, value] of dict.entries())
      Object.defineProperty(object, String(this.write(key)), {
        value: this.write(value),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    return object;
  }
}
