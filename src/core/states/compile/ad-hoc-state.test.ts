import { describe, expect, it } from 'vitest';
import { problemLine, TEST_SCHEMAS } from '../../../../test/harness/states/compiled-files.ts';
import type { WireMap } from '../../../wire/msgpack/wire-value.ts';
import { NO_REQUISITES } from '../compiled-state.ts';
import { adHocState } from './ad-hoc-state.ts';

function made(module: string, id: string, args: WireMap = {}) {
  return adHocState(module, id, args, TEST_SCHEMAS);
}

function problems(module: string, id: string, args: WireMap = {}): readonly string[] {
  const result = made(module, id, args);
  return 'problems' in result ? result.problems.map(problemLine) : [];
}

describe('adHocState', () => {
  it('takes the bare argument, parameters and attributes, all as text', () => {
    expect(
      made('file.managed', '/x', {
        mode: '0600',
        makedirs: 'true',
        onlyif: 'true',
        retry: '2',
        order: 'last',
      }),
    ).toEqual({
      state: {
        name: 'file.managed:/x',
        module: 'file.managed',
        id: '/x',
        about: '/x',
        sls: '',
        at: { file: 'file.managed' },
        args: { mode: '0600', makedirs: 'true' },
        values: {
          name: '/x',
          mode: 0o600,
          makedirs: true,
          source: undefined,
          context: undefined,
          contents: undefined,
          secret: undefined,
        },
        requisites: NO_REQUISITES,
        attributes: {
          onlyif: ['true'],
          unless: [],
          order: 1_000_000,
          retry: { attempts: 2, intervalMs: 10_000, splayMs: 0 },
          failhard: false,
        },
      },
    });
  });

  it('is called by what it is about where there is no bare argument', () => {
    expect(made('pkg.installed', '', { name: 'nginx' })).toMatchObject({
      state: { name: 'pkg.installed:nginx' },
    });
    expect(made('test.nop', '')).toMatchObject({ state: { name: 'test.nop:test.nop', id: 'test.nop' } });
    expect(made('module.run', 'x', { any: 1 })).toMatchObject({ state: { id: 'x', args: { any: 1 } } });
  });

  it('keeps an id apart from the name', () => {
    expect(made('pkg.installed', 'web server', { name: 'nginx' })).toMatchObject({
      state: { id: 'web server', values: { name: 'nginx' } },
    });
  });

  it('tells all that is wrong at once', () => {
    expect(
      problems('pkg.installed', '', { versoin: '1', require: ['a'], names: ['b'], failhard: 'x', pkgs: {} }),
    ).toEqual([
      'pkg.installed it has no parameter versoin | did you mean version?',
      'pkg.installed require is for state files: a single state has no others beside it',
      'pkg.installed names is for state files: a single state has no others beside it',
      'pkg.installed name is missing',
      'pkg.installed pkgs must be a list of texts, not {}',
      'pkg.installed failhard must be true or false, not "x"',
    ]);
    expect(problems('pkg.instaled', 'x')).toEqual([
      'pkg.instaled there is no state function pkg.instaled | did you mean pkg.installed?',
    ]);
    expect(problems('test.nop', '', { wherever: 1 })).toEqual([
      'test.nop it has no parameter wherever | it takes none',
    ]);
  });
});
