import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../test/harness/states/memory-context.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import type { WireMap } from '../wire/msgpack/wire-value.ts';
import { execResponseCodec, stateResultCodec } from '../wire/records/exec.ts';
import { action, query } from './contract.ts';
import { functionRegistry } from './registry.ts';
import { runFunction } from './run-function.ts';
import type { StateRequest, StateRunOutcome, StatesAccess } from './state/state-access.ts';

describe('runFunction', () => {
  it('answers with one result that can be sent', async () => {
    const { run } = memoryContext({ os: { family: 'debian' } });
    const response = await run('facts.get', 'os');
    expect(response).toEqual({
      protocol: 0,
      peelId: 'web-01',
      jid: '2wHyPZTlDs1GYQ6jPnDs7v3TqWk',
      success: true,
      test: false,
      error: '',
      code: '',
      statesRevision: 0,
      settingsRevision: 0,
      results: [
        {
          name: 'facts.get',
          changed: false,
          diff: '',
          duration: 0n,
          details: { result: 'family: debian' },
          error: '',
          skipped: false,
          skipReason: '',
          data: { result: { family: 'debian' } },
          state: undefined,
        },
      ],
    });
    expect(execResponseCodec.decode(execResponseCodec.encode(response))).toEqual(response);
  });

  it('answers with data where the answer is more than text, and with names as a list', async () => {
    const { run } = memoryContext({ os: { family: 'debian' }, cpu: 2 });
    const dataOf = async (...words: [string, string?]) => (await run(...words)).results[0];
    expect(await dataOf('facts.items')).toMatchObject({
      data: { result: { os: { family: 'debian' }, cpu: 2 } },
    });
    expect(await dataOf('test.ping')).toMatchObject({ data: { result: true }, details: { result: 'true' } });
    expect(await dataOf('facts.get', 'os.family')).toMatchObject({ data: {}, details: { result: 'debian' } });
    expect(await dataOf('grains.keys')).toMatchObject({
      data: { result: ['cpu', 'id', 'os', 'os_family', 'saltversion', 'saltversioninfo'] },
      details: { result: 'cpu\nid\nos\nos_family\nsaltversion\nsaltversioninfo' },
    });
  });

  it('has an error and no result where nothing could be run', async () => {
    const { run } = memoryContext();
    expect(await run('cmd.rum', 'ls')).toMatchObject({
      success: false,
      results: [],
      error: 'there is no function cmd.rum, did you mean cmd.run? [MODULE_UNKNOWN_FUNCTION]',
      code: 'MODULE_UNKNOWN_FUNCTION',
    });
    expect(await run('test.ping', '', { test: 'ture' })).toMatchObject({
      success: false,
      error: 'test.ping: test must be true or false, not "ture" [MODULE_BAD_ARGUMENTS]',
      code: 'MODULE_BAD_ARGUMENTS',
    });
  });

  it('has the failure of a function in its result', async () => {
    const { run } = memoryContext();
    const response = await run('test.false');
    expect(response).toMatchObject({ success: false, error: '', code: '' });
    expect(response.results[0]).toMatchObject({
      error: 'test.false always fails',
      details: { result: 'false' },
    });
  });

  it('has an error of the machine in the result, with its code', async () => {
    const { run } = memoryContext({}, { fault: () => ({ fail: 'EIO' }) });
    const response = await run('cmd.run', 'ls');
    expect(response.success).toBe(false);
    expect(response.results[0]?.error).toBe(
      'cannot read /etc/passwd: input/output error (EIO) [FILE_READ_FAILED]',
    );
  });

  it('measures how long it took', async () => {
    const { run, clock } = memoryContext();
    const response = run('test.sleep', '90s');
    await clock.advance(90_000);
    expect((await response).results[0]).toMatchObject({ duration: 90_000_000_000n, error: '' });
  });

  it('lets a bug through: it is nobody’s answer', async () => {
    const { context } = memoryContext();
    const buggy = query({
      name: 'demo.bug',
      summary: '',
      params: {},
      examples: [''],
      run: () => Promise.reject(new TypeError('x is undefined')),
    });
    const request = { jid: 'j' as never, module: 'demo.bug', id: '', args: {} };
    const functions = functionRegistry([buggy]);
    await expect(runFunction(request, { ...context, functions })).rejects.toThrow('x is undefined');
  });
});

describe('cancelling', () => {
  const canceled = { success: false, error: 'execution canceled' };

  it('ends what waits', async () => {
    const { run, clock, cancel } = memoryContext();
    const response = run('test.sleep', '1h');
    await clock.advance(1_000);
    cancel();
    expect(await response).toMatchObject(canceled);
    expect((await response).results[0]).toMatchObject({
      error: 'execution canceled',
      duration: 1_000_000_000n,
    });
  });

  it('before the start keeps everything from being started', async () => {
    const calls: string[] = [];
    const { run, cancel } = memoryContext({}, { fault: ({ name }) => void calls.push(name) });
    cancel();
    expect(await run('cmd.run', 'ls')).toMatchObject(canceled);
    expect(calls).toEqual([]);
  });

  it('does not take away the result of what came to a good end', async () => {
    const { context, cancel } = memoryContext();
    const deaf = query({
      name: 'demo.deaf',
      summary: '',
      params: {},
      examples: [''],
      async run() {
        cancel();
        return { changed: false, result: 'done' };
      },
    });
    const request = { jid: 'j' as never, module: 'demo.deaf', id: '', args: {} };
    const response = await runFunction(request, { ...context, functions: functionRegistry([deaf]) });
    expect(response).toMatchObject({ success: true, error: '', results: [{ details: { result: 'done' } }] });
  });
});

describe('a dry run', () => {
  it('gives a preview nothing that could write, not even to a cast', async () => {
    const { context } = memoryContext();
    let keys: string[] = [];
    const peeking = action({
      name: 'demo.peek',
      summary: '',
      params: {},
      examples: [''],
      changesMachine: true,
      run: async () => ({ changed: true }),
      preview: async (_, { system, facts }) => {
        keys = [system, system.files, facts].flatMap((part) => Object.keys(part));
        return { changed: true };
      },
    });
    const request = { jid: 'j' as never, module: 'demo.peek', id: '', args: { test: true } };
    const response = await runFunction(request, { ...context, functions: functionRegistry([peeking]) });
    expect(response).toMatchObject({ test: true, success: true });
    expect(keys.sort()).toEqual(
      [
        'accounts',
        'clockSkew',
        'files',
        'list',
        'lstat',
        'read',
        'readLink',
        'realPath',
        'stat',
        'walk',
        'all',
        'get',
        'words',
      ].sort(),
    );
  });
});

describe('functions that run states', () => {
  const ok = stateResultCodec.create({ name: 'test.nop:a' });
  const bad = stateResultCodec.create({ name: 'test.nop:b', error: 'no' });

  /** What a run that ends like this is answered with. */
  async function answer(
    run: () => Promise<StateRunOutcome>,
    module = 'state.apply',
    id = 'web',
    args: WireMap = {},
  ) {
    const { context } = memoryContext();
    const asked: [string, StateRequest][] = [];
    const states: StatesAccess = {
      ...context.states,
      apply: async (request) => {
        asked.push(['apply', request]);
        return run();
      },
      check: async (request) => {
        asked.push(['check', request]);
        return run();
      },
    };
    const { jid } = await memoryContext().run('test.ping');
    return { response: await runFunction({ jid, module, id, args }, { ...context, states }), asked };
  }

  it('have the results of the states, and succeed when none failed', async () => {
    const good = await answer(async () => ({ results: [ok], canceled: false }));
    expect(good.response).toMatchObject({ success: true, error: '', results: [ok] });
    const failed = await answer(async () => ({ results: [ok, bad], canceled: false }));
    expect(failed.response).toMatchObject({ success: false, error: '', results: [ok, bad] });
  });

  it('are not a success when they were cut short', async () => {
    const { response } = await answer(async () => ({ results: [ok], canceled: true }));
    expect(response).toMatchObject({ success: false, error: 'execution canceled', results: [ok] });
  });

  it('have an error and no result where nothing could be run, with the place first', async () => {
    const at = { file: 'a.yaml', line: 2, column: 1 };
    const { response } = await answer(async () => {
      throw zesterError('YAML_INVALID', { problem: 'first\nsecond' }, { at });
    });
    expect(response).toMatchObject({ success: false, results: [] });
    expect(response.error).toBe('a.yaml:2:1: first [YAML_INVALID]\nsecond');
  });

  it('a state function is a state of its own', async () => {
    const run = async () => ({ results: [ok], canceled: false });
    const real = await answer(run, 'file.touch', '/x', { makedirs: 'true' });
    const states = { by: 'call', module: 'file.touch', id: '/x', args: { makedirs: 'true' } };
    expect(real.asked).toEqual([['apply', { states, settings: {} }]]);
    const dry = await answer(run, 'file.touch', '/x', { makedirs: 'true', test: true });
    expect([dry.asked[0]?.[0], dry.response.test]).toEqual(['check', true]);
  });

  it('state.single hands on all but its own argument', async () => {
    const run = async () => ({ results: [ok], canceled: false });
    const { asked } = await answer(run, 'state.single', 'file.touch', { name: '/x', makedirs: true });
    expect(asked[0]?.[1].states).toEqual({
      by: 'call',
      module: 'file.touch',
      id: '/x',
      args: { makedirs: true },
    });
  });
});
