import { beforeEach, describe, expect, it } from 'vitest';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { settingsInput } from '../../../test/harness/states/settings-input.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { Files } from '../../system/files.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { type LocalSettingsInput, readLocalSettings } from './local-settings.ts';

describe('readLocalSettings', () => {
  let files: Files;

  beforeEach(async () => {
    files = memorySystem({ clock: virtualClock(), random: seededRandom(1) }).files;
    await files.makeDirectory('/settings');
  });

  const input = (facts: WireMap = {}): LocalSettingsInput => {
    const { tree: _, ...rest } = settingsInput(memoryTree({}), { facts });
    return { ...rest, files };
  };
  const write = (name: string, text: string) => files.writeAtomic(`/settings/${name}`, Buffer.from(text));

  it('merges the files of the directory, the later name on top; other files and directories are left out', async () => {
    await write('a.yaml', 'web: {port: 80, name: x}');
    await write('b.zy', 'web: {port: 81}');
    await write('notes.txt', ': [');
    await files.makeDirectory('/settings/c.yaml');
    expect((await readLocalSettings('/settings', input())).settings).toEqual({
      web: { port: 81, name: 'x' },
    });
  });

  it('is nothing without a directory, and an error with one that is not there', async () => {
    expect((await readLocalSettings(undefined, input())).settings).toEqual({});
    const error: unknown = await readLocalSettings('/none', input()).catch((thrown: unknown) => thrown);
    expect(isZesterError(error, 'SETTINGS_UNREADABLE')).toBe(true);
  });

  describe('with a top file', () => {
    it('resolves a settings tree, for this machine', async () => {
      await files.makeDirectory('/settings/web');
      await write('top.zy', "base:\n  '*': [common]\n  'role:web': [web]\n  'db-*': [db]\n");
      await write('common.zy', 'port: 80\n');
      await write('web/init.zy', 'url: http://{{ grains.id }}:{{ settings.port }}\n');
      await write('db.zy', 'db: 1\n');
      await write('ignored.yaml', 'ignored: 1\n');
      const { settings } = await readLocalSettings('/settings', input({ role: 'web' }));
      expect(settings).toEqual({ port: 80, url: 'http://web-01:80' });
    });

    it('takes secrets as they are, and names them', async () => {
      await write('top.zy', "base:\n  'role:web': [web]\n  'db-*': [db]\n");
      await write(
        'web.zy',
        'password: !encrypted "s3cret"\nurl: "db://{{ settings.password | default(1) }}"\n',
      );
      await write('db.zy', 'other: !encrypted "elsewhere"\n');
      const { settings, raw, secrets } = await readLocalSettings('/settings', input({ role: 'web' }));
      expect(settings).toEqual({ password: 's3cret', url: 'db://1' });
      expect(raw).toEqual({ password: '__ZESTER_SECRET:password__', url: 'db://1' });
      expect(Object.fromEntries(secrets)).toEqual({ password: 's3cret', other: 'elsewhere' });
    });

    it('tells what is wrong with secrets and with files together, each once', async () => {
      await write('top.zy', "base:\n  '*': [web, comon]\n");
      await write('common.zy', '{% set a = 1 %}\npassword: !encrypted "s3cret": "s3cret"\n');
      await write('web.zy', 'include: [common]\na: {{ 1 / 0 }}\n');
      const error: unknown = await readLocalSettings('/settings', input()).catch((thrown: unknown) => thrown);
      if (!isZesterError(error, 'SETTINGS_INVALID')) throw error;
      expect(
        String(error.params.problems)
          .split('\n')
          .filter((line) => !line.startsWith(' ')),
      ).toEqual([
        'common.zy:1:2: a file with !encrypted must be YAML before it is rendered, and this one is not: no text can begin with …; put it in quotes',
        'top.zy:2:14: there is no settings file comon',
        'web.zy:2:9: division by zero',
      ]);
    });

    it('cannot open what is sealed for masters', async () => {
      await write('top.zy', "base:\n  '*': [web]\n");
      await write('web.zy', 'sealed: !encrypted "ENC[fleet,1,AAAA]"\n');
      const error: unknown = await readLocalSettings('/settings', input()).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain('web.zy:1:9: this value is sealed, and only masters can open it');
    });
  });

  it('a mistake has its place', async () => {
    await write('a.yaml', 'a: 1\na: 2\n');
    const error: unknown = await readLocalSettings('/settings', input()).catch((thrown: unknown) => thrown);
    if (!isZesterError(error)) throw error;
    expect([error.code, error.at?.file, error.at?.line]).toEqual(['YAML_INVALID', '/settings/a.yaml', 2]);
  });
});
