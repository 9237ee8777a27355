import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { FunctionOutcome } from '../contract.ts';
import { callFunction } from '../run-function.ts';
import type { ActContext, Plan, PlanContext } from '../state-contract.ts';
import { STATE_MODULES } from '../state-registry.ts';
import { CALLS_MAX, functionCalls } from './function-calls.ts';

const module = STATE_MODULES.get('module.run');

describe('functionCalls', () => {
  it.each<[string, string, WireMap, readonly unknown[]]>([
    ['the id', 'test.ping', {}, [{ name: 'test.ping', args: {} }]],
    ['a name', 'x', { name: 'test.echo', text: 'hi' }, [{ name: 'test.echo', args: { text: 'hi' } }]],
    [
      'a name with kwargs and args',
      'x',
      { name: 'facts.get', args: ['os'], kwargs: { default: 1 } },
      [{ name: 'facts.get', args: { name: 'os', default: 1 } }],
    ],
    [
      'several functions, in order',
      'x',
      { 'test.ping': null, 'test.echo': [{ text: 'a' }], 'facts.get': ['os', { default: 1 }] },
      [
        { name: 'test.ping', args: {} },
        { name: 'test.echo', args: { text: 'a' } },
        { name: 'facts.get', args: { default: 1, name: 'os' } },
      ],
    ],
    ['a map', 'x', { 'test.echo': { text: 'a' } }, [{ name: 'test.echo', args: { text: 'a' } }]],
    ['a bare value', 'x', { 'test.echo': 'a' }, [{ name: 'test.echo', args: { name: 'a' } }]],
    ['functions whatever the name', 'x', { name: 'y', 'test.ping': [] }, [{ name: 'test.ping', args: {} }]],
  ])('reads %s', (_, id, args, calls) => {
    expect(functionCalls(id, args)).toEqual(calls);
  });

  it.each<[string, WireMap, string]>([
    ['restart', {}, 'module.run: no function: "restart" is none'],
    ['x', { name: ['a'] }, 'no function'],
    ['x', { 'test.echo': [1, 2] }, 'test.echo got 2 arguments without names'],
    ['x', { 'test.echo': [], text: 'a' }, 'text belongs to no function'],
    ['x', { name: 'test.echo', kwargs: 1 }, 'kwargs must be a map'],
    [
      'x',
      Object.fromEntries(Array.from({ length: CALLS_MAX + 1 }, (_, i) => [`a.f${i}`, null])),
      'at most 100 functions',
    ],
  ])('refuses %s %j', (id, args, problem) => {
    expect(() => functionCalls(id, args)).toThrow(problem);
  });
});

describe('module.run', () => {
  it('promises nothing of states that it applies: states before it may change what they find', async () => {
    const planned = await on().plan('x', { 'state.apply': [{ mods: 'web' }] });
    expect(planned).toMatchObject({
      steps: [{ predicts: 'unknown', opaque: true }],
      diff: 'calls state.apply',
    });
  });

  it('foresees a query as no change, and gives its answer', async () => {
    const { plan, outcomes } = on();
    const planned = await plan('x', { name: 'test.echo', text: 'hi' });
    expect(planned).toMatchObject({ steps: [{ predicts: 'no change', opaque: false }], diff: '' });
    expect(await outcomes(planned)).toEqual([{ changed: false, details: { result: 'hi' }, data: {} }]);
  });

  it('foresees what an action says of itself, and does nothing before it is to', async () => {
    const { plan, outcomes, facts } = on();
    const planned = await plan('role', { 'facts.set': [{ key: 'role' }, { value: 'web' }], 'test.ping': [] });
    expect(planned.steps.map((step) => step.kind === 'act' && step.predicts)).toEqual([
      'change',
      'no change',
    ]);
    expect(planned.diff).not.toBe('');
    expect(facts()).toEqual({});
    expect(await outcomes(planned)).toMatchObject([
      { changed: true },
      { changed: false, details: { 'test.ping result': 'true' } },
    ]);
    expect(facts()).toEqual({ role: 'web' });
  });

  it('fails in the plan where a function says that it will', async () => {
    const { plan } = on();
    await expect(plan('test.false', {})).rejects.toThrow('test.false would fail: test.false always fails');
    await expect(plan('x', { 'cmd.run': [{ cmd: 'true' }, { cwd: '/none' }] })).rejects.toThrow(
      'no working directory',
    );
    await expect(plan('x', { 'test.ping': [{ a: 1 }] })).rejects.toThrow('it has no parameter a');
    await expect(plan('x', { 'tset.ping': [] })).rejects.toThrow('did you mean test.ping?');
  });

  it('does not know how a function ends after one that changes the machine', async () => {
    const { plan } = on();
    const change = { 'facts.set': [{ key: 'a' }, { value: 'b' }] };
    const predicted = async (args: WireMap) =>
      (await plan('x', { ...change, ...args })).steps.map((step) => step.kind === 'act' && step.predicts);
    expect(await predicted({ 'test.false': [] })).toEqual(['change', 'unknown']);
    expect(await predicted({ 'cmd.run': [{ cmd: 'true' }, { cwd: '/none' }] })).toEqual([
      'change',
      'unknown',
    ]);
    await expect(predicted({ 'test.ping': [{ a: 1 }] })).rejects.toThrow('it has no parameter a');
  });

  it('is a state where only a state has the name', async () => {
    const { plan } = on();
    const planned = await plan('/etc/motd', { 'file.append': [{ text: 'hi' }] });
    expect(planned.steps).toMatchObject([{ kind: 'write', path: '/etc/motd' }]);
    const named = await plan('x', { name: 'file.append', kwargs: { name: '/etc/issue', text: 'hi' } });
    expect(named.steps).toMatchObject([{ kind: 'write', path: '/etc/issue' }]);
    await expect(plan('x', { 'module.run': [] })).rejects.toThrow('there is no function module.run');
  });
});

function on() {
  const { context } = memoryContext();
  const call = (dryRun: boolean) => (name: string, args: WireMap) =>
    callFunction(name, { args }, context, dryRun);
  const act: ActContext = {
    jid: context.jid,
    system: context.system,
    tree: { where: '/srv', readText: absent, readBytes: absent, list: async () => [] },
    callFunction: call(false),
    clock: context.clock,
    signal: context.signal,
  };
  return {
    facts: () => context.facts.all(),
    plan(id: string, args: WireMap): Promise<Plan> {
      const planning: PlanContext = {
        files: context.system.files,
        accounts: context.system.accounts,
        tree: act.tree,
        peelId: context.peelId,
        facts: context.facts,
        settings: {},
        render: async ({ text }) => text,
        id,
        sls: 'x',
        args,
        forced: false,
        previewFunction: call(true),
        clock: context.clock,
        signal: context.signal,
      };
      return module.plan({ name: undefined } as never, planning);
    },
    async outcomes({ steps }: Plan): Promise<readonly Partial<FunctionOutcome>[]> {
      const outcomes = [];
      for (const step of steps)
        outcomes.push(step.kind === 'act' ? await step.run(act) : expect.unreachable('it acts'));
      return outcomes;
    },
  };
}

async function absent() {
  return undefined;
}
