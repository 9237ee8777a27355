/**
 * These functions read the functions that a `module.run` state names, with their arguments. Two ways to write them,
 * both of Salt:
 *
 *   - name: test.echo            one function; everything else are its arguments,
 *   - text: hello                with `args` and `kwargs` for those that would be taken for something else
 *
 *   - test.echo:                 any number of functions, in this order; arguments by name,
 *     - text: hello              or one bare argument
 *   - test.ping:
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { showValue } from '../../core/params/print-value.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';

export interface FunctionCall {
  readonly name: string;
  readonly args: WireMap;
}

export const CALLS_MAX = 100;

/** `id` is the function where the arguments name none. Throws MODULE_BAD_ARGUMENTS. */
export function functionCalls(id: string, args: WireMap): readonly FunctionCall[] {
  const named = Object.entries(args).filter(([key]) => isFunctionName(key));
  if (named.length === 0) return [classicCall(id, args)];
  if (named.length > CALLS_MAX) throw refused(`it calls at most ${CALLS_MAX} functions`);
  const stray = Object.keys(args).find((key) => key !== 'name' && !isFunctionName(key));
  if (stray !== undefined) throw refused(`${stray} belongs to no function: write it below the one it is for`);
  return named.map(([name, given]) => ({ name, args: argumentsOf(name, given) }));
}

function isFunctionName(key: string): boolean {
  return key.includes('.');
}

function classicCall(id: string, { name = id, args, kwargs, ...rest }: WireMap): FunctionCall {
  if (typeof name !== 'string' || !isFunctionName(name))
    throw refused(`no function: ${showValue(name)} is none; write name: test.ping, or test.ping: []`);
  if (kwargs !== undefined && !isWireMap(kwargs)) throw refused('kwargs must be a map');
  return { name, args: { ...rest, ...argumentsOf(name, args ?? null), ...kwargs } };
}

/** A bare argument goes under `name`, which every function takes for the one that it takes bare. */
function argumentsOf(functionName: string, given: WireValue): WireMap {
  if (given === null) return {};
  if (isWireMap(given)) return given;
  const items = Array.isArray(given) ? (given as readonly WireValue[]) : [given];
  const bare = items.filter((item) => !isWireMap(item));
  if (bare.length > 1)
    throw refused(`${functionName} got ${bare.length} arguments without names, and one is the most`);
  const byName = items.filter((item) => isWireMap(item));
  return Object.assign({}, ...byName, ...bare.map((name) => ({ name })));
}

function refused(problems: string) {
  return zesterError('MODULE_BAD_ARGUMENTS', { function: 'module.run', problems });
}
