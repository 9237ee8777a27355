import { describe, expect, it } from 'vitest';
import { Environment, type EnvironmentOptions } from '../environment.ts';
import { Dict } from '../values/container/dict.ts';
import { type HostCall, HostFunction, HostFunctions } from './host-function.ts';
import { mapLoader } from './loader.ts';

/** A function that answers later, and writes down its calls. */
function later(name: string, answer: (...args: readonly unknown[]) => unknown) {
  const calls: unknown[][] = [];
  const value = new HostFunction(name, async (positional, named) => {
    calls.push([...positional, ...(Object.keys(named).length > 0 ? [named] : [])]);
    await Promise.resolve();
    return answer(...positional);
  });
  return { calls, value };
}

async function renderAsync(
  template: string,
  variables: Record<string, unknown>,
  options: EnvironmentOptions = {},
): Promise<string> {
  const { output } = await new Environment(options).compile(template, 'main').renderAsync(variables);
  return output;
}

describe('host calls that answer later', () => {
  it('are each made once, in order, however often the template starts anew', async () => {
    const version = later('version', (name) => `${String(name)}-1`);
    const template = "{% for p in ['a', 'b', 'c'] %}{{ version(p) }},{% endfor %}{{ version('d', x=1) }}";
    expect(await renderAsync(template, { version: version.value })).toBe('a-1,b-1,c-1,d-1');
    expect(version.calls).toEqual([['a'], ['b'], ['c'], ['d', { x: 1 }]]);
  });

  it('may depend on the answers of earlier ones', async () => {
    const next = later('next', (n) => Number(n) * 2);
    const template =
      '{% set ns = namespace(n=1) %}{% for i in range(5) %}{% set ns.n = next(ns.n) %}{% endfor %}{{ ns.n }}';
    expect(await renderAsync(template, { next: next.value })).toBe('32');
    expect(next.calls).toEqual([[1], [2], [4], [8], [16]]);
  });

  it('work in macros, filters, captures, includes and imports', async () => {
    const ask = later('ask', (x) => `<${String(x)}>`);
    const files = {
      part: '[{{ ask(x) }}]',
      lib: '{% set a = ask("import") %}{% macro m(v) %}{{ ask(v) }}{% endmacro %}',
    };
    const loader = mapLoader(new Map(Object.entries(files)));
    const template =
      "{% import 'lib' as l with context %}{{ l.a }}{{ l.m('m') }}{% set c %}{{ ask('c') }}{% endset %}{{ c|upper }}{% include 'part' %}";
    expect(await renderAsync(template, { ask: ask.value, x: 1 }, { loader })).toBe('<import><m><C>[<1>]');
    expect(ask.calls).toEqual([['import'], ['m'], ['c'], [1]]);
  });

  it('see nothing of what an earlier pass changed', async () => {
    const wait = later('wait', () => 0);
    const data = { list: [1], dict: Dict.of([['n', [1]]]) };
    const template =
      '{% do list.append(2) %}{% do dict.n.append(2) %}{% do dict.update({"k": 1}) %}{{ wait() }}{{ wait() }}{{ list }}{{ dict }}';
    expect(await renderAsync(template, { ...data, wait: wait.value })).toBe("00[1, 2]{'n': [1, 2], 'k': 1}");
    expect(data.list).toEqual([1]);
  });

  it('give each pass its own answers: what a template does to one stays in its pass', async () => {
    const list = later('list', () => [1]);
    const template = '{% set l = list() %}{% do l.append(2) %}{{ list() }}{{ l }}';
    expect(await renderAsync(template, { list: list.value })).toBe('[1][1, 2]');
  });

  it('do not run those again that answered at once', async () => {
    let count = 0;
    const now = new HostFunction('now', () => ++count);
    const wait = later('wait', () => '');
    const template = '{{ now() }}{{ wait() }}{{ now() }}{{ wait() }}{{ now() }}';
    expect(await renderAsync(template, { now, wait: wait.value })).toBe('123');
    expect(count).toBe(3);
  });

  it('draw random numbers and look at the clock once', async () => {
    let drawn = 0;
    const wait = later('wait', () => '');
    const host = { random: () => (drawn++ % 10) / 10 };
    const template =
      '{{ range(10)|random }}{{ wait() }}{{ range(10)|random }}{{ wait() }}{{ range(10)|random }}';
    expect(await renderAsync(template, { wait: wait.value }, { host })).toBe('012');
    expect(drawn).toBe(3);
  });

  it('fail where they were called, with the reason as cause', async () => {
    const reason = new RangeError('no such package');
    const ask = later('pkg.version', () => {
      throw reason;
    });
    await expect(renderAsync('a\n{{ ask(1) }}', { ask: ask.value })).rejects.toMatchObject({
      type: 'HostError',
      message: 'pkg.version: no such package',
      line: 2,
      cause: reason,
    });
    expect(ask.calls).toHaveLength(1);
  });

  it('are bounded in number', async () => {
    const ask = later('ask', () => '');
    const template = '{% for i in range(99) %}{{ ask(i) }}{% endfor %}';
    await expect(renderAsync(template, { ask: ask.value }, { hostCallsMax: 5 })).rejects.toMatchObject({
      type: 'LimitError',
      message: 'the render made more than 5 host calls',
    });
    expect(ask.calls).toHaveLength(5);
  });

  it('that do not match the record are an error, not a wrong answer', async () => {
    let pass = 0;
    const ask = later('ask', () => 'answer');
    // A filter of the host that is not the same in every pass.
    const filters = { unsteady: () => ++pass };
    await expect(
      renderAsync("{{ ask(''|unsteady) }}", { ask: ask.value }, { filters }),
    ).rejects.toMatchObject({
      type: 'ReplayError',
      message: expect.stringContaining('the template called ask(2) where it had called ask(1) before'),
    });
  });

  it('cannot be waited for in a synchronous render', () => {
    const ask = later('ask', () => '');
    const template = new Environment().compile('{{ ask() }}', 'main');
    expect(() => template.render({ ask: ask.value })).toThrow(
      'ask is asynchronous: the template must be rendered with renderAsync',
    );
  });

  it('end when the render is aborted while one is under way', async () => {
    const abort = new AbortController();
    const ask = later('ask', () => abort.abort());
    const template = new Environment().compile('{{ ask() }}', 'main');
    await expect(template.renderAsync({ ask: ask.value }, { signal: abort.signal })).rejects.toMatchObject({
      type: 'RenderAborted',
    });
  });

  it('include loading templates', async () => {
    const loads: string[] = [];
    const loader = {
      load: async (name: string) => {
        loads.push(name);
        return name === 'part' ? 'part {{ x }}' : undefined;
      },
    };
    const template = "{% include 'part' %}{% include 'part' %}{% include 'nope' ignore missing %}";
    expect(await renderAsync(template, { x: 1 }, { loader })).toBe('part 1part 1');
    expect(loads).toEqual(['part', 'part', 'nope']);
  });

  it('take an undefined argument, which fails when it is used', async () => {
    const ask = new HostFunction('ask', ([key, fallback], { inside }) =>
      key === 'known' ? 1 : (fallback ?? inside),
    );
    expect(await renderAsync("{{ ask('known', nope) }}", { ask })).toBe('1');
    expect(await renderAsync("{{ ask('other', nope)|default('x') }}", { ask })).toBe('x');
    expect(await renderAsync("{{ ask('other', inside={'a': [nope]}).a[0] is defined }}", { ask })).toBe(
      'False',
    );
    await expect(renderAsync("{{ ask('other', nope) }}", { ask })).rejects.toThrow("'nope' is undefined");
  });
});

describe('HostFunctions', () => {
  const table = new Map<string, HostCall>([
    ['pkg.version', () => '1.0'],
    ['pkg.list', () => []],
    ['test.ping', () => true],
  ]);
  const salt = new HostFunctions({ find: (name) => table.get(name), names: () => table.keys() });
  const render = (template: string) => new Environment().compile(template, 'main').render({ salt }).output;

  it.each([
    ["{{ salt['pkg.version']('nginx') }}", '1.0'],
    ["{{ salt.pkg.version('nginx') }}", '1.0'],
    ["{{ salt['test.ping']() }}", 'True'],
    ["{{ 'pkg.version' in salt }}{{ 'pkg.nope' in salt }}", 'TrueFalse'],
    ["{{ salt['pkg.nope'] is defined }}{{ salt.nope is defined }}", 'FalseFalse'],
    ['{{ salt|list }}', "['pkg.version', 'pkg.list', 'test.ping']"],
    ['{{ salt|length }}', '3'],
  ])('%s gives %s', (template, expected) => {
    expect(render(template)).toBe(expected);
  });

  it('suggests the function that was meant', () => {
    expect(() => render("{{ salt['pkg.verison']() }}")).toThrow(
      expect.objectContaining({ near: ['pkg.version'] }),
    );
  });
});
