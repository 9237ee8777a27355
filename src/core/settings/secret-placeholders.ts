/**
 * Placeholders stand for secrets in published settings files: `__ZESTER_SECRET:<path>__`. A master puts them there before
 * anything is stored, the peel puts the values back after the merge. They are found by their text, wherever a template
 * carried them: as a whole value or inside of a longer one. Pure.
 */
import { type DataMap, type DataValue, dataEntries, dataMapOf, isDataMap } from '../data/data-value.ts';
import { SECRET_PATH_PATTERN } from './secret-path.ts';

/** Its beginning in any spelling: a filter may have made capitals small, or cut the end off. */
const PLACEHOLDER = new RegExp(`__ZESTER_SECRET:(?:(${SECRET_PATH_PATTERN})__)?`, 'gi');
/** What is told of a placeholder without a path. */
const UNREADABLE = '(a placeholder that a template has changed)';

export function placeholderOf(path: string): string {
  return `__ZESTER_SECRET:${path}__`;
}

export interface Substituted {
  readonly data: DataMap;
  /** Paths of placeholders that no secret answers, sorted. Not empty: `data` must not be used. */
  readonly missing: readonly string[];
}

/** Puts the values in. A placeholder in a key is never answered: a key is shown where values are not. */
export function substituteSecrets(data: DataMap, secrets: ReadonlyMap<string, string>): Substituted {
  const missing = new Set<string>();
  const text = (given: string, isKey: boolean): string =>
    given.replace(PLACEHOLDER, (placeholder, path: string | undefined) => {
      const isWhole = path !== undefined && placeholder === placeholderOf(path);
      const value = isWhole && !isKey ? secrets.get(path) : undefined;
      if (value === undefined) missing.add(path ?? UNREADABLE);
      return value ?? placeholder;
    });
  const walk = (value: DataValue): DataValue => {
    if (typeof value === 'string') return text(value, false);
    if (Array.isArray(value)) return (value as readonly DataValue[]).map(walk);
    return isDataMap(value) ? walkMap(value) : value;
  };
  const walkMap = (map: DataMap): DataMap =>
    dataMapOf(
      dataEntries(map).map(([key, value]) => [typeof key === 'string' ? text(key, true) : key, walk(value)]),
    );
  const substituted = walkMap(data);
  return { data: substituted, missing: [...missing].sort() };
}
