import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameFromBytes } from '../../system/file-path.ts';
import { ALL_BUCKETS } from './buckets.ts';
import { FILE_KEY_CHARS_MAX, fileKeyOf, isTreePath, pathOfFileKey } from './file-keys.ts';
import { isKey } from './keys.ts';
import { directGetLastSubject, kvStreamName, kvSubject } from './store-subjects.ts';
import { SUBJECT_CHARS_MAX } from './subjects.ts';

/** Whatever a directory can hold: bytes without slash and NUL, as the system port spells them. */
const odd = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .filter((bytes) => !bytes.includes(0x2f) && !bytes.includes(0))
  .map((bytes) => nameFromBytes(Buffer.from(bytes)));
const name = fc
  .oneof(
    odd,
    fc.stringMatching(/^[-._=a-zA-Z0-9 ]{1,10}$/),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom('_manifest', '_revision', '_spread', '\ufeff', '..x', 'x..', '...', '=41', 'a..b'),
  )
  .filter((part) => !/^\.\.?$|[/\0]/.test(part));
const treePath = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

describe('a file key', () => {
  it.each([
    ['web/init.zy', 'web/init.zy'],
    ['top.zy', 'top.zy'],
    ['a b', 'a=20b'],
    ['a=b', 'a=3Db'],
    ['grün.zy', 'gr=C3=BCn.zy'],
    ['.hidden', '=2Ehidden'],
    ['end.', 'end=2E'],
    ['a..b', 'a.=2Eb'],
    ['_manifest', '=5Fmanifest'],
    ['_revision', '=5Frevision'],
    ['_spread', '=5Fspread'],
    ['_modules/x', '_modules/x'],
    ['*/>', '=2A/=3E'],
    ['caf\udce9', 'caf=E9'],
    ['grün/caf\udce9', 'gr=C3=BCn/caf=E9'],
    ['\ufeffbom', '=EF=BB=BFbom'],
  ])('of %j is %s', (path, key) => {
    expect(fileKeyOf(path)).toBe(key);
    expect(pathOfFileKey(key)).toBe(path);
  });

  it.each([
    '',
    '/etc/passwd',
    '..',
    '../x',
    'a/../b',
    'a/..',
    '.',
    './a',
    'a//b',
    'a/',
    'a\0b',
    // Bytes that are UTF-8 and stand there as raw ones: the same file as `ü`, under another text.
    '\udcc3\udcbc',
    'ü\udcff',
    '\ud800',
    'x\udc00',
    'x\udc7f',
    'x'.repeat(FILE_KEY_CHARS_MAX + 1),
    ' '.repeat(FILE_KEY_CHARS_MAX / 3 + 1),
  ])('is not made of %j', (path) => {
    expect(fileKeyOf(path)).toBeUndefined();
  });

  it.each([
    '',
    '_manifest',
    '_revision',
    '_spread',
    '..',
    '../etc/passwd',
    '=2E=2E/etc/passwd',
    'a/=2E=2E/b',
    '=2E',
    '/etc/passwd',
    '=2Fetc/passwd',
    'a=2Fb',
    'a//b',
    'a=00b',
    // Escaped where nobody escapes, with small letters, cut off.
    '=41',
    'gr=c3=bcn',
    'a=4',
    'a=',
    'a=2Eb',
    'a b',
    'ü',
    'x'.repeat(FILE_KEY_CHARS_MAX + 1),
  ])('is not %j', (key) => {
    expect(pathOfFileKey(key)).toBeUndefined();
  });

  it('of the longest kind fits the subjects it becomes part of', () => {
    const key = `reactor/${fileKeyOf('x'.repeat(FILE_KEY_CHARS_MAX))}`;
    expect(isKey(key)).toBe(true);
    for (const { name: bucket } of ALL_BUCKETS) {
      const question = directGetLastSubject(kvStreamName(bucket), kvSubject(bucket, key));
      expect(question.length).toBeLessThanOrEqual(SUBJECT_CHARS_MAX);
    }
  });

  it('gives back every path, and NATS takes it', () => {
    fc.assert(
      fc.property(treePath, (path) => {
        const key = fileKeyOf(path);
        expect(key).toBeDefined();
        expect(isKey(key ?? '')).toBe(true);
        expect(pathOfFileKey(key ?? '')).toBe(path);
      }),
    );
  });

  it('is never shared by two paths', () => {
    fc.assert(
      fc.property(treePath, treePath, (a, b) => {
        expect(fileKeyOf(a) === fileKeyOf(b)).toBe(a === b);
      }),
    );
  });

  it('that is read as a path is the key of that path, and the path stays inside of the tree', () => {
    const hex = fc.constantFrom('=2E', '=2F', '=00', '=5F', '=C3', '=BC', '=E9', '=41');
    const keyLike = fc.array(fc.oneof(hex, fc.constantFrom(...'./_=ax', '_manifest')), { maxLength: 8 });
    fc.assert(
      fc.property(keyLike, (parts) => {
        const key = parts.join('');
        const path = pathOfFileKey(key);
        if (path === undefined) return;
        expect(isTreePath(path)).toBe(true);
        expect(fileKeyOf(path)).toBe(key);
      }),
      { numRuns: 2_000 },
    );
  });
});
