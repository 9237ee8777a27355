/** These functions follow dotted paths into facts: `os.family`. They go through nested maps only, never into a list. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { FORBIDDEN_KEY, isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { FACT_KEYS } from '../../wire/records/facts.ts';

export function lookUpFact(facts: WireMap, path: string): WireValue | undefined {
  let at: WireValue | undefined = facts;
  for (const key of path.split('.')) {
    if (!isWireMap(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

const DEPTH_MAX = 16;

/** The same facts with one set; maps on the way are made. Refuses to replace a plain value on the way by a map. */
export function withFact(facts: WireMap, path: string, value: WireValue): WireMap {
  checkCustomPath(path);
  return setAt(facts, path.split('.'), value, path);
}

/** Custom facts have no part in names that mean something to Zester: `os` set by hand would break every target. */
function checkCustomPath(path: string): void {
  const refuse = (reason: string) => zesterError('FACT_NOT_SETTABLE', { fact: path, reason });
  const keys = path.split('.');
  if (keys.length > DEPTH_MAX) throw refuse(`it is more than ${DEPTH_MAX} levels deep`);
  if (!keys.every(isFactName))
    throw refuse('a name between the dots is empty, has a space or colon in it, or is not allowed');
  const [top = ''] = keys;
  if (isReservedFact(top)) throw refuse(`${top} belongs to Zester`);
}

/** What can stand between the dots of a path. */
export function isFactName(key: string): boolean {
  return /^[^\s:.]+$/.test(key) && key !== FORBIDDEN_KEY;
}

/** Whether Zester itself fills this top-level name. */
export function isReservedFact(key: string): boolean {
  return (Object.values(FACT_KEYS) as string[]).includes(key);
}

function setAt(
  map: WireMap,
  [key = '', ...rest]: readonly string[],
  value: WireValue,
  path: string,
): WireMap {
  if (rest.length === 0) return { ...map, [key]: value };
  const inner = Object.hasOwn(map, key) ? map[key] : {};
  if (!isWireMap(inner))
    throw zesterError('FACT_NOT_SETTABLE', { fact: path, reason: `${key} is not a map` });
  return { ...map, [key]: setAt(inner, rest, value, path) };
}
