import { describe, expect, it } from 'vitest';
import { type CompiledState, NO_ATTRIBUTES, NO_REQUISITES } from '../compiled-state.ts';
import { stateGraph } from './graph.ts';

function state(module: string, name: string, require: readonly string[] = []): CompiledState {
  return {
    name: `${module}:${name}`,
    module,
    id: name,
    about: name,
    sls: 'web',
    at: { file: 'web.zy', line: 1, column: 1 },
    args: {},
    values: { name },
    requisites: { ...NO_REQUISITES, require },
    attributes: NO_ATTRIBUTES,
  };
}

/** Names of the states by level; there are no problems. */
function levels(...states: readonly CompiledState[]): readonly (readonly string[])[] {
  const graph = stateGraph(states);
  expect(graph.problems).toEqual([]);
  return graph.levels.map((level) => level.map(({ name }) => name));
}

describe('a state that works below a directory', () => {
  it('comes after the state that makes it, however deep, and after the nearest', () => {
    expect(
      levels(
        state('file.managed', '/srv/app/etc/conf'),
        state('file.directory', '/srv/app/'),
        state('file.directory', '/srv/app/etc'),
        state('file.managed', '/srv/application'),
      ),
    ).toEqual([
      ['file.directory:/srv/app/', 'file.managed:/srv/application'],
      ['file.directory:/srv/app/etc'],
      ['file.managed:/srv/app/etc/conf'],
    ]);
  });

  it('comes before it where the file says so, also by way of others', () => {
    expect(
      levels(
        state('file.touch', '/d/f'),
        state('test.nop', 'between', ['file.touch:/d/f']),
        state('file.directory', '/d', ['test.nop:between']),
      ),
    ).toEqual([['file.touch:/d/f'], ['test.nop:between'], ['file.directory:/d']]);
  });

  it('two that would wait for each other wait once', () => {
    const found = levels(
      state('file.directory', '/a', ['file.touch:/b/x']),
      state('file.touch', '/b/x'),
      state('file.directory', '/b', ['file.touch:/a/y']),
      state('file.touch', '/a/y'),
    );
    expect(found.flat()).toHaveLength(4);
  });

  it('is not one that removes, nor one that only has such a name', () => {
    expect(
      levels(
        state('file.absent', '/d/old'),
        state('file.directory', '/d'),
        state('cmd.run', '/d/run'),
        state('file.managed', 'd/f'),
      ),
    ).toHaveLength(1);
  });
});
