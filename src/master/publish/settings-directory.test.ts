import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memoryMachine } from '../../system/memory/memory-machine.ts';
import type { SetStanding } from './running-set.ts';
import { settingsDirectory } from './settings-directory.ts';

const DIR = '/srv/settings';

function setUp(standing: Partial<SetStanding> = {}) {
  const machine = memoryMachine({
    clock: virtualClock(),
    random: seededRandom(1),
    files: { [`${DIR}/db.zy`]: 'a: 1\n', '/etc/secret.zy': 'theirs\n' },
  });
  const { files } = machine.boot();
  const published = { state: 'published', note: '', revision: 4, ...standing } as SetStanding;
  return { machine, files, directory: settingsDirectory(files, DIR, async () => published) };
}

describe('the settings directory of a publisher', () => {
  it('gives a text, and nothing where there is no file', async () => {
    const { directory, files } = setUp();
    expect([await directory.read('db.zy'), await directory.read('new/file.zy')]).toEqual([
      'a: 1\n',
      undefined,
    ]);
    await files.writeAtomic(`${DIR}/latin.zy`, Buffer.from('p\xe4ss: 1', 'latin1'));
    await expect(directory.read('latin.zy')).rejects.toMatchObject({ code: 'FILES_NOT_TEXT' });
  });

  it('replaces a file and keeps its mode; a new one is for its owner alone', async () => {
    const { directory, machine } = setUp();
    await directory.write('db.zy', 'a: 2\n');
    await directory.write('new/deep/file.zy', 'b: 1\n');
    const found = machine.look(DIR).filter(({ kind }) => kind === 'file');
    expect(
      found.map(({ path, mode, bytes }) => [path, mode.toString(8), Buffer.from(bytes).toString()]),
    ).toEqual([
      ['db.zy', '644', 'a: 2\n'],
      ['new/deep/file.zy', '600', 'b: 1\n'],
    ]);
  });

  it('writes through a link inside of the tree, and through none that leads out of it', async () => {
    const { directory, files } = setUp();
    await files.symlink({ target: 'db.zy', path: `${DIR}/alias.zy` });
    await directory.write('alias.zy', 'a: 3\n');
    expect(await directory.read('db.zy')).toBe('a: 3\n');
    await files.symlink({ target: '/etc/secret.zy', path: `${DIR}/out.zy` });
    await files.symlink({ target: '/etc', path: `${DIR}/etc` });
    for (const path of ['out.zy', 'etc/secret.zy', 'etc/new/file.zy']) {
      await expect(directory.read(path)).rejects.toMatchObject({ code: 'FILES_LINK' });
      await expect(directory.write(path, 'x')).rejects.toMatchObject({ code: 'FILES_LINK' });
    }
    expect(Buffer.from((await files.read('/etc/secret.zy')) ?? []).toString()).toBe('theirs\n');
  });

  it.each([
    ['published', undefined],
    ['unchanged', undefined],
    ['conflict', 'conflict: why'],
    ['broken', 'broken: why'],
  ] as const)('says what came of a publish that ended as %s', async (state, problem) => {
    const { directory } = setUp({ state, note: 'why' });
    expect(await directory.publish()).toEqual({ revision: 4, problem });
  });

  it('is an error when it is gone', async () => {
    const { directory, files } = setUp();
    await files.removeTree(DIR);
    await expect(directory.read('db.zy')).rejects.toMatchObject({ code: 'MASTER_SOURCE_MISSING' });
  });
});
