/**
 * The library's filters and tests are written down with what is here: the Python signature with its parameter names, so
 * that calls bind and fail as Python's do, and a body that gets one value per parameter.
 */
import { bindArguments, type FunctionParameter } from '../values/arguments.ts';
import { type Arguments, PythonError, type RenderContext, type Value } from '../values/value.ts';

export type Origin = 'jinja' | 'salt';

export interface LibraryFunction {
  readonly name: string;
  readonly origin: Origin;
  call(input: Value, args: Arguments, render: RenderContext): Value;
}

export interface LibraryTest extends LibraryFunction {
  call(input: Value, args: Arguments, render: RenderContext): boolean;
}

/** The function's name in Python's error messages, and its parameters; the first is what the filter is applied to. */
export interface Signature {
  readonly python: string;
  readonly parameters: readonly FunctionParameter[];
  readonly required: number;
  /** A parameter before the first that Jinja2 fills in by itself; Python counts it in its messages. */
  readonly hidden: string | undefined;
}

/** A parameter is its name, or its name and default. */
export function signature(
  python: string,
  parameters: readonly (string | readonly [name: string, otherwise: Value])[],
  hidden?: 'environment' | 'env' | 'context' | 'eval_ctx' | 'self',
): Signature {
  const named = parameters.map(
    (parameter): FunctionParameter =>
      typeof parameter === 'string' ? { name: parameter } : { name: parameter[0], default: parameter[1] },
  );
  const required = named.filter((parameter) => parameter.default === undefined).length;
  return { python, parameters: named, required, hidden };
}

/** One value for each parameter, the filter's input first. There are never more parameters than places here. */
export type Bound = readonly [Value, Value, Value, Value, Value, Value, Value];

export type Body<Result extends Value = Value> = (values: Bound, render: RenderContext) => Result;

export function jinjaFilter(name: string, takes: Signature, body: Body): LibraryFunction {
  return { name, origin: 'jinja', call: (input, args, render) => body(bind(takes, input, args), render) };
}

export function saltFilter(name: string, takes: Signature, body: Body): LibraryFunction {
  return { name, origin: 'salt', call: (input, args, render) => body(bind(takes, input, args), render) };
}

export function jinjaTest(name: string, takes: Signature, body: Body<boolean>): LibraryTest {
  return { name, origin: 'jinja', call: (input, args, render) => body(bind(takes, input, args), render) };
}

export function saltTest(name: string, takes: Signature, body: Body<boolean>): LibraryTest {
  return { name, origin: 'salt', call: (input, args, render) => body(bind(takes, input, args), render) };
}

/** The same function under a second name. */
export function alias<F extends LibraryFunction>(name: string, original: F): F {
  return { ...original, name };
}

function bind(takes: Signature, input: Value, args: Arguments): Bound {
  return bindValues(takes, input, args) as readonly Value[] as Bound;
}

/** One value for each parameter, by position and name. */
export function bindValues(takes: Signature, input: Value, args: Arguments): readonly Value[] {
  const { parameters, required, hidden } = takes;
  const given = args.positional;
  const count = given.length + 1;
  if (args.named.size > 0 || count < required || count > parameters.length) {
    if (hidden === undefined)
      return bindArguments(takes.python, parameters, { positional: [input, ...given], named: args.named });
    const all = [{ name: hidden }, ...parameters];
    return bindArguments(takes.python, all, { positional: [null, input, ...given], named: args.named }).slice(
      1,
    );
  }
  const values: Value[] = [input];
  for (let i = 1; i < parameters.length; i++)
    values.push(i < count ? (given[i - 1] as Value) : (parameters[i]?.default ?? null));
  return values;
}

/** For functions that Python has in C and that take arguments by position only. */
export function withoutNamed(python: string, args: Arguments): void {
  if (args.named.size > 0) throw new PythonError('TypeError', `${python}() takes no keyword arguments`);
}

/** For functions that Python has in C, such as `len`: one argument, and that by position. */
export function oneArgument(python: string, args: Arguments): void {
  withoutNamed(python, args);
  if (args.positional.length > 0)
    throw new PythonError(
      'TypeError',
      `${python}() takes exactly one argument (${args.positional.length + 1} given)`,
    );
}

/** Jinja2's own error for arguments of a filter that make no sense. */
export function wrongArgument(message: string): PythonError {
  return new PythonError('FilterArgumentError', message);
}
