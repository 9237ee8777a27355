/** What doctor says about this machine: files and disks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesText } from './bytes-text.ts';
import { judgeDiskSpace } from './disk-space.ts';
import { type FileMode, judgeFileModes } from './file-modes.ts';

const GIB = 1_073_741_824;

describe('judgeFileModes', () => {
  const dir: FileMode = { path: '/a', kind: 'directory', mode: 0o700, uid: 7 };
  const secret: FileMode = { path: '/a/x.seed', kind: 'secret', mode: 0o600, uid: 7 };
  const judge = (...files: FileMode[]) => judgeFileModes({ directory: '/a', files, uid: 7 });

  it.each([
    ['all private', [dir, secret, { ...secret, kind: 'public', mode: 0o644 }], 'ok', '1 secret file in /a'],
    ['a directory that others may read, not write', [{ ...dir, mode: 0o755 }, secret], 'ok', '1 secret file'],
    ['a secret that a group reads', [dir, { ...secret, mode: 0o640 }], 'fail', '/a/x.seed (640)'],
    ['a directory that others write', [{ ...dir, mode: 0o777 }, secret], 'fail', '/a (777)'],
    ['a public file that others write', [dir, { ...secret, kind: 'public', mode: 0o666 }], 'fail', '(666)'],
    ['a file of another user', [dir, { ...secret, uid: 9 }], 'warn', 'another user (9): /a/x.seed'],
    ['a file of root', [dir, { ...secret, uid: 0 }], 'ok', '1 secret file'],
  ] as const)('%s', (_what, files, verdict, found) => {
    const judgement = judge(...files);
    expect([judgement.verdict, judgement.found]).toEqual([verdict, expect.stringContaining(found)]);
  });

  it('no secret that others may touch is ever ok', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0o777 }), (mode) => {
        const isPrivate = (mode & 0o077) === 0;
        expect(judge(dir, { ...secret, mode }).verdict).toBe(isPrivate ? 'ok' : 'fail');
      }),
    );
  });

  it('what cannot be read is not judged', () => {
    expect(judgeFileModes({ notRead: '/a is not there' })).toMatchObject({
      verdict: 'unknown',
      found: '/a is not there',
    });
  });
});

describe('judgeDiskSpace', () => {
  it.each([
    [[{ path: '/a', freeBytes: 50 * GIB, totalBytes: 100 * GIB }], 'ok', '/a 50 GiB free'],
    [[{ path: '/a', freeBytes: 4 * GIB, totalBytes: 100 * GIB }], 'warn', '/a 4 GiB free'],
    [[{ path: '/a', freeBytes: GIB - 1, totalBytes: 2 * GIB }], 'warn', '/a 1024 MiB free'],
    [
      [
        { path: '/a', freeBytes: 50 * GIB, totalBytes: 100 * GIB },
        { path: '/b', freeBytes: 1_000, totalBytes: GIB },
      ],
      'fail',
      '/b 1000 B free',
    ],
    [[], 'unknown', 'no directory of Zester'],
  ])('%#', (disks, verdict, found) => {
    const judgement = judgeDiskSpace(disks);
    expect([judgement.verdict, judgement.found]).toEqual([verdict, expect.stringContaining(found)]);
  });
});

describe('bytesText', () => {
  it.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_536, '1.5 KiB'],
    [150 * 1_048_576, '150 MiB'],
    [78.7 * GIB, '78.7 GiB'],
  ])('%d is %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});
