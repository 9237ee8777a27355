import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readFileModes } from './read-file-modes.ts';

const dir = mkdtempSync(join(tmpdir(), 'zester-modes-'));
afterAll(() => rmSync(dir, { recursive: true }));

function file(path: string, mode: number): void {
  writeFileSync(join(dir, path), '');
  chmodSync(join(dir, path), mode);
}

describe('readFileModes', () => {
  it('finds keys by their names, also those of the CA and of local peels; follows no link', () => {
    for (const each of ['auth/ca', 'peels/web-01/jobs'])
      mkdirSync(join(dir, each), { recursive: true, mode: 0o700 });
    file('auth/account.seed', 0o640);
    file('auth/account.jwt', 0o644);
    file('auth/ca/root.key', 0o600);
    file('peels/web-01/web-01.creds', 0o600);
    file('peels/web-01/facts', 0o666);
    symlinkSync('/etc/passwd', join(dir, 'auth/link.key'));
    const read = readFileModes(join(dir, 'auth'), dir);
    const files = 'files' in read ? read.files : [];
    const found = files.map(({ path, kind, mode }) => [path.slice(dir.length), kind, mode.toString(8)]);
    expect(found).toEqual([
      ['/auth', 'directory', '700'],
      ['/auth/account.jwt', 'public', '644'],
      ['/auth/account.seed', 'secret', '640'],
      ['/auth/ca', 'directory', '700'],
      ['/auth/ca/root.key', 'secret', '600'],
      ['/peels/web-01/web-01.creds', 'secret', '600'],
    ]);
  });

  it('a directory that is not there is not read', () => {
    expect(readFileModes(join(dir, 'none'), undefined)).toEqual({
      notRead: `${join(dir, 'none')} is not there`,
    });
  });
});
