/** The execution functions `grains.*` show facts under the names, and with the values, that Salt's users know. */
import { optional, required } from '../../core/params/params.ts';
import { grainsOf, lookUpGrain } from '../../core/states/template/grain-names.ts';
import { aliasOf, type ExecutionFunction, query } from '../contract.ts';
import { factsSet } from '../facts/functions.ts';
import { namesOutcome } from '../names-outcome.ts';

const grainsGet = query({
  name: 'grains.get',
  summary: "Answers with one fact, by Salt's name or Zester's.",
  params: {
    key: required('string', {
      primary: true,
      doc: 'Its name; colons or dots lead into maps and lists, as in ip4_interfaces:eth0:0.',
    }),
    default: optional('any', { doc: 'What to answer where there is no such fact. Default: nothing.' }),
    delimiter: optional('string', { doc: 'What separates the steps instead.' }),
  },
  examples: ["zester '*' grains.get os_family", "zester '*' grains.get role default=none"],
  run: async ({ key, default: fallback, delimiter }, { facts, peelId }) => ({
    changed: false,
    result: lookUpGrain(grainsOf(facts.all(), peelId), facts.all(), key, delimiter) ?? fallback ?? '',
  }),
});

const grainsItems = query({
  name: 'grains.items',
  summary: "Answers with all facts, Salt's names included.",
  description: 'os is the name of the distribution, as in Salt; facts.items has the map.',
  params: {},
  examples: ['zester web-01 grains.items'],
  run: async (_, { facts, peelId }) => ({ changed: false, result: grainsOf(facts.all(), peelId) }),
});

const grainsKeys = query({
  name: 'grains.keys',
  summary: "Answers with the names of all facts, Salt's names included, one on a line.",
  params: {},
  examples: ['zester web-01 grains.keys'],
  run: async (_, { facts, peelId }) => ({
    changed: false,
    ...namesOutcome(Object.keys(grainsOf(facts.all(), peelId)).sort()),
  }),
});

export const GRAINS_FUNCTIONS: readonly ExecutionFunction[] = [
  grainsGet,
  aliasOf(grainsGet, 'grains.item'),
  grainsItems,
  grainsKeys,
  aliasOf(grainsKeys, 'grains.ls'),
  aliasOf(factsSet, 'grains.set'),
  aliasOf(factsSet, 'grains.setval'),
];
