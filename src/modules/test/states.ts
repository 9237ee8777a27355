/**
 * The states `test.*` touch nothing and come out as they are told, to try requisites and to see what a result looks
 * like.
 *
 * One that fails fails in a dry run too. One that is to fail after it has changed something is the exception: only a run
 * can end like that, so a dry run says that it cannot tell.
 */
import { type DataValue, isDataMap } from '../../core/data/data-value.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { optional, required, withDefault } from '../../core/params/params.ts';
import { lookUpPath } from '../../core/states/template/data-path.ts';
import { type ActStep, type Plan, type StateModule, stateModule } from '../state-contract.ts';

const NAME = { name: optional('string', { primary: true, doc: 'A name; nothing depends on it.' }) };
const COMMENT = { comment: optional('string', { doc: 'What it says.' }) };

const ping = stateModule({
  name: 'test.ping',
  summary: 'Changes nothing and answers true.',
  params: NAME,
  examples: ['are you there:\n  test.ping: []\n'],
  plan: async () => unchanged({ result: 'true' }),
});

const nop = stateModule({
  name: 'test.nop',
  summary: 'Does nothing: a name for others to require.',
  params: NAME,
  examples: ['everything is ready:\n  test.nop: []\n'],
  plan: async () => unchanged({}),
});

const succeedWithoutChanges = stateModule({
  name: 'test.succeed_without_changes',
  summary: 'Succeeds and changes nothing.',
  params: { ...NAME, ...COMMENT },
  examples: ['fine:\n  test.succeed_without_changes:\n    - comment: nothing to do\n'],
  plan: async ({ comment }) => unchanged(said(comment)),
});

const succeedWithChanges = stateModule({
  name: 'test.succeed_with_changes',
  summary: 'Succeeds and says that something was changed.',
  params: { ...NAME, ...COMMENT },
  examples: ['changed:\n  test.succeed_with_changes: []\n'],
  plan: async ({ comment }) => pretendedChange(comment),
});

const failWithoutChanges = stateModule({
  name: 'test.fail_without_changes',
  summary: 'Fails and changes nothing, in a dry run too.',
  params: { ...NAME, ...COMMENT },
  examples: ['broken:\n  test.fail_without_changes:\n    - comment: not today\n'],
  plan: async ({ comment }) => failed(comment ?? 'failure without changes'),
});

const failWithChanges = stateModule({
  name: 'test.fail_with_changes',
  summary: 'Fails after it has changed something.',
  description: 'A dry run cannot foresee such an end: it says that the result is not known.',
  params: { ...NAME, ...COMMENT },
  examples: ['half done:\n  test.fail_with_changes: []\n'],
  plan: async ({ comment }) => failsHalfway(comment ?? 'failure with changes'),
});

const configurable = stateModule({
  name: 'test.configurable_test_state',
  summary: 'Comes out as it is told.',
  description: [
    'There is no Random as in Salt: a state that comes out differently each time proves nothing.',
    'With `result: false` and `changes: true` it fails after a change, which a dry run cannot foresee.',
  ].join('\n'),
  params: {
    ...NAME,
    result: withDefault('boolean', true, { doc: 'Whether it succeeds.' }),
    changes: withDefault('boolean', true, { doc: 'Whether it says that something was changed.' }),
    ...COMMENT,
  },
  examples: ['as told:\n  test.configurable_test_state:\n    - result: true\n    - changes: false\n'],
  async plan({ result, changes, comment }) {
    if (result) return changes ? pretendedChange(comment) : unchanged(said(comment));
    const why = comment ?? 'configured failure';
    return changes ? failsHalfway(why) : failed(why);
  },
});

const showNotification = stateModule({
  name: 'test.show_notification',
  summary: 'Shows a text in the result of a run.',
  params: { ...NAME, text: required('string', { doc: 'What to show.' }) },
  examples: ['hint:\n  test.show_notification:\n    - text: restart the machine by hand\n'],
  plan: async ({ text }) => unchanged({ comment: text }),
});

const keys = (what: string) =>
  withDefault('string-list', [], { doc: `Settings that must be ${what}; write nested names as a:b:c.` });

const checkPillar = stateModule({
  name: 'test.check_pillar',
  summary: 'Fails where settings are missing or of the wrong type.',
  description: 'Let other states require it: then nothing runs on half a configuration.',
  params: {
    ...NAME,
    present: keys('there'),
    boolean: keys('true or false'),
    integer: keys('whole numbers'),
    string: keys('texts'),
    listing: keys('lists'),
    dictionary: keys('maps'),
  },
  examples: [
    'settings are complete:\n  test.check_pillar:\n    - present: [web:port]\n    - string: web:domain\n',
  ],
  async plan({ name: _, ...wanted }, { settings }) {
    const problems = Object.entries(wanted).flatMap(([kind, paths]) =>
      paths
        .filter((path) => !fits(kind as keyof typeof wanted, lookUpPath(settings, path)))
        .map((path) =>
          lookUpPath(settings, path) === undefined ? `${path} is missing` : `${path} is no ${kind}`,
        ),
    );
    return problems.length === 0 ? unchanged({}) : failed(`settings: ${problems.join(', ')}`);
  },
});

type SettingKind = 'present' | 'boolean' | 'integer' | 'string' | 'listing' | 'dictionary';

const FITS: Readonly<Record<SettingKind, (value: DataValue) => boolean>> = {
  present: () => true,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  string: (value) => typeof value === 'string',
  listing: (value) => Array.isArray(value),
  dictionary: isDataMap,
};

function fits(kind: SettingKind, value: DataValue | undefined): boolean {
  return value !== undefined && FITS[kind](value);
}

function unchanged(details: Readonly<Record<string, string>>): Plan {
  return { steps: [], diff: '', details };
}

function said(comment: string | undefined): Readonly<Record<string, string>> {
  return comment === undefined ? {} : { comment };
}

function failed(comment: string): never {
  throw zesterError('TEST_STATE_FAILED', { comment });
}

function pretendedChange(comment: string | undefined): Plan {
  const details = { result: 'true', ...said(comment) };
  return pretends('change', async () => ({ changed: true, details }));
}

function failsHalfway(error: string): Plan {
  return pretends('unknown', async () => ({ changed: true, error }));
}

function pretends(predicts: ActStep['predicts'], run: ActStep['run']): Plan {
  const what = 'pretends to change something';
  return { steps: [{ kind: 'act', what, predicts, opaque: false, run }], diff: what };
}

export const TEST_STATES: readonly StateModule[] = [
  ping,
  nop,
  succeedWithoutChanges,
  succeedWithChanges,
  failWithoutChanges,
  failWithChanges,
  configurable,
  showNotification,
  checkPillar,
];
