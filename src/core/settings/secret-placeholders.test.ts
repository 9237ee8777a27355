import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DataValue } from '../data/data-value.ts';
import { keysOfSecretPath, SECRET_PATH_PATTERN, secretPathIn, secretPathOf } from './secret-path.ts';
import { placeholderOf, substituteSecrets } from './secret-placeholders.ts';

const key = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab0_._%@ "\'[]:/-#ä漢'), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const keys = fc.array(key, { minLength: 1, maxLength: 4 });

describe('the path of a secret', () => {
  it('is one word of a few kinds of letters, from which the keys can be read again', () => {
    fc.assert(
      fc.property(keys, (given) => {
        const path = secretPathOf(given);
        expect(path).toMatch(new RegExp(`^${SECRET_PATH_PATTERN}$`));
        expect(path).toMatch(/^(?!.*__)[^\s"'[\]\\]*[^_]$/);
        expect(keysOfSecretPath(path)).toEqual(given);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[readonly string[], string]>([
    [['database', 'password'], 'database.password'],
    [['users', '0', 'api-key'], 'users.0.api-key'],
    [['a.b', 'c d', ''], 'a%2Eb.c%20d.%'],
    [['api__key_', '_x'], 'api%5F_key%5F._x'],
    [['größe'], 'gr%C3%B6%C3%9Fe'],
    [['x@y', '<<'], 'x%40y.%3C%3C'],
  ])('of %j is %s', (given, path) => {
    expect(secretPathOf(given)).toBe(path);
  });

  it('may name its file', () => {
    expect(secretPathIn('a.b', 'web/my db__.zy')).toBe('a.b@web/my%20db%5F_.zy');
  });

  it.each(['', '.', 'a.', '.a', 'a..b', 'a.%2', '%FF'])('%j is none', (path) => {
    expect(keysOfSecretPath(path)).toBeUndefined();
  });

  it('can be written as people write it', () => {
    expect(keysOfSecretPath('my database.größe__')).toEqual(['my database', 'größe__']);
  });
});

describe('a placeholder', () => {
  const secrets = new Map([
    ['a.b', 'one'],
    ['a.b_c', 'two'],
    ['list.0@x/y.zy', '$& $1'],
  ]);
  const filled = (value: DataValue) => {
    const { data, missing } = substituteSecrets({ value }, secrets);
    return { value: (data as { readonly value: DataValue }).value, missing };
  };

  it('gives way to its value, alone or in a longer text, in lists and maps', () => {
    expect(
      filled(['__ZESTER_SECRET:a.b__', { x: 'pg://u:__ZESTER_SECRET:a.b_c__@h/__ZESTER_SECRET:a.b__' }]),
    ).toEqual({ value: ['one', { x: 'pg://u:two@h/one' }], missing: [] });
    expect(filled('__ZESTER_SECRET:list.0@x/y.zy__').value).toBe('$& $1');
    expect(filled(new Map<DataValue, DataValue>([[443, '__ZESTER_SECRET:a.b__']])).value).toEqual(
      new Map([[443, 'one']]),
    );
  });

  it('ends where it ends, whatever stands behind it', () => {
    expect(filled('__ZESTER_SECRET:a.b___').value).toBe('one_');
    expect(filled('__ZESTER_SECRET:a.b____ZESTER_SECRET:a.b_c___x').value).toBe('onetwo_x');
  });

  it('stands for any path, with anything around it', () => {
    fc.assert(
      fc.property(
        keys,
        fc.string(),
        fc.string({ unit: fc.constantFrom(...'_a:.') }),
        (given, before, after) => {
          const path = secretPathOf(given);
          const { data, missing } = substituteSecrets(
            { x: `${before}${placeholderOf(path)}${after}` },
            new Map([[path, 'the value']]),
          );
          expect(missing).toEqual([]);
          expect(data).toEqual({ x: `${before}the value${after}` });
        },
      ),
    );
  });

  it.each<[string, string]>([
    ['__ZESTER_SECRET:other__', 'other'],
    ['x __ZESTER_SECRET:a.b', '(a placeholder that a template has changed)'],
    ['__zester_secret:a.b__', 'a.b'],
    ['__ZESTER_SECRET:A.B__', 'A.B'],
    ['__ZESTER_SECRET:a b__', '(a placeholder that a template has changed)'],
  ])('%j that nothing answers is missing', (text, path) => {
    expect(filled([text])).toEqual({ value: [text], missing: [path] });
  });

  it('is never answered in a key', () => {
    expect(substituteSecrets({ '__ZESTER_SECRET:a.b__': 1 }, secrets).missing).toEqual(['a.b']);
  });
});
