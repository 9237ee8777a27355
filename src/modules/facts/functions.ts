/**
 * The execution functions `facts.*` show what the peel knows of its machine, and change what an operator adds to it.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { optional, required, type ValuesOf } from '../../core/params/params.ts';
import { printValue, showValue } from '../../core/params/print-value.ts';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import { action, type FunctionOutcome, query, type ReadFacts } from '../contract.ts';
import { namesOutcome } from '../names-outcome.ts';
import { withFact } from './fact-path.ts';
import { parseFactValue } from './fact-value.ts';

const factsItems = query({
  name: 'facts.items',
  summary: 'Answers with all facts.',
  params: {},
  examples: ['zester web-01 facts.items'],
  run: async (_, { facts }) => ({ changed: false, result: facts.all() }),
});

const factsKeys = query({
  name: 'facts.keys',
  summary: 'Answers with the names of the facts at the top, one on a line.',
  params: {},
  examples: ['zester web-01 facts.keys'],
  run: async (_, { facts }) => ({ changed: false, ...namesOutcome(Object.keys(facts.all()).sort()) }),
});

const factsGet = query({
  name: 'facts.get',
  summary: 'Answers with one fact.',
  params: {
    key: required('string', { primary: true, doc: 'Its name; dots lead into maps, as in os.family.' }),
    default: optional('any', { doc: 'What to answer where there is no such fact. Default: nothing.' }),
  },
  examples: ["zester '*' facts.get os.family", "zester '*' facts.get role default=none"],
  run: async ({ key, default: fallback }, { facts }) => ({
    changed: false,
    result: facts.get(key) ?? fallback ?? '',
  }),
});

const setParams = {
  key: required('string', { primary: true, doc: 'Its name; dots make maps, as in rack.row.' }),
  value: required('any', {
    aliases: ['val'],
    doc: 'Text, a number, true or false, or JSON for lists and maps. Text that looks like one of these needs double quotes inside.',
  }),
};

export const factsSet = action({
  name: 'facts.set',
  summary: 'Sets a custom fact.',
  description: [
    'It is written to the custom facts file, which becomes JSON (which is YAML); comments in it are lost.',
    'Names that Zester fills itself, such as os or network, cannot be set.',
  ].join('\n'),
  params: setParams,
  changesMachine: true,
  examples: [
    'zester web-01 facts.set role value=web',
    `zester web-01 facts.set rack value='{"row": 3, "unit": 12}'`,
  ],
  async run(values, { facts }) {
    const { path, value, outcome } = plannedChange(values, facts);
    if (outcome.changed) await facts.setCustom(path, value);
    return outcome;
  },
  preview: async (values, { facts }) => plannedChange(values, facts).outcome,
});

function plannedChange(
  { key, value: given }: ValuesOf<typeof setParams>,
  facts: ReadFacts,
): { readonly path: string; readonly value: WireValue; readonly outcome: FunctionOutcome } {
  const value = typeof given === 'string' ? parseFactValue(given) : given;
  if (value === undefined) {
    const problems = `value must be text or JSON, not ${showValue(given)}; put double quotes inside to make it text`;
    throw zesterError('MODULE_BAD_ARGUMENTS', { function: 'facts.set', problems });
  }
  // Also says no to a name that cannot be set, before anything is written.
  withFact(facts.all(), key, value);
  const before = facts.get(key);
  const was = before === undefined ? 'not set' : showValue(before);
  const changed = before === undefined || printValue([before]) !== printValue([value]);
  const diff = changed ? `${key}: ${was} → ${showValue(value)}` : '';
  return { path: key, value, outcome: { changed, diff, result: { [key]: value } } };
}

export const FACTS_FUNCTIONS = [factsGet, factsItems, factsKeys, factsSet];
