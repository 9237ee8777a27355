import { describe, expect, it } from 'vitest';
import { stateBench } from '../../../test/harness/states/state-bench.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { ActContext, Plan } from '../state-contract.ts';
import { TEST_STATES } from './states.ts';

const settings = { web: { port: 80, name: 'shop', tls: true, hosts: ['a'] }, list: [] };
const bench = stateBench({ settings });

function plan(name: string, args: WireMap = {}): Promise<Plan> {
  const module = TEST_STATES.find((each) => each.name === `test.${name}`);
  return bench.plan(module ?? expect.unreachable(name), 'an id', args);
}

describe('test states', () => {
  it.each<[string, WireMap, WireMap]>([
    ['ping', {}, { result: 'true' }],
    ['nop', {}, {}],
    ['succeed_without_changes', { comment: 'fine' }, { comment: 'fine' }],
    ['configurable_test_state', { changes: false }, {}],
    ['show_notification', { text: 'look' }, { comment: 'look' }],
    [
      'check_pillar',
      {
        present: ['web', 'web:port'],
        integer: 'web:port',
        string: 'web:name',
        boolean: 'web:tls',
        listing: ['web:hosts', 'list'],
        dictionary: 'web',
      },
      {},
    ],
  ])('%s changes nothing', async (name, args, details) => {
    expect(await plan(name, args)).toEqual({ steps: [], diff: '', details });
  });

  it.each<[string, WireMap, WireMap]>([
    ['succeed_with_changes', { comment: 'why' }, { result: 'true', comment: 'why' }],
    ['configurable_test_state', {}, { result: 'true' }],
  ])('%s says in a dry run and in an apply that something changes', async (name, args, details) => {
    const { steps, diff } = await plan(name, args);
    expect(steps).toMatchObject([{ kind: 'act', predicts: 'change', opaque: false }]);
    expect(diff).not.toBe('');
    expect(await outcome(steps)).toEqual({ changed: true, details });
  });

  it.each<[string, WireMap, string]>([
    ['fail_without_changes', {}, 'failure without changes'],
    ['fail_without_changes', { comment: 'not today' }, 'not today'],
    ['configurable_test_state', { result: false, changes: false }, 'configured failure'],
    ['configurable_test_state', { result: 'Random' }, 'result must be true or false, not "Random"'],
    ['show_notification', {}, 'text is missing'],
    [
      'check_pillar',
      { present: 'db', string: ['web:port', 'x:y'] },
      'settings: db is missing, web:port is no string, x:y is missing',
    ],
  ])('%s fails, in a dry run too', async (name, args, message) => {
    await expect(plan(name, args)).rejects.toThrow(message);
  });

  it.each<[string, WireMap, string]>([
    ['fail_with_changes', {}, 'failure with changes'],
    ['configurable_test_state', { result: false, comment: 'oh' }, 'oh'],
  ])('%s fails after a change, which no dry run foresees', async (name, args, error) => {
    const { steps } = await plan(name, args);
    expect(steps).toMatchObject([{ kind: 'act', predicts: 'unknown', opaque: false }]);
    expect(await outcome(steps)).toEqual({ changed: true, error });
  });
});

/** They use nothing of what they are given. */
function outcome([step]: Plan['steps']) {
  return step?.kind === 'act' ? step.run({} as ActContext) : expect.unreachable('it acts');
}
