/**
 * The execution functions `settings.*` show what operators say about this machine. Salt calls it the pillar, and
 * `pillar.*` is the same.
 */

import { dataEntries, isDataMap, keyText, wireOfData, wireOfDataMap } from '../../core/data/data-value.ts';
import { optional, required } from '../../core/params/params.ts';
import { lookUpPath } from '../../core/states/template/data-path.ts';
import { type ExecutionFunction, query } from '../contract.ts';
import { namesOutcome } from '../names-outcome.ts';

const get = query({
  name: 'settings.get',
  summary: 'Answers with one setting.',
  params: {
    key: required('string', {
      primary: true,
      doc: 'Its name; dots or colons lead into maps, as in web.port or web:port.',
    }),
    default: optional('any', { doc: 'What to answer where there is no such setting. Default: nothing.' }),
  },
  examples: ["zester '*' settings.get web.port", "zester '*' settings.get web:port default=80"],
  run: async ({ key, default: fallback }, { settings }) => ({
    changed: false,
    result: wireOfData(lookUpPath(await settings(), key) ?? fallback ?? ''),
  }),
});

const items = query({
  name: 'settings.items',
  summary: 'Answers with all settings.',
  params: {},
  examples: ['zester web-01 settings.items'],
  run: async (_, { settings }) => ({ changed: false, result: wireOfDataMap(await settings()) }),
});

const keys = query({
  name: 'settings.keys',
  summary: 'Answers with the names of the settings at the top, or inside of one, each on a line.',
  params: {
    key: optional('string', { primary: true, doc: 'A map inside the settings. Default: the top.' }),
  },
  examples: ['zester web-01 settings.keys', 'zester web-01 settings.keys web'],
  async run({ key }, { settings }) {
    const all = await settings();
    const at = key === undefined ? all : lookUpPath(all, key);
    return {
      changed: false,
      ...namesOutcome(
        isDataMap(at)
          ? dataEntries(at)
              .map(([each]) => keyText(each))
              .sort()
          : [],
      ),
    };
  },
});

export const SETTINGS_FUNCTIONS: readonly ExecutionFunction[] = [get, items, keys];
