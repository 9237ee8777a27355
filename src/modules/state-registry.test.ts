/** What every state function owes, whatever it does. A new one is checked without a new test. */
import { describe, expect, it } from 'vitest';
import { memoryTree } from '../../test/harness/states/memory-tree.ts';
import { paramNames } from '../core/params/params.ts';
import { compileStates } from '../core/states/compile/compile-states.ts';
import { familyOf } from './contract.ts';
import type { StateModule } from './state-contract.ts';
import { STATE_MODULES, STATE_SCHEMAS, stateModuleRegistry } from './state-registry.ts';

const modules = STATE_MODULES.all.map((module) => ({ name: module.name, module }));

describe('the registry of states', () => {
  it('offers the families of the issue', () => {
    expect(STATE_MODULES.all.map(({ name }) => name)).toEqual([
      'cmd.run',
      'cmd.script',
      'cmd.wait',
      'file.absent',
      'file.append',
      'file.blockreplace',
      'file.comment',
      'file.copy',
      'file.directory',
      'file.keyvalue',
      'file.line',
      'file.managed',
      'file.prepend',
      'file.recurse',
      'file.replace',
      'file.serialize',
      'file.symlink',
      'file.touch',
      'file.uncomment',
      'module.run',
      'test.check_pillar',
      'test.configurable_test_state',
      'test.fail_with_changes',
      'test.fail_without_changes',
      'test.nop',
      'test.ping',
      'test.show_notification',
      'test.succeed_with_changes',
      'test.succeed_without_changes',
    ]);
    expect(STATE_SCHEMAS.names).toEqual(STATE_MODULES.all.map(({ name }) => name));
  });

  it('names what was perhaps meant', () => {
    expect(STATE_MODULES.has('file.manged')).toBe(false);
    expect(() => STATE_MODULES.get('file.manged')).toThrow('did you mean file.managed?');
    expect(STATE_SCHEMAS.find('file.manged')).toBeUndefined();
    expect(STATE_SCHEMAS.find('constructor')).toBeUndefined();
  });

  it('refuses two functions of one name', () => {
    const [first] = STATE_MODULES.all;
    expect(() => stateModuleRegistry([first as StateModule, first as StateModule])).toThrow('have one name');
  });

  it('takes arguments that are not declared for module.run only', () => {
    const open = STATE_SCHEMAS.names.filter((name) => STATE_SCHEMAS.find(name)?.open);
    expect(open).toEqual(['module.run']);
  });

  it('gives one name in a family one type, except where Salt does not', () => {
    const types = new Map<string, string>();
    const others = STATE_MODULES.all.flatMap(({ name, params }) =>
      Object.entries(params).flatMap(([param, { type }]) => {
        const key = `${familyOf(name)} ${param}`;
        const known = types.get(key) ?? type;
        types.set(key, known);
        return known === type ? [] : [`${name} ${param}: ${type}, not ${known}`];
      }),
    );
    expect(others).toEqual([
      'cmd.script args: any, not string-list',
      'file.copy source: string, not string-list',
      'file.line mode: string, not mode',
      'file.managed content: string-list, not string',
      'file.recurse source: string, not string-list',
    ]);
  });
});

describe.each(modules)('$name', ({ name, module }) => {
  it('is declared in full', () => {
    expect(name).toMatch(/^[a-z]+\.[a-z_]+$/);
    expect(module.summary).toMatch(/^[A-Z].*\.$/);
    expect(Object.values(module.params).filter((spec) => spec.primary)).toHaveLength(1);
    const names = Object.entries(module.params).flatMap(([param, spec]) => paramNames(param, spec));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('name');
    expect(names).not.toContain('test');
    for (const [param, spec] of Object.entries(module.params)) {
      expect(param).toMatch(/^[a-z][a-z_]*$/);
      expect(spec.doc).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('has examples that compile as they stand and show it', async () => {
    for (const example of module.examples) {
      const { states, problems, warnings } = await compiled(example);
      expect(problems).toEqual([]);
      expect(warnings).toEqual([]);
      expect(states.map((state) => state.module)).toContain(name);
    }
  });

  it('refuses a parameter that it does not have, unless it takes any', async () => {
    const { problems } = await compiled(`x:\n  ${name}:\n    - no_such_parameter: 1\n`);
    const messages = problems
      .map(({ message }) => message)
      .filter((said) => said.includes('no_such_parameter'));
    expect(messages).toHaveLength(module.open === true ? 0 : 1);
  });
});

function compiled(text: string) {
  return compileStates(['example'], {
    tree: memoryTree({ 'example.sls': text }),
    schemas: STATE_SCHEMAS,
    render: async (path) => ({ text, place: (line, column) => ({ file: path, line, column }) }),
  });
}
