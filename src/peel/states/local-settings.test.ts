import { beforeEach, describe, expect, it } from 'vitest';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { Files } from '../../system/files.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import { readLocalSettings } from './local-settings.ts';

describe('readLocalSettings', () => {
  let files: Files;

  beforeEach(async () => {
    files = memorySystem({ clock: virtualClock(), random: seededRandom(1) }).files;
    await files.makeDirectory('/settings');
  });

  const write = (name: string, text: string) => files.writeAtomic(`/settings/${name}`, Buffer.from(text));

  it('merges the files of the directory, the later name on top; other files and directories are left out', async () => {
    await write('a.yaml', 'web: {port: 80, name: x}');
    await write('b.zy', 'web: {port: 81}');
    await write('notes.txt', ': [');
    await files.makeDirectory('/settings/c.yaml');
    expect(await readLocalSettings(files, '/settings')).toEqual({ web: { port: 81, name: 'x' } });
  });

  it('is nothing without a directory, and an error with one that is not there', async () => {
    expect(await readLocalSettings(files, undefined)).toEqual({});
    const error: unknown = await readLocalSettings(files, '/none').catch((thrown: unknown) => thrown);
    expect(isZesterError(error, 'SETTINGS_UNREADABLE')).toBe(true);
  });

  it('a mistake has its place', async () => {
    await write('a.yaml', 'a: 1\na: 2\n');
    const error: unknown = await readLocalSettings(files, '/settings').catch((thrown: unknown) => thrown);
    if (!isZesterError(error)) throw error;
    expect([error.code, error.at?.file, error.at?.line]).toEqual(['YAML_INVALID', '/settings/a.yaml', 2]);
  });
});
