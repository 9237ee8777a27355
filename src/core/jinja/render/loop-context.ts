/**
 * `LoopContext` is `loop`: what a template can ask about the loop it is in. It also hands out the loop's items one by
 * one.
 */

import { bindArguments } from '../values/arguments.ts';
import { sameItems } from '../values/compare.ts';
import { iterate, knownLength } from '../values/container/iterate.ts';
import { Tuple } from '../values/container/tuple.ts';
import { Func } from '../values/func.ts';
import { type Arguments, PythonError, type Value } from '../values/value.ts';
import type { TemplateContext } from './context.ts';
import { TextFunction } from './text-function.ts';

/** What writes the loop again over the children, in a recursive loop. */
export type Recurse = (iterable: Value, depth0: number, context: TemplateContext) => void;

export class LoopContext extends TextFunction {
  override readonly typeName = 'LoopContext';
  /** The round, from 0. */
  index0 = -1;
  readonly depth0: number;
  private readonly context: TemplateContext;
  private readonly iterable: Value;
  /** Lists and tuples are read by index; everything else by an iterator. */
  private items: readonly Value[] | undefined;
  private iterator: Iterator<Value> | undefined;
  private knownLength: number | undefined;
  private before: Value | undefined;
  private current: Value | undefined;
  private after: Value | undefined;
  private lastChanged: readonly Value[] | undefined;
  private readonly recurse: Recurse | undefined;

  constructor(context: TemplateContext, iterable: Value, recurse: Recurse | undefined, depth0: number) {
    super();
    this.context = context;
    this.iterable = iterable;
    this.recurse = recurse;
    this.depth0 = depth0;
    if (Array.isArray(iterable)) this.items = iterable;
    else if (iterable instanceof Tuple) this.items = iterable.items;
    else this.iterator = iterate(iterable);
  }

  /** The next item, or undefined after the last. */
  advance(): Value | undefined {
    const next = this.peek();
    if (next === undefined) return undefined;
    this.after = undefined;
    this.index0++;
    this.before = this.current;
    this.current = next;
    return next;
  }

  private peek(): Value | undefined {
    if (this.items !== undefined) return this.items[this.index0 + 1];
    if (this.after === undefined) {
      const next = this.iterator?.next();
      if (next?.done === false) this.after = next.value;
    }
    return this.after;
  }

  get index(): number {
    return this.index0 + 1;
  }
  get first(): boolean {
    return this.index0 === 0;
  }
  get last(): boolean {
    return this.peek() === undefined;
  }
  get depth(): number {
    return this.depth0 + 1;
  }
  get revindex(): number {
    return this.size - this.index0;
  }
  get revindex0(): number {
    return this.size - this.index;
  }
  /** Of what has no length, such as a generator, the rest is read ahead. */
  get size(): number {
    this.knownLength ??= knownLength(this.iterable) ?? this.readAhead();
    return this.knownLength;
  }
  get previtem(): Value {
    if (this.before !== undefined && this.index0 > 0) return this.before;
    return this.context.undefined({ message: 'there is no previous item' });
  }
  get nextitem(): Value {
    const next = this.peek();
    return next === undefined ? this.context.undefined({ message: 'there is no next item' }) : next;
  }

  private readAhead(): number {
    const rest: Value[] = [];
    const iterator = this.iterator ?? rest[Symbol.iterator]();
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      this.context.charge(1);
      rest.push(next.value);
    }
    this.iterator = rest[Symbol.iterator]();
    return rest.length + this.index + (this.after === undefined ? 0 : 1);
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'index':
      case 'index0':
      case 'first':
      case 'last':
      case 'depth':
      case 'depth0':
      case 'revindex':
      case 'revindex0':
      case 'previtem':
      case 'nextitem':
        return this[name];
      case 'length':
        return this.size;
      case 'cycle':
        return new Func('cycle', (args) => this.cycle(args));
      case 'changed':
        return new Func('changed', (args) => this.changed(args.positional));
      default:
        return undefined;
    }
  }
  override attributeNames(): readonly string[] {
    return LOOP_ATTRIBUTES;
  }

  private cycle({ positional }: Arguments): Value {
    const value = positional[this.index0 % positional.length];
    if (value === undefined) throw new PythonError('TypeError', 'no items for cycling given');
    return value;
  }

  /** Whether this differs from the values of the last call. */
  changed(values: readonly Value[]): boolean {
    if (this.lastChanged !== undefined && sameItems(this.lastChanged, values)) return false;
    this.lastChanged = values;
    return true;
  }

  override length(): number {
    return this.size;
  }
  override truthy(): boolean {
    return this.size > 0;
  }
  override repr(): string {
    return `<LoopContext ${this.index}/${this.size}>`;
  }
  override write(args: Arguments, caller: TemplateContext): void {
    const [, iterable = null] = bindArguments(
      'LoopContext.__call__',
      [{ name: 'self' }, { name: 'iterable' }],
      { positional: [this, ...args.positional], named: args.named },
    );
    if (this.recurse === undefined)
      throw new PythonError(
        'TypeError',
        "The loop must have the 'recursive' marker to be called recursively.",
      );
    this.recurse(iterable, this.depth, caller);
  }
}

const LOOP_ATTRIBUTES = [
  'changed',
  'cycle',
  'depth',
  'depth0',
  'first',
  'index',
  'index0',
  'last',
  'length',
  'nextitem',
  'previtem',
  'revindex',
  'revindex0',
] as const;
