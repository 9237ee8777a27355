import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../core/errors/registry.ts';
import { asCalled, exampleAsCalled, programName } from './program-name.ts';

const root = mkdtempSync(join(tmpdir(), 'zester-name-'));
afterAll(() => rmSync(root, { recursive: true }));

const file = join(root, 'clone/bin/zester');
const linked = join(root, 'usr');
const other = join(root, 'other');
for (const dir of ['clone/bin', 'usr', 'other']) mkdirSync(join(root, dir), { recursive: true });
for (const each of [file, join(other, 'zester')]) {
  writeFileSync(each, '');
  chmodSync(each, 0o755);
}
symlinkSync(file, join(linked, 'zester'));

describe('programName', () => {
  it.each([
    ['in the clone', join(root, 'clone'), '/usr/bin', 'bin/zester'],
    ['beside the program', join(root, 'clone/bin'), '/usr/bin', './zester'],
    ['elsewhere', other, '/usr/bin', file],
    ['where PATH finds it', other, `/usr/bin:${linked}`, 'zester'],
    ['where PATH finds another zester first', join(root, 'clone'), `${other}:${linked}`, 'bin/zester'],
    ['without a PATH', join(root, 'clone'), undefined, 'bin/zester'],
  ])('%s', (_where, cwd, path, name) => {
    expect(programName({ file, cwd, path })).toBe(name);
  });

  it('is what our texts say when nobody knows where the program is', () => {
    expect(programName({ file: join(root, 'nowhere'), cwd: root, path: '' })).toBe('zester');
  });
});

describe('texts as the program is called', () => {
  it('commands in backticks, and nothing else', () => {
    expect(asCalled('zester: run `zester up`, then `zester job list`', 'bin/zester')).toBe(
      'zester: run `bin/zester up`, then `bin/zester job list`',
    );
  });

  it('examples and usage lines at their start', () => {
    expect(exampleAsCalled("zester '*' cmd.run 'zester up'", 'bin/zester')).toBe(
      "bin/zester '*' cmd.run 'zester up'",
    );
    expect(exampleAsCalled('Usage: zester up', './zester')).toBe('Usage: ./zester up');
  });

  it.each(Object.entries(ERRORS))(
    'every command in the hint of %s stands in backticks',
    (_code, { hint }) => {
      expect(hint.replaceAll(/`zester [^`]*`/g, '')).not.toMatch(/zester [a-z'<-]/);
    },
  );
});
