import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { leakScanner } from './leak-scanner.ts';
import { leakText, scanTree } from './scan-tree.ts';

const VALUE = 'qX7-Wm2_Lk9.Pz4';
const scanner = leakScanner([{ name: 'db', value: VALUE }]);
const dirs: string[] = [];

function tree(files: Readonly<Record<string, string | Uint8Array>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'zester-scan-'));
  dirs.push(dir);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

const told = (dir: string, isAllowed?: (file: string) => boolean) =>
  scanTree(dir, scanner, isAllowed).leaks.map(leakText);

afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true });
});

describe('a tree', () => {
  it('is searched in every file, however deep, hidden and packed', () => {
    const dir = tree({
      'a/b/.hidden': `x ${VALUE}`,
      'log.gz': gzipSync(`pw ${VALUE}`),
      'clean/of/it': 'nothing',
    });
    expect(told(dir)).toEqual([
      `a/b/.hidden:2: db as as it is: x ${VALUE}`,
      expect.stringMatching(/^log\.gz:0: db as as it is in gzip: pw /),
    ]);
    expect(scanTree(dir, scanner)).toMatchObject({ files: 3 });
  });

  it('is searched in its names and in where its links lead', () => {
    const dir = tree({ [`${Buffer.from(VALUE).toString('hex')}/x`]: '' });
    symlinkSync(`/nowhere/${VALUE}`, join(dir, 'link'));
    symlinkSync('/nowhere/at/all', join(dir, 'clean'));
    expect(scanTree(dir, scanner).leaks.map(({ where, file }) => [where, file])).toEqual([
      ['name', expect.stringMatching(/^[0-9a-f]+$/)],
      ['name', expect.stringMatching(/^[0-9a-f]+\/x$/)],
      ['link', 'link'],
    ]);
  });

  it('may hold secrets in the files that are allowed to, and nowhere else', () => {
    const dir = tree({ 'settings/db.zy': VALUE, 'settings/copy.zy': VALUE });
    expect(told(dir, (file) => file === 'settings/db.zy')).toEqual([
      expect.stringMatching(/^settings\/copy\.zy:0: /),
    ]);
  });

  it('that cannot be read as a whole is not clean', () => {
    const dir = tree({ huge: '' });
    truncateSync(join(dir, 'huge'), 600 * 1024 * 1024);
    expect(() => told(dir)).toThrow('huge is too large to be scanned');
    expect(() => told(join(dir, 'nowhere'))).toThrow('ENOENT');
  });
});
