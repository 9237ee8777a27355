/**
 * Methods of Python's built-in types are made with what is here. Python words the errors of a wrong call differently by
 * how the C function takes its arguments; each kind of function here words them as that kind does.
 */
import type { Method } from './func.ts';
import { intOf } from './number/integer.ts';
import { textOf } from './text/markup.ts';
import { typeName } from './type-name.ts';
import { type Arguments, PythonError, type RenderContext, type Value } from './value.ts';

/** The type whose methods they are. */
interface Owner {
  readonly name: string;
  /** What each argument goes through, once their number is right; bytes use the methods of str with it. */
  readonly accept?: (value: Value, index: number) => Value;
}

/** A method that still has to learn whose it is and its name, for its errors. */
export type Native<Self extends Value> = (owner: Owner, name: string) => Method<Self>;
export type MethodTable = ReadonlyMap<string, Method>;

/** The methods of one type, by name. */
export function methodTable<Self extends Value>(
  owner: string,
  natives: Readonly<Record<string, Native<Self>>>,
): MethodTable {
  // A table is only asked with values of its own type.
  return new Map(
    Object.entries(natives).map(([name, native]) => [name, native({ name: owner }, name) as Method]),
  );
}

/** No arguments. */
export function none<Self extends Value>(run: (self: Self, render: RenderContext) => Value): Native<Self> {
  return (owner, name) => (self, args, render) => {
    refuseNames(owner, self, name, args);
    if (args.positional.length > 0)
      throw wrongCall(
        `${ownerName(owner, self)}.${name}() takes no arguments (${args.positional.length} given)`,
      );
    return run(self, render);
  };
}

/** Exactly one argument. */
export function one<Self extends Value>(
  run: (self: Self, value: Value, render: RenderContext) => Value,
): Native<Self> {
  return (owner, name) => (self, args, render) => {
    refuseNames(owner, self, name, args);
    if (args.positional.length !== 1)
      throw wrongCall(
        `${ownerName(owner, self)}.${name}() takes exactly one argument (${args.positional.length} given)`,
      );
    return run(self, accepted(owner, args.positional)[0] as Value, render);
  };
}

type RunAll<Self> = (self: Self, args: readonly Value[], render: RenderContext) => Value;

/** From `least` to `most` arguments by position: "pop expected at most 1 argument, got 2". */
export function some<Self extends Value>(least: number, most: number, run: RunAll<Self>): Native<Self> {
  return (owner, name) => (self, args, render) => {
    refuseNames(owner, self, name, args);
    const given = args.positional.length;
    if (given < least || given > most) {
      const bound = given < least ? least : most;
      const quantity = least === most ? '' : given < least ? 'at least ' : 'at most ';
      throw wrongCall(`${name} expected ${quantity}${bound} argument${plural(bound)}, got ${given}`);
    }
    return run(self, accepted(owner, args.positional), render);
  };
}

/** As `some`, in the words of an older way to take arguments: "find() takes at least 1 argument (0 given)". */
export function parsed<Self extends Value>(least: number, most: number, run: RunAll<Self>): Native<Self> {
  return (owner, name) => (self, args, render) => {
    if (args.named.size > 0) throw wrongCall(`${name}() takes no keyword arguments`);
    const given = args.positional.length;
    if (given < least || given > most) {
      const bound = given < least ? least : most;
      const quantity = least === most ? 'exactly' : given < least ? 'at least' : 'at most';
      throw wrongCall(`${name}() takes ${quantity} ${bound} argument${plural(bound)} (${given} given)`);
    }
    return run(self, accepted(owner, args.positional), render);
  };
}

/** Arguments by position or by name; undefined for those that are not given. The first `required` must be given. */
export function keyed<Self extends Value>(
  names: readonly string[],
  run: (self: Self, args: readonly (Value | undefined)[], render: RenderContext) => Value,
  options: { readonly required?: number; readonly positionalMax?: number } = {},
): Native<Self> {
  const { required = 0, positionalMax = names.length } = options;
  return (owner, name) => (self, args, render) => {
    const given = args.positional.length;
    const total = given + args.named.size;
    if (total > names.length)
      throw wrongCall(
        `${name}() takes at most ${names.length} ${given === 0 ? 'keyword ' : ''}argument${plural(names.length)} (${total} given)`,
      );
    if (given > positionalMax)
      throw wrongCall(
        positionalMax === 0
          ? `${name}() takes no positional arguments`
          : `${name}() takes at most ${positionalMax} positional argument${plural(positionalMax)} (${given} given)`,
      );
    const bound = bindNames(name, names, required, args);
    const { accept } = owner;
    if (accept === undefined) return run(self, bound, render);
    const values = bound.map((value, index) => (value === undefined ? value : accept(value, index)));
    return run(self, values, render);
  };
}

function bindNames(
  functionName: string,
  names: readonly string[],
  required: number,
  args: Arguments,
): (Value | undefined)[] {
  const bound = names.map((name, index) => args.positional[index] ?? pick(args, name, index));
  for (const [index, name] of names.entries()) {
    if (index < required && bound[index] === undefined)
      throw wrongCall(`${functionName}() missing required argument '${name}' (pos ${index + 1})`);
    if (index < args.positional.length && args.named.has(name))
      throw wrongCall(`argument for ${functionName}() given by name ('${name}') and position (${index + 1})`);
  }
  for (const name of args.named.keys())
    if (!names.includes(name))
      throw wrongCall(`'${name}' is an invalid keyword argument for ${functionName}()`);
  return bound;
}

function accepted(owner: Owner, values: readonly Value[]): readonly Value[] {
  return owner.accept === undefined ? values : values.map(owner.accept);
}

/** null is a value like any other: only what was not given at all is looked up by its name. */
function pick(args: Arguments, name: string, index: number): Value | undefined {
  return index < args.positional.length ? null : args.named.get(name);
}

/** Takes whatever is given. */
export function free<Self extends Value>(run: Method<Self>): Native<Self> {
  return () => run;
}

/** `operator.index(value)`: a whole number that C can hold, for sizes and counts. */
export function sizeOf(value: Value, type: 'ssize_t' | 'int' = 'ssize_t'): number {
  const int = intOf(value);
  if (int === undefined)
    throw new PythonError('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
  const bits = type === 'int' ? 32 : 64;
  if (Math.abs(Number(int)) >= 2 ** 31 && BigInt.asIntN(bits, BigInt(int)) !== BigInt(int))
    throw new PythonError('OverflowError', `Python int too large to convert to C ${type}`);
  return Number(int);
}

/** The text of a str argument, or Python's TypeError with these words before the type. */
export function textArgument(value: Value, words: string): string {
  const text = textOf(value);
  if (text !== undefined) return text;
  // Functions that name or count their argument call None by its name, others by its type.
  const type = value === null && words.includes('argument') ? 'None' : typeName(value);
  throw wrongCall(`${words}, not ${type}`);
}

function refuseNames(owner: Owner, self: Value, name: string, args: Arguments): void {
  if (args.named.size > 0) throw wrongCall(`${ownerName(owner, self)}.${name}() takes no keyword arguments`);
}

/** The type of the object itself, as bool for the methods of int; a text may stand for bytes or Markup. */
function ownerName(owner: Owner, self: Value): string {
  return typeof self === 'string' ? owner.name : typeName(self);
}

function wrongCall(message: string): PythonError {
  return new PythonError('TypeError', message);
}

function plural(count: number): string {
  return count === 1 ? '' : 's';
}
