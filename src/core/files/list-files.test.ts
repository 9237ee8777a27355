import { describe, expect, it } from 'vitest';
import {
  FILE_BYTES_MAX,
  FILE_SET_BYTES_MAX,
  FILE_VALUE_BYTES_MAX,
  FILES_MAX,
} from '../../wire/names/limits.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import { isZesterError } from '../errors/zester-error.ts';
import { listFiles, type SizedFile } from './list-files.ts';

const MIB = 1_048_576;
const file = (path: string, size = 1): SizedFile => ({ path, sha256: 'ab', size });
const { states, settings } = FILE_SETS;

function codeOf(set: typeof states | typeof settings, files: readonly SizedFile[]): string {
  try {
    listFiles(set, files, MIB);
  } catch (error) {
    if (isZesterError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('the files of a tree', () => {
  it('are listed by path, large ones as objects', () => {
    const files = [file('b', FILE_VALUE_BYTES_MAX), file('a', FILE_VALUE_BYTES_MAX + 1)];
    expect(listFiles(states, files, MIB).map(({ path, blob }) => [path, blob])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('are objects earlier where the server takes smaller messages', () => {
    expect(listFiles(states, [file('a', 70_000)], 65_536).map(({ blob }) => blob)).toEqual([true]);
    expect(listFiles(states, [file('a', 50_000)], 65_536).map(({ blob }) => blob)).toEqual([false]);
  });

  it('are at most so large, and the error says which one is not', () => {
    expect(codeOf(states, [file('iso', FILE_BYTES_MAX)])).toBe('none');
    expect(codeOf(states, [file('iso', FILE_BYTES_MAX + 1)])).toMatch(/^FILES_FILE_TOO_LARGE: iso of states/);
    expect(codeOf(settings, [file('a.zy', FILE_VALUE_BYTES_MAX)])).toBe('none');
    expect(codeOf(settings, [file('a.zy', FILE_VALUE_BYTES_MAX + 1)])).toMatch(/^FILES_FILE_TOO_LARGE: a.zy/);
  });

  it('are at most so many, and at most so large together', () => {
    const many = (count: number, size: number) =>
      Array.from({ length: count }, (_, i) => file(`f${i}`, size));
    expect(codeOf(states, many(FILES_MAX - 1, 1))).toBe('none');
    expect(codeOf(states, many(FILES_MAX, 1))).toMatch(/^FILES_TOO_MANY/);
    const full = FILE_SET_BYTES_MAX / FILE_BYTES_MAX;
    expect(codeOf(states, many(full, FILE_BYTES_MAX))).toBe('none');
    expect(codeOf(states, [...many(full, FILE_BYTES_MAX), file('x')])).toMatch(/^FILES_SET_TOO_LARGE/);
  });

  it('with a name that has no key are refused by name', () => {
    expect(codeOf(states, [file('x'.repeat(2_000))])).toMatch(/^FILES_NAME: .*more than 900 characters/);
    expect(codeOf(states, [file('../x')])).toMatch(/^FILES_NAME: "..\/x" of states .*inside of a tree/);
  });

  it('that were gathered while the tree changed are not published', () => {
    expect(codeOf(states, [file('a'), file('a/b')])).toMatch(/^FILES_SOURCE_CHANGED: a\/b/);
  });
});
