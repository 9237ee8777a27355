/** The execution functions `state.*` apply, revert and show states. */

import type { DataMap } from '../../core/data/data-value.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { optional, required, type ValuesOf, withDefault } from '../../core/params/params.ts';
import { deepMerge } from '../../core/states/template/deep-merge.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';
import { parseJid } from '../../wire/names/ids.ts';
import { action, type ExecutionFunction, query } from '../contract.ts';
import { showRuns } from './show-runs.ts';
import type { GraphFormat, RevertRequest, StateRequest, StateSelection } from './state-access.ts';
import { stateOutcome } from './state-outcome.ts';

const MODS = {
  aliases: ['state', 'sls'],
  primary: true,
  doc: 'State files by their refs, such as web or web.config; several with commas between.',
} as const;

const OVERRIDES = {
  pillar: withDefault(
    'map',
    {},
    {
      doc: 'Settings for this run alone, laid over those of the peel: a JSON object.',
      sensitive: true,
    },
  ),
  settings: withDefault('map', {}, { doc: 'The same as pillar.', sensitive: true }),
};

interface Overrides {
  readonly pillar: DataMap;
  readonly settings: DataMap;
}

function requestOf(states: StateSelection, { pillar, settings }: Overrides): StateRequest {
  return { states, settings: deepMerge(pillar, settings) };
}

function refsIn(functionName: string, mods: readonly string[]): StateSelection {
  const refs = mods.flatMap((each) => each.split(',')).map((ref) => ref.trim());
  if (refs.length > 0 && refs.every((ref) => ref !== '')) return { by: 'refs', refs };
  const problems = `mods must be refs of state files with commas between, not ${JSON.stringify(mods.join(','))}`;
  throw zesterError('MODULE_BAD_ARGUMENTS', { function: functionName, problems });
}

const applyParams = { mods: optional('string-list', MODS), ...OVERRIDES };

const apply = action({
  name: 'state.apply',
  summary: 'Makes the machine as the state files say; without an argument, all that the top file gives it.',
  description: [
    'One result for each state, in the order they ran. With --test nothing is changed, and a result says what would be.',
    'Nothing runs while a state file has a mistake: the answer has all of them, with their places.',
  ].join('\n'),
  params: applyParams,
  changesMachine: true,
  examples: [
    "zester 'web-*' state.apply web",
    "zester 'web-*' state.apply web,common --test",
    `zester web-01 state.apply web pillar='{"web": {"port": 8081}}'`,
    "zester '*' state.apply",
  ],
  run: (values, { states }) => stateOutcome(async () => states.apply(applyRequest(values))),
  preview: (values, { states }) => stateOutcome(async () => states.check(applyRequest(values))),
});

function applyRequest(values: Overrides & { readonly mods: readonly string[] | undefined }): StateRequest {
  const { mods } = values;
  return requestOf(mods === undefined ? { by: 'top' } : refsIn('state.apply', mods), values);
}

const highstate = action({
  name: 'state.highstate',
  summary: 'Makes the machine as the top file says.',
  params: OVERRIDES,
  changesMachine: true,
  examples: ["zester '*' state.highstate --test", "zester '*' state.highstate"],
  run: (values, { states }) => stateOutcome(async () => states.apply(requestOf({ by: 'top' }, values))),
  preview: (values, { states }) => stateOutcome(async () => states.check(requestOf({ by: 'top' }, values))),
});

const slsParams = { mods: required('string-list', MODS), ...OVERRIDES };

const sls = action({
  name: 'state.sls',
  summary: 'Makes the machine as the named state files say.',
  params: slsParams,
  changesMachine: true,
  examples: ["zester 'web-*' state.sls web", "zester 'web-*' state.sls web,common --test"],
  run: (values, { states }) =>
    stateOutcome(async () => states.apply(requestOf(refsIn('state.sls', values.mods), values))),
  preview: (values, { states }) =>
    stateOutcome(async () => states.check(requestOf(refsIn('state.sls', values.mods), values))),
});

const singleParams = {
  fun: required('string', { primary: true, doc: 'The state function, such as file.managed.' }),
};

const single = action({
  name: 'state.single',
  summary: 'Holds one state true that no file declares.',
  description: [
    'All other arguments are those of the state function; name is its main one.',
    'The same as calling the state function itself, and the way to one whose name an execution function has too.',
  ].join('\n'),
  params: singleParams,
  open: true,
  changesMachine: true,
  examples: [
    'zester web-01 state.single file.absent name=/tmp/old --test',
    "zester web-01 state.single cmd.run name='make install' cwd=/srv/app creates=/usr/local/bin/app",
  ],
  run: ({ fun }, { states, rest }) => stateOutcome(() => states.apply(singleRequest(fun, rest))),
  preview: ({ fun }, { states, rest }) => stateOutcome(() => states.check(singleRequest(fun, rest))),
});

function singleRequest(module: string, { name = '', ...args }: WireMap): StateRequest {
  const id = typeof name === 'string' ? name : String(name);
  return { states: { by: 'call', module, id, args }, settings: {} };
}

const revertParams = {
  run: optional('string', {
    aliases: ['jid'],
    primary: true,
    doc: 'The job whose run is undone, by its whole id. Any other text is the name of a state. Not given: the last run that changed something.',
  }),
  states: withDefault('string-list', [], {
    aliases: ['state'],
    doc: 'Undo only these states of the run, by their names or ids: file.managed:/etc/motd or /etc/motd.',
  }),
};

const revert = action({
  name: 'state.revert',
  summary: 'Undoes a run of states, from the undo journal of the peel.',
  description: [
    'No state file is read: what the journal has is undone, in the opposite order, also when the files are broken or gone.',
    'Each record gives a result. One that is left alone says why and fails: the machine is no longer as the run left it, or a program ran.',
    'A run that is reverted already stays the last one until something is applied; further back goes only who names a job.',
    'A job id has 27 letters and digits, or is rxn- and 32 digits; a state whose id looks like that is named in full.',
  ].join('\n'),
  params: revertParams,
  changesMachine: true,
  examples: [
    "zester 'web-*' state.revert --test",
    "zester 'web-*' state.revert 2wHyPZTlDs1GYQ6jPnDs7v3TqWk",
    'zester web-01 state.revert 2wHyPZTlDs1GYQ6jPnDs7v3TqWk states=file.managed:/etc/motd',
    'zester web-01 state.revert file.managed:/etc/motd',
  ],
  run: (values, { states }) => stateOutcome(() => states.revert(revertRequest(values))),
  preview: (values, { states }) => stateOutcome(() => states.checkRevert(revertRequest(values))),
});

function revertRequest({ run, states }: ValuesOf<typeof revertParams>): RevertRequest {
  const jid = run === undefined ? undefined : parseJid(run);
  return { jid, states: run === undefined || jid !== undefined ? states : [run, ...states] };
}

const RUNS_SHOWN = 10;

const runs = query({
  name: 'state.runs',
  summary: 'Lists the runs of states that are in the undo journal of the peel, the latest first.',
  description: [
    'Of each state that a run changed it says whether its old state is kept, so that state.revert can undo it. Whether the machine is still as the run left it, only state.revert --test can tell.',
    'Of a program that runs every time, the journal keeps the last time.',
  ].join('\n'),
  params: { limit: withDefault('integer', RUNS_SHOWN, { doc: 'How many runs at most.' }) },
  examples: ["zester 'web-*' state.runs", 'zester web-01 state.runs limit=100'],
  async run({ limit }, { states }) {
    const all = await states.runs();
    return { changed: false, result: showRuns([...all].reverse().slice(0, Math.max(0, limit))) };
  },
});

const showSls = query({
  name: 'state.show_sls',
  summary: 'Shows what the named state files declare, after rendering, includes and merging.',
  params: slsParams,
  examples: ['zester web-01 state.show_sls web'],
  run: async (values, { states }) => ({
    changed: false,
    result: await states.show('high', requestOf(refsIn('state.show_sls', values.mods), values)),
  }),
});

const showLowSls = query({
  name: 'state.show_low_sls',
  summary: 'Shows the states of the named files one by one, in the order they would run.',
  params: slsParams,
  examples: ['zester web-01 state.show_low_sls web'],
  run: async (values, { states }) => ({
    changed: false,
    result: await states.show('low', requestOf(refsIn('state.show_low_sls', values.mods), values)),
  }),
});

const showHighstate = query({
  name: 'state.show_highstate',
  summary: 'Shows what the top file gives this machine, after rendering, includes and merging.',
  params: OVERRIDES,
  examples: ['zester web-01 state.show_highstate'],
  run: async (values, { states }) => ({
    changed: false,
    result: await states.show('high', requestOf({ by: 'top' }, values)),
  }),
});

const showLowstate = query({
  name: 'state.show_lowstate',
  summary: 'Shows the states of the highstate one by one, in the order they would run.',
  params: OVERRIDES,
  examples: ['zester web-01 state.show_lowstate'],
  run: async (values, { states }) => ({
    changed: false,
    result: await states.show('low', requestOf({ by: 'top' }, values)),
  }),
});

const showTop = query({
  name: 'state.show_top',
  summary: 'Shows the state files that the top file gives this machine.',
  params: OVERRIDES,
  examples: ["zester '*' state.show_top"],
  run: async (values, { states }) => ({
    changed: false,
    result: await states.show('top', requestOf({ by: 'top' }, values)),
  }),
});

function jsonText(value: WireValue): string {
  return JSON.stringify(value, undefined, 2);
}

const GRAPH_FORMATS: readonly GraphFormat[] = ['text', 'json', 'dot'];

const showGraph = query({
  name: 'state.show_graph',
  summary: 'Shows which states wait for which, level by level.',
  params: {
    ...applyParams,
    format: withDefault('string', 'text', { doc: 'What it looks like: text, json, or dot for Graphviz.' }),
  },
  examples: [
    'zester web-01 state.show_graph web',
    'zester web-01 state.show_graph web format=dot',
    'zester web-01 state.show_graph',
  ],
  async run(values, { states }) {
    const format = GRAPH_FORMATS.find((known) => known === values.format);
    if (format === undefined) {
      const problems = `format must be one of ${GRAPH_FORMATS.join(', ')}, not ${values.format}`;
      throw zesterError('MODULE_BAD_ARGUMENTS', { function: 'state.show_graph', problems });
    }
    const result = await states.show('graph', applyRequest(values), format);
    return {
      changed: false,
      result,
      ...(format === 'json' ? { details: { result: jsonText(result) } } : {}),
    };
  },
});

export const STATE_FUNCTIONS: readonly ExecutionFunction[] = [
  apply,
  highstate,
  sls,
  single,
  revert,
  runs,
  showSls,
  showLowSls,
  showHighstate,
  showLowstate,
  showTop,
  showGraph,
];
