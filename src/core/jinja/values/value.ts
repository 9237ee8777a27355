/**
 * These types are Python's values in JavaScript. The common ones are JavaScript's own, so that rendering is fast:
 *
 *   None            null
 *   bool            boolean
 *   int             number that is a safe integer, or a bigint outside of that range (never inside it)
 *   float           Float: JavaScript cannot tell 1.0 from 1
 *   str             string; length and indexes count code points, not UTF-16 units
 *   list            JavaScript array, mutable and shared as in Python
 *   everything else PyObject: tuple, dict, Markup, undefined, functions, loop, namespace, what the host hands in
 *
 * A JavaScript object that is not one of these never reaches a template: the host's data goes through `fromHost`.
 */
export type Value = null | boolean | number | bigint | string | Value[] | PyObject;

export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type OrderOperator = '<' | '<=' | '>' | '>=';

/** What a template hands to a function, filter or test. */
export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/**
 * Whatever is not one of JavaScript's own values. The methods are Python's protocol; what is not overridden does what
 * Python's `object` does: printing gives a name, being called or iterated is a TypeError. Attributes exist only where
 * `attribute` says so: nothing of JavaScript shines through.
 */
export abstract class PyObject {
  /** As Python's `type(x).__name__`. */
  abstract readonly typeName: string;

  /** `x.name`, or undefined where there is no such attribute. */
  attribute(_name: string): Value | undefined {
    return undefined;
  }
  /** Names for "did you mean". */
  attributeNames(): readonly string[] {
    return [];
  }
  /** `x[key]`, or undefined where there is no such item; throws PythonError for a key of a wrong kind. */
  item?(key: Value): Value | undefined;
  /** `str(x)`. */
  str(): string {
    return this.repr();
  }
  repr(): string {
    return `<${this.typeName} object>`;
  }
  truthy(): boolean {
    return true;
  }
  length?(): number;
  iterate?(): Iterator<Value>;
  contains?(value: Value): boolean;
  equals(other: Value): boolean {
    return this === other;
  }
  /** A string that equal values share, or undefined where Python's `hash()` raises. */
  hashKey(): string | undefined {
    return undefined;
  }
  call?(args: Arguments, render: RenderContext): Value;
  /**
   * `x <operator> other`, or `other <operator> x` where `reflected`. undefined is Python's NotImplemented: the other
   * side is asked, then it is a TypeError. For types that the built-in arithmetic does not know, such as Undefined.
   */
  operate?(operator: Operator, other: Value, reflected: boolean): Value | undefined;
  /** `x < other` and its kin; undefined is Python's NotImplemented. */
  order?(operator: OrderOperator, other: Value): boolean | undefined;
  /** `int(x)` and `float(x)`, where an object can be asked for its number. */
  asInt?(): number | bigint;
  asFloat?(): number;
  /** `-x` and `+x`; undefined is Python's NotImplemented. */
  unary?(operator: '-' | '+'): Value | undefined;
  /** For markupsafe: text that is already HTML. */
  html?(): string;
  /** Of a value that stands for one that is not there: what its use raises. */
  fail?(): never;
}

/** Python's exceptions, by their Python name; the evaluator adds where it happened. */
export class PythonError extends Error {
  readonly type: string;
  /** Names near the wrong one, for "did you mean". */
  readonly near: readonly string[];

  constructor(type: string, message: string, near: readonly string[] = []) {
    super(message);
    this.name = type;
    this.type = type;
    this.near = near;
  }
}

/**
 * What functions, filters and tests may ask of the render they run in. The evaluator implements it; the library is
 * written against it, so that neither needs the other.
 */
export interface RenderContext {
  readonly autoescape: boolean;
  readonly limits: RenderLimits;
  /** Counts work against the step limit; a filter that loops over n items charges n. Throws when the limit is reached. */
  charge(steps: number): void;
  /** Calls any callable value, with Python's TypeError for what is not one. */
  call(callee: Value, args: Arguments): Value;
  callFilter(name: string, input: Value, args: Arguments): Value;
  callTest(name: string, input: Value, args: Arguments): boolean;
  hasFilter(name: string): boolean;
  hasTest(name: string): boolean;
  /** `x.name` with Jinja2's order: attribute, then item; an Undefined where neither exists. */
  getAttribute(object: Value, name: string): Value;
  /** `x[key]` with Jinja2's order: item, then attribute if the key is a string. */
  getItem(object: Value, key: Value): Value;
  /** A new undefined value of the type the environment chose. */
  undefined(hint: UndefinedHint): Value;
  /** The variable as a template would see it, for filters that look at the context; undefined where there is none. */
  lookup(name: string): Value | undefined;
  /** The names of all variables that the template sees. */
  names(): Iterable<string>;
  readonly host: Host;
}

export interface UndefinedHint {
  readonly name?: string;
  /** The object that has no such attribute or item. */
  readonly object?: Value;
  /** A whole sentence that replaces the usual message. */
  readonly message?: string;
  readonly near?: readonly string[];
}

export interface RenderLimits {
  readonly steps: number;
  /** In UTF-16 units, over everything a render writes, captured text included; also the longest single string. */
  readonly output: number;
  readonly recursion: number;
  /** Longest range() and longest list a multiplication may make. */
  readonly range: number;
}

/** What the engine cannot do by itself because it is pure. Where one is missing, what needs it says so clearly. */
export interface Host {
  readonly loadYaml?: (text: string) => Value;
  readonly dumpYaml?: (value: Value, options: { readonly flow: boolean; readonly indent?: number }) => string;
  readonly digest?: (algorithm: string, bytes: Uint8Array) => Uint8Array;
  readonly hmac?: (algorithm: string, key: Uint8Array, bytes: Uint8Array) => Uint8Array;
  /** For lipsum, random and shuffle: a number in [0, 1). */
  readonly random?: () => number;
  /** Milliseconds since 1970, for strftime of now. */
  readonly nowMs?: () => number;
  /** A linear-time regular expression in the syntax of Python's `re`. */
  readonly regex?: (
    pattern: string,
    flags: {
      readonly ignoreCase: boolean;
      readonly multiline: boolean;
      readonly dotAll: boolean;
      /** Whether a match must begin where the text does. */
      readonly atStart?: boolean;
    },
  ) => Regex;
}

export interface Regex {
  readonly groupCount: number;
  readonly groupNumbers: ReadonlyMap<string, number>;
  /**
   * Matches from the start, not overlapping, as of Python's `finditer`; start and end in UTF-16 units, the whole match
   * before its groups (undefined: did not take part).
   */
  matches(text: string): Iterable<{
    readonly start: number;
    readonly end: number;
    readonly groups: readonly [whole: string, ...groups: (string | undefined)[]];
  }>;
}
