/**
 * `Undefined` is what a template gets for a name, attribute or item that does not exist. It remembers what was looked
 * up, so that the error that some later use raises can say it. Which uses raise is what tells the types apart:
 *
 *   strict     every use but `is defined`, `default` and their kin; the default of an environment
 *   default    prints as nothing, is false and empty; arithmetic, calls, attributes raise
 *   chainable  as default, and its attributes and items are undefined again
 *   debug      as default, and prints what is missing
 */

import type { Site } from '../compile/site.ts';
import { attributeNames } from '../values/attribute.ts';
import { Dict } from '../values/container/dict.ts';
import { repr } from '../values/print.ts';
import { typeName } from '../values/type-name.ts';
import {
  type OrderOperator,
  PyObject,
  PythonError,
  type UndefinedHint,
  type Value,
} from '../values/value.ts';
import { nearNames } from './near-names.ts';

export type UndefinedType = 'strict' | 'default' | 'chainable' | 'debug';

/** As UndefinedHint, with what only the evaluator knows. */
export interface UndefinedFacts extends Omit<UndefinedHint, 'name'> {
  /** The name, or the key of any kind that an object does not have. */
  readonly name?: Value;
  /** What else could have been meant; asked only when an error is raised. */
  readonly known?: () => Iterable<string>;
  /** Python's name of the error that a use raises. */
  readonly exception?: string;
}

/** The error of a use. It knows where the undefined value came from, which is often nearer to the mistake. */
export class UndefinedFailure extends PythonError {
  readonly origin: Site | undefined;
  /** The attribute or key that an object does not have; undefined for a plain name. */
  readonly missing: string | undefined;

  constructor(type: string, message: string, near: readonly string[], of: Undefined) {
    super(type, message, near);
    const { object, name } = of.facts;
    this.origin = of.origin;
    this.missing = object === undefined || typeof name !== 'string' ? undefined : name;
  }
}

export class Undefined extends PyObject {
  override readonly typeName: string = 'Undefined';
  readonly facts: UndefinedFacts;
  readonly origin: Site | undefined;

  constructor(facts: UndefinedFacts, origin?: Site) {
    super();
    this.facts = facts;
    this.origin = origin;
  }

  get message(): string {
    const { message, object, name = null } = this.facts;
    if (message !== undefined) return message;
    if (object === undefined) return `${repr(name)} is undefined`;
    if (typeof name !== 'string') return `${describeType(object)} has no element ${repr(name)}`;
    return `${repr(describeType(object))} has no attribute ${repr(name)}`;
  }

  override fail(): never {
    const { exception = 'UndefinedError' } = this.facts;
    throw new UndefinedFailure(exception, this.message, this.near(), this);
  }

  private near(): readonly string[] {
    const { near, known, name, object } = this.facts;
    if (near !== undefined) return near;
    if (typeof name !== 'string') return [];
    if (known !== undefined) return nearNames(name, known());
    return object === undefined ? [] : nearNames(name, namesIn(object));
  }

  override str(): string {
    return '';
  }
  override repr(): string {
    return 'Undefined';
  }
  override truthy(): boolean {
    return false;
  }
  override length(): number {
    return 0;
  }
  override iterate(): Iterator<Value> {
    return [][Symbol.iterator]();
  }
  override equals(other: Value): boolean {
    return other instanceof Undefined && other.constructor === this.constructor;
  }
  override hashKey(): string {
    return `undefined:${this.typeName}`;
  }
  override attribute(_name: string): Value | undefined {
    return this.fail();
  }
  override item(_key: Value): Value | undefined {
    return this.fail();
  }
  override call(): never {
    return this.fail();
  }
  override operate(): never {
    return this.fail();
  }
  override order(_operator: OrderOperator, _other: Value): never {
    return this.fail();
  }
  override unary(): never {
    return this.fail();
  }
  override asInt(): never {
    return this.fail();
  }
  override asFloat(): never {
    return this.fail();
  }
}

class StrictUndefined extends Undefined {
  override readonly typeName = 'StrictUndefined';

  override str(): string {
    return this.fail();
  }
  override truthy(): boolean {
    return this.fail();
  }
  override length(): number {
    return this.fail();
  }
  override iterate(): Iterator<Value> {
    return this.fail();
  }
  override equals(): boolean {
    return this.fail();
  }
  override hashKey(): string {
    return this.fail();
  }
}

class ChainableUndefined extends Undefined {
  override readonly typeName = 'ChainableUndefined';

  override attribute(): Value {
    return this;
  }
  override item(): Value {
    return this;
  }
  override html(): string {
    return this.str();
  }
}

class DebugUndefined extends Undefined {
  override readonly typeName = 'DebugUndefined';

  override str(): string {
    const { message, object, name = null } = this.facts;
    if (message !== undefined) return `{{ undefined value printed: ${message} }}`;
    if (object === undefined) return `{{ ${typeof name === 'string' ? name : repr(name)} }}`;
    return `{{ no such element: ${describeType(object)}[${repr(name)}] }}`;
  }
}

const TYPES: Readonly<Record<UndefinedType, typeof Undefined>> = {
  strict: StrictUndefined,
  default: Undefined,
  chainable: ChainableUndefined,
  debug: DebugUndefined,
};

export function undefinedClass(type: UndefinedType): typeof Undefined {
  return TYPES[type];
}

export function isUndefined(value: Value): value is Undefined {
  return value instanceof Undefined;
}

/** Python's modules of the types that are not built in, as Jinja2 names them in its messages. */
const MODULES: Readonly<Record<string, string>> = {
  Namespace: 'jinja2.utils',
  Cycler: 'jinja2.utils',
  Joiner: 'jinja2.utils',
  LoopContext: 'jinja2.runtime',
  Macro: 'jinja2.runtime',
  BlockReference: 'jinja2.runtime',
  TemplateReference: 'jinja2.runtime',
  TemplateModule: 'jinja2.environment',
  Markup: 'markupsafe',
};

function describeType(value: Value): string {
  if (value === null) return 'None';
  const name = typeName(value);
  const module = MODULES[name];
  return `${module === undefined ? '' : `${module}.`}${name} object`;
}

function* namesIn(object: Value): Iterable<string> {
  if (object instanceof Dict) for (const key of object.keys()) if (typeof key === 'string') yield key;
  yield* attributeNames(object);
}
