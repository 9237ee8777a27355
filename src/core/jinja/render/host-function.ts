/**
 * These objects are functions of the host as values of a template, one by one or as a dictionary of many, as Salt's
 * `salt` is.
 */

import { fromHost, toHost } from '../values/from-host.ts';
import { identityKey } from '../values/hash.ts';
import { repr } from '../values/print.ts';
import { type Arguments, PyObject, type RenderContext, type Value } from '../values/value.ts';
import type { TemplateContext } from './context.ts';

/**
 * Gets plain data, gives plain data or a promise of it. Each call of a template is made once (host-calls.ts). What is
 * undefined comes as the object it is: `fail` of it is for who uses it.
 */
export type HostCall = (positional: readonly unknown[], named: Readonly<Record<string, unknown>>) => unknown;

export class HostFunction extends PyObject {
  override readonly typeName = 'function';
  readonly name: string;
  private readonly hostCall: HostCall;

  constructor(name: string, call: HostCall) {
    super();
    this.name = name;
    this.hostCall = call;
  }

  override call({ positional, named }: Arguments, render: RenderContext): Value {
    const { hostCalls, steps } = (render as TemplateContext).pass;
    steps.charge(1);
    const words = [...positional.map(repr), ...[...named].map(([name, value]) => `${name}=${repr(value)}`)];
    const answer = hostCalls.make(this.name, words, () =>
      this.hostCall(
        positional.map(toHost),
        Object.fromEntries([...named].map(([name, value]) => [name, toHost(value)])),
      ),
    );
    return fromHost(answer);
  }
  override repr(): string {
    return `<function ${this.name}>`;
  }
  override hashKey(): string {
    return identityKey(this);
  }
}

export interface HostFunctionTable {
  find(name: string): HostCall | undefined;
  names(): Iterable<string>;
}

/** `salt['pkg.version']` and `salt.pkg.version`: many functions under dotted names. */
export class HostFunctions extends PyObject {
  override readonly typeName = 'dict';
  private readonly table: HostFunctionTable;
  /** The part of the name that was asked for so far, with its dot. */
  private readonly prefix: string;

  constructor(table: HostFunctionTable, prefix = '') {
    super();
    this.table = table;
    this.prefix = prefix;
  }

  override item(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const name = this.prefix + key;
    const call = this.table.find(name);
    return call === undefined ? undefined : new HostFunction(name, call);
  }
  override attribute(name: string): Value | undefined {
    const found = this.item(name);
    if (found !== undefined) return found;
    const prefix = `${this.prefix}${name}.`;
    for (const known of this.table.names())
      if (known.startsWith(prefix)) return new HostFunctions(this.table, prefix);
    return undefined;
  }
  override attributeNames(): readonly string[] {
    return this.names();
  }
  override contains(key: Value): boolean {
    return this.item(key) !== undefined;
  }
  override length(): number {
    return this.names().length;
  }
  override iterate(): Iterator<Value> {
    return this.names()[Symbol.iterator]();
  }
  override repr(): string {
    return `<functions ${this.prefix}*>`;
  }

  private names(): string[] {
    return [...this.table.names()]
      .filter((name) => name.startsWith(this.prefix))
      .map((name) => name.slice(this.prefix.length));
  }
}
