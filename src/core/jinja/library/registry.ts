/** This registry lists everything the library has, by name. An alias is an entry of its own. */
import type { Value } from '../values/value.ts';
import { DATA_FILTERS } from './filters/filters-data.ts';
import { HTML_FILTERS } from './filters/filters-html.ts';
import { LIST_FILTERS } from './filters/filters-list.ts';
import { NUMBER_FILTERS } from './filters/filters-number.ts';
import { ORDER_FILTERS } from './filters/filters-order.ts';
import { SELECT_FILTERS } from './filters/filters-select.ts';
import { TEXT_FILTERS } from './filters/filters-text.ts';
import { JINJA_GLOBALS, SALT_GLOBALS } from './globals.ts';
import type { LibraryFunction, LibraryTest } from './library-function.ts';
import { SALT_DATE_FILTERS } from './salt/salt-date.ts';
import { SALT_DICT_FILTERS } from './salt/salt-dict.ts';
import { SALT_ENTRIES_FILTERS } from './salt/salt-entries.ts';
import { SALT_HASH_FILTERS } from './salt/salt-hash.ts';
import { SALT_ITERATE_FILTERS } from './salt/salt-iterate.ts';
import { SALT_LIST_FILTERS } from './salt/salt-list.ts';
import { SALT_NETWORK_FILTERS } from './salt/salt-network.ts';
import { SALT_REGEX_FILTERS, SALT_REGEX_TESTS } from './salt/salt-regex.ts';
import { SALT_SERIALIZE_FILTERS } from './salt/salt-serialize.ts';
import { SALT_TEXT_FILTERS } from './salt/salt-text.ts';
import { JINJA_TESTS, SALT_TESTS } from './tests.ts';

/** Where Salt has a filter of its own under a name of Jinja2's (`unique`, `min`, `max`, `tojson`), only Salt's exists. */
export const FILTERS: ReadonlyMap<string, LibraryFunction> = byName([
  ...DATA_FILTERS,
  ...HTML_FILTERS,
  ...LIST_FILTERS,
  ...NUMBER_FILTERS,
  ...ORDER_FILTERS,
  ...SELECT_FILTERS,
  ...TEXT_FILTERS,
  ...SALT_DATE_FILTERS,
  ...SALT_DICT_FILTERS,
  ...SALT_ENTRIES_FILTERS,
  ...SALT_HASH_FILTERS,
  ...SALT_ITERATE_FILTERS,
  ...SALT_LIST_FILTERS,
  ...SALT_NETWORK_FILTERS,
  ...SALT_REGEX_FILTERS,
  ...SALT_SERIALIZE_FILTERS,
  ...SALT_TEXT_FILTERS,
]);

export const TESTS: ReadonlyMap<string, LibraryTest> = byName([
  ...JINJA_TESTS,
  ...SALT_TESTS,
  ...SALT_REGEX_TESTS,
]);

export const GLOBALS: ReadonlyMap<string, Value> = byName([...JINJA_GLOBALS, ...SALT_GLOBALS]);

function byName<T extends { readonly name: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}
