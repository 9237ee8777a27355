import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';
import { FUNCTIONS } from '../registry.ts';
import { STATE_MODULES } from '../state-registry.ts';

async function textOf(name: string, id = ''): Promise<string> {
  const { results, error } = await memoryContext().run(name, id);
  return results[0]?.details.result ?? results[0]?.error ?? error;
}

describe('sys.list_functions', () => {
  const all = [...new Set([...FUNCTIONS.all, ...STATE_MODULES.all].map(({ name }) => name))].sort();

  it.each([
    ['', all],
    ['*', all],
    ['cmd', ['cmd.run', 'cmd.script', 'cmd.wait']],
    ['grains.item', ['grains.item', 'grains.items']],
    ['*.get', ['facts.get', 'grains.get', 'pillar.get', 'settings.get']],
    ['*ets*', []],
    ['f*s.*s', ['facts.items', 'facts.keys']],
    ['cmd.run*run', []],
    ['nothing', []],
  ])('%j', async (pattern, names) => {
    expect(await textOf('sys.list_functions', pattern)).toBe(names.join('\n'));
  });
});

describe('sys.doc', () => {
  it('lists every function with its summary', async () => {
    const text = await textOf('sys.doc');
    for (const { name, summary } of [...FUNCTIONS.all, ...STATE_MODULES.all]) {
      expect(text).toContain(name);
      expect(text).toContain(summary);
    }
  });

  it('explains one function', async () => {
    expect(await textOf('sys.doc', 'grains.item')).toBe(`grains.item (another name of grains.get)
  Answers with one fact, by Salt's name or Zester's.

  Parameters:
    key  (string; required; takes the bare argument; also name)
        Its name; colons or dots lead into maps and lists, as in ip4_interfaces:eth0:0.
    default  (any)
        What to answer where there is no such fact. Default: nothing.
    delimiter  (string)
        What separates the steps instead.

  Examples:
    zester '*' grains.item os_family
    zester '*' grains.item role default=none

  Only looks; runs beside other jobs.`);
  });

  it('states the limits of cmd.run', async () => {
    const text = await textOf('sys.doc', 'cmd.run');
    for (const said of ['256 KiB', '24h', 'default 1h', 'With --test it says']) expect(text).toContain(said);
  });

  it('explains a state, and both where a function has the same name', async () => {
    const text = await textOf('sys.doc', 'file.managed');
    for (const said of ['file.managed (state)', 'source', 'For state files']) expect(text).toContain(said);
    const both = await textOf('sys.doc', 'cmd.run');
    expect(both.indexOf('cmd.run\n')).toBeLessThan(both.indexOf('cmd.run (state)'));
  });

  it('explains a family', async () => {
    const text = await textOf('sys.doc', 'facts');
    for (const name of ['facts.get', 'facts.items', 'facts.keys', 'facts.set'])
      expect(text).toContain(`${name}\n`);
  });

  it('names what was perhaps meant', async () => {
    expect(await textOf('sys.doc', 'cmd.rnu')).toContain('did you mean cmd.run?');
  });
});
