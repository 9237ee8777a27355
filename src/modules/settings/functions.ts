/**
 * The execution functions `settings.*` show what operators say about this machine. Salt calls it the pillar, and
 * `pillar.*` is the same, with Salt's answers (recorded); what is more here is said at each.
 */

import { dataAt, keyText, wireOfData, wireOfDataMap } from '../../core/data/data-value.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { optional, required, withDefault } from '../../core/params/params.ts';
import { explainSetting } from '../../core/settings/explain-setting.ts';
import { explanationRecord, explanationText } from '../../core/settings/explanation-record.ts';
import { getSetting, nearSetting, settingKeys } from '../../core/settings/get-setting.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { aliasOf, type ExecutionFunction, query } from '../contract.ts';
import { namesOutcome } from '../names-outcome.ts';

const KEY_DOC =
  'Its name; colons or dots lead into maps and lists, as in web:port, web.port or users:0:name.';
const DELIMITER = optional('string', { doc: 'What separates the steps instead.' });

const get = query({
  name: 'settings.get',
  summary: 'Answers with one setting.',
  params: {
    key: required('string', { primary: true, doc: KEY_DOC }),
    default: optional('any', {
      doc: 'What to answer where there is no such setting; one that is null is there. Default: empty text.',
    }),
    merge: withDefault('boolean', false, {
      doc: 'Lay what is found on the default, where both are maps; where both are lists, add what is new in it.',
    }),
    delimiter: DELIMITER,
  },
  examples: ["zester '*' settings.get web.port", "zester '*' settings.get web:port default=80"],
  run: async ({ key, default: fallback, merge, delimiter }, context) => ({
    changed: false,
    result: wireOfData(getSetting((await context.settings()).settings, { key, fallback, merge, delimiter })),
  }),
});

const item = query({
  name: 'settings.item',
  summary: 'Answers with several settings, by their names.',
  params: {
    keys: required('string-list', { primary: true, doc: 'Their names, with commas between.' }),
    default: optional('any', { doc: 'What to answer for one that is not there. Default: empty text.' }),
    delimiter: DELIMITER,
  },
  examples: ['zester web-01 settings.item web:port,web:names'],
  async run({ keys, default: fallback, delimiter }, context) {
    const { settings } = await context.settings();
    const names = keys.flatMap((each) => each.split(','));
    const found = names.map((key) => [key, wireOfData(getSetting(settings, { key, fallback, delimiter }))]);
    return { changed: false, result: Object.fromEntries(found) as WireMap };
  },
});

const items = query({
  name: 'settings.items',
  summary: 'Answers with all settings.',
  params: {},
  examples: ['zester web-01 settings.items'],
  run: async (_, context) => ({
    changed: false,
    result: wireOfDataMap((await context.settings()).settings),
  }),
});

const keys = query({
  name: 'settings.keys',
  summary: 'Answers with the names of the settings at the top, or inside of one, each on a line.',
  params: {
    key: optional('string', { primary: true, doc: 'A map inside the settings. Default: the top.' }),
    delimiter: DELIMITER,
  },
  examples: ['zester web-01 settings.keys', 'zester web-01 settings.keys web'],
  async run({ key, delimiter }, context) {
    const { settings } = await context.settings();
    const found = settingKeys(settings, key, delimiter);
    if ('keys' in found) return { changed: false, ...namesOutcome(found.keys.map(keyText)) };
    const near = nearSetting(settings, key ?? '');
    throw zesterError('SETTING_NOT_A_MAP', {
      key: key ?? '',
      problem: found.problem === 'missing' ? 'there is no such setting' : 'it is not a map',
      suggestion: found.problem === 'missing' && near !== undefined ? `, did you mean ${near}?` : '',
    });
  },
});

const raw = query({
  name: 'settings.raw',
  summary: 'Answers with all settings as the files have them, with placeholders for secrets.',
  params: { key: optional('string', { primary: true, doc: 'Only what is below this key at the top.' }) },
  examples: ['zester web-01 settings.raw', 'zester web-01 settings.raw web'],
  async run({ key }, context) {
    const { raw: all } = await context.settings();
    return { changed: false, result: wireOfData(key === undefined ? all : (dataAt(all, key) ?? {})) };
  },
});

const explain = query({
  name: 'settings.explain',
  summary:
    'Says which file and line set a setting, what it took the place of, and how each file came to this peel.',
  params: { key: required('string', { primary: true, doc: KEY_DOC }) },
  examples: ['zester web-01 settings.explain web.port'],
  async run({ key }, context) {
    const record = explanationRecord(explainSetting(await context.settings(), key));
    return {
      changed: false,
      result: record as unknown as WireMap,
      details: { result: explanationText(record) },
    };
  },
});

export const SETTINGS_FUNCTIONS: readonly ExecutionFunction[] = [
  get,
  item,
  items,
  keys,
  aliasOf(keys, 'settings.ls'),
  raw,
  explain,
];
