/** What every function owes. The lists come from the registry, so a new function is checked without a new test. */
import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../test/harness/states/memory-context.ts';
import { type CallArguments, decodeArguments } from '../core/params/decode-arguments.ts';
import { type ParamSpec, paramNames } from '../core/params/params.ts';
import type { SystemCall } from '../system/memory/memory-gate.ts';
import type { WireMap, WireValue } from '../wire/msgpack/wire-value.ts';
import { type ExecutionFunction, familyOf } from './contract.ts';
import { FUNCTIONS } from './registry.ts';
import { functionDoc } from './sys/function-doc.ts';

const functions = FUNCTIONS.all.map((fn) => ({ name: fn.name, fn }));

describe('the registry', () => {
  it('offers what the wire reference and the issue list', () => {
    expect(FUNCTIONS.all.map(({ name }) => name)).toEqual([
      'cmd.run',
      'disk.usage',
      'facts.get',
      'facts.items',
      'facts.keys',
      'facts.set',
      'files.diff',
      'grains.get',
      'grains.item',
      'grains.items',
      'grains.keys',
      'grains.ls',
      'grains.set',
      'grains.setval',
      'pillar.explain',
      'pillar.get',
      'pillar.item',
      'pillar.items',
      'pillar.keys',
      'pillar.ls',
      'pillar.raw',
      'settings.explain',
      'settings.get',
      'settings.item',
      'settings.items',
      'settings.keys',
      'settings.ls',
      'settings.raw',
      'state.apply',
      'state.highstate',
      'state.revert',
      'state.runs',
      'state.show_graph',
      'state.show_highstate',
      'state.show_low_sls',
      'state.show_lowstate',
      'state.show_sls',
      'state.show_top',
      'state.single',
      'state.sls',
      'sys.doc',
      'sys.list_functions',
      'test.echo',
      'test.false',
      'test.ping',
      'test.sleep',
      'test.true',
      'test.version',
    ]);
  });

  it.each([
    ['cmd.rum', 'there is no function cmd.rum, did you mean cmd.run?'],
    ['tset.ping', 'there is no function tset.ping, did you mean test.ping?'],
    ['disk.percentage', 'there is no function disk.percentage; disk has usage'],
    [
      'pkg.install',
      'there is no function pkg.install; there are cmd.*, disk.*, facts.*, files.*, grains.*, pillar.*, settings.*, state.*, sys.*, test.*',
    ],
    [
      'constructor',
      'there is no function constructor; there are cmd.*, disk.*, facts.*, files.*, grains.*, pillar.*, settings.*, state.*, sys.*, test.*',
    ],
  ])('names what was perhaps meant by %s', (name, message) => {
    expect(FUNCTIONS.has(name)).toBe(false);
    expect(() => FUNCTIONS.get(name)).toThrow(message);
  });
});

describe.each(functions)('$name', ({ name, fn }) => {
  it('is declared in full', () => {
    expect(name).toMatch(/^[a-z]+\.[a-z_]+$/);
    expect(fn.summary).toMatch(/^[A-Z].*\.$/);
    expect(Object.values(fn.params).filter((spec) => spec.primary).length).toBeLessThanOrEqual(1);
    const names = Object.entries(fn.params).flatMap(([param, spec]) => paramNames(param, spec));
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain('test');
    for (const [param, spec] of Object.entries(fn.params)) {
      expect(param).toMatch(/^[a-z][a-z_]*$/);
      expect(spec.doc).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('is documented with everything it declares', () => {
    const doc = functionDoc(fn);
    for (const said of [name, fn.summary, ...fn.examples, ...Object.keys(fn.params)])
      expect(doc).toContain(said);
  });

  it('has examples that can be run as they stand', () => {
    for (const example of fn.examples) {
      const { called, ...call } = callOf(example);
      expect(called).toBe(name);
      const own = Object.entries(call.args).filter(([key]) => !fn.open || Object.hasOwn(fn.params, key));
      const args = Object.fromEntries(own);
      expect(() => decodeArguments(name, fn.params, { ...call, args })).not.toThrow();
    }
  });

  it('refuses bad arguments by name, and does nothing', async () => {
    const calls: SystemCall[] = [];
    const { run } = memoryContext({}, { fault: (call) => void calls.push(call) });
    for (const { args, says } of badArguments(fn)) {
      const response = await run(name, '', args);
      expect(response).toMatchObject({ success: false, results: [] });
      expect(response.error).toContain(`${name}: `);
      expect(response.error).toContain(says);
      expect(response.error).toContain('[MODULE_BAD_ARGUMENTS]');
    }
    expect(calls).toEqual([]);
  });

  it('writes nothing and starts nothing in a dry run', async () => {
    const calls: string[] = [];
    const machine = { fault: (call: SystemCall) => void calls.push(call.name), programs: () => () => 0 };
    const { run, context, clock } = memoryContext({ role: 'web' }, machine);
    for (const directory of ['/srv/app', '/var/lib/postgresql'])
      await context.system.files.makeDirectory(directory, { parents: true });
    await context.system.files.writeAtomic('/etc/passwd', Buffer.from('deploy:x:7:7::/:/bin/sh\n'));
    const factsBefore = context.facts.all();
    calls.length = 0;
    for (const example of fn.examples) {
      const { id, args } = callOf(example);
      const response = await run(name, id, { ...args, test: 'true' });
      expect(response).toMatchObject({ test: true, error: '' });
    }
    expect(calls.filter((call) => !LOOKING.includes(call))).toEqual([]);
    expect(context.facts.all()).toBe(factsBefore);
    expect(clock.monotonicMs()).toBe(0);
  });
});

const LOOKING = ['open', 'stat', 'lstat', 'read', 'close', 'names', 'readLink', 'realPath'];

it('knows the family of every function as a folder of this room', () => {
  const families = new Set(FUNCTIONS.all.map(({ name }) => familyOf(name)));
  expect([...families].sort()).toEqual([
    'cmd',
    'disk',
    'facts',
    'files',
    'grains',
    'pillar',
    'settings',
    'state',
    'sys',
    'test',
  ]);
});

/** An unknown name, the first required parameter missing, and for each parameter a value of the wrong type. */
function badArguments(fn: ExecutionFunction): readonly { readonly args: WireMap; readonly says: string }[] {
  const params = Object.entries(fn.params);
  const wrongTypes = params.flatMap(([param, spec]) => {
    const wrong = WRONG[spec.type];
    return wrong === undefined ? [] : [{ args: { [param]: wrong }, says: `${param} must be ` }];
  });
  const [missing] = params.filter(([, spec]) => spec.always && spec.default === undefined);
  return [
    // What an open function is given belongs to what it calls.
    ...(fn.open ? [] : [{ args: { no_such_parameter: 1 }, says: 'it has no parameter no_such_parameter' }]),
    ...(missing === undefined ? [] : [{ args: {}, says: `${missing[0]} is missing` }]),
    ...wrongTypes,
  ];
}

const WRONG: { readonly [Type in ParamSpec['type']]?: WireValue } = {
  string: { a: 1 },
  integer: 'many',
  number: 'many',
  boolean: 'perhaps',
  duration: 'soon',
  'string-list': { a: 1 },
  'string-map': 'A',
};

/** The words of a command line as a shell gives them, and what the command line sends for them. */
function callOf(example: string): CallArguments & { readonly called: string | undefined } {
  const words = [...example.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
  const [program, target, called, ...rest] = words.filter((word) => word !== '--test');
  expect([program, target]).toEqual(['zester', expect.stringMatching(/./)]);
  const pairs = rest.flatMap((word) => {
    const [, key, value] = /^([a-z_]+)=(.*)$/s.exec(word) ?? [];
    return key === undefined ? [] : [[key, value]];
  });
  const [id = ''] = rest.filter((word) => !/^[a-z_]+=/.test(word));
  return { called, id, args: Object.fromEntries(pairs) as WireMap };
}
