/** `bindArguments` matches a call's arguments with a function's parameters, with Python's TypeErrors. */
import { type Arguments, PythonError, type Value } from './value.ts';

export interface FunctionParameter {
  readonly name: string;
  /** Where there is none, the argument must be given. */
  readonly default?: Value;
  /** It cannot be given by its name. */
  readonly positionalOnly?: true;
}

const NO_NAMES: ReadonlyMap<string, Value> = new Map();
export const NO_ARGUMENTS: Arguments = { positional: [], named: NO_NAMES };

/** The arguments of a call that gives all of them by position. */
export function positional(...values: Value[]): Arguments {
  return { positional: values, named: NO_NAMES };
}

/** One value for each parameter, in their order, as Python does for `def functionName(parameters)`. */
export function bindArguments(
  functionName: string,
  parameters: readonly FunctionParameter[],
  args: Arguments,
): Value[] {
  const given = args.positional.length;
  const bound: (Value | undefined)[] = args.positional.slice(0, parameters.length);
  bound.length = parameters.length;
  for (const [name, value] of args.named) {
    const index = parameters.findIndex(
      (parameter) => parameter.name === name && parameter.positionalOnly !== true,
    );
    if (index < 0) throw unexpectedName(functionName, parameters, args, name);
    if (bound[index] !== undefined)
      throw wrongCall(functionName, `got multiple values for argument '${name}'`);
    bound[index] = value;
  }
  if (given > parameters.length) throw tooMany(functionName, parameters, given);
  const missing: string[] = [];
  const values = parameters.map((parameter, index) => {
    const value = bound[index] ?? (bound[index] === undefined ? parameter.default : null);
    if (value === undefined) missing.push(parameter.name);
    return value ?? null;
  });
  if (missing.length > 0) throw missingArguments(functionName, missing);
  return values;
}

function wrongCall(functionName: string, problem: string): PythonError {
  return new PythonError('TypeError', `${functionName}() ${problem}`);
}

function unexpectedName(
  functionName: string,
  parameters: readonly FunctionParameter[],
  args: Arguments,
  name: string,
): PythonError {
  const unnamed = parameters.filter(
    (parameter) => parameter.positionalOnly === true && args.named.has(parameter.name),
  );
  if (unnamed.length === 0) return wrongCall(functionName, `got an unexpected keyword argument '${name}'`);
  const names = unnamed.map((parameter) => parameter.name).join(', ');
  return wrongCall(
    functionName,
    `got some positional-only arguments passed as keyword arguments: '${names}'`,
  );
}

function tooMany(functionName: string, parameters: readonly FunctionParameter[], given: number): PythonError {
  const most = parameters.length;
  const least = parameters.filter((parameter) => parameter.default === undefined).length;
  const takes = least === most ? `${most}` : `from ${least} to ${most}`;
  const plural = most === 1 && least === most ? '' : 's';
  return wrongCall(
    functionName,
    `takes ${takes} positional argument${plural} but ${given} ${given === 1 ? 'was' : 'were'} given`,
  );
}

function missingArguments(functionName: string, names: readonly string[]): PythonError {
  const quoted = names.map((name) => `'${name}'`);
  const last = quoted.pop();
  const list = quoted.length === 0 ? last : `${quoted.join(', ')}${quoted.length > 1 ? ',' : ''} and ${last}`;
  return wrongCall(
    functionName,
    `missing ${names.length} required positional argument${names.length === 1 ? '' : 's'}: ${list}`,
  );
}
