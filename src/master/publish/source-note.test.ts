import { describe, expect, it } from 'vitest';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { FaultHook } from '../../system/memory/memory-gate.ts';
import { memoryMachine } from '../../system/memory/memory-machine.ts';
import { NO_NOTE, type SourceNote, sourceNotes, UPDATES_NOTED_MAX } from './source-note.ts';

const DATA = '/var/lib/zester/master';
const NOTE: SourceNote = {
  base: {
    digest: 'd',
    revision: 7,
    writtenMs: 1_700_000_000_000,
    files: new Map([
      ['a/b', '1'],
      ['caf\udce9', '2'],
    ]),
  },
  publishing: ['next', 'and the one after'],
  updating: [
    new Map([['x y', '3']]),
    new Map([
      ['a/b', '4'],
      ['caf\udce9', '2'],
      ['new', '1'],
    ]),
  ],
};

function setUp(fault: FaultHook = () => undefined) {
  const clock = virtualClock();
  const lines: string[] = [];
  const log = jsonLog({ clock, write: (line) => lines.push(line) });
  const machine = memoryMachine({ clock, random: seededRandom(1), fault });
  const open = (source = '/srv/states') =>
    sourceNotes(machine.boot().files, log, { dataDir: DATA, set: 'states', source });
  return { machine, lines, open };
}

describe('the note of a source directory', () => {
  it('is of one directory: for another one there is none, and that is said', async () => {
    const { lines, open } = setUp();
    await open().write(NOTE);
    expect(await open('/srv/old').read()).toEqual(NO_NOTE);
    expect(lines.join('')).toContain('another source directory');
    expect(await open().read()).toEqual(NOTE);
  });

  it('is what was written last, also after a power loss', async () => {
    const { machine, open } = setUp();
    expect(await open().read()).toEqual(NO_NOTE);
    for (const note of [NOTE, { ...NOTE, updating: [] }, { ...NO_NOTE, updating: [new Map()] }, NO_NOTE]) {
      await open().write(note);
      machine.powerLoss();
      expect(await open().read()).toEqual(note);
    }
  });

  it('keeps the last few of the trees that it was being updated to', async () => {
    const { open } = setUp();
    const trees = Array.from({ length: 9 }, (_, i) => new Map([['f', `${i}`]]));
    await open().write({ ...NOTE, updating: trees });
    expect((await open().read()).updating).toEqual(trees.slice(-UPDATES_NOTED_MAX));
  });

  it('is for its master alone', async () => {
    const { machine, open } = setUp();
    await open().write(NOTE);
    expect(machine.look(DATA).map(({ path, mode }) => [path, mode.toString(8)])).toEqual([
      ['files', '700'],
      ['files/states.msgpack', '600'],
    ]);
  });

  it('is written only where it says something else', async () => {
    let writes = 0;
    const { open } = setUp(({ name }) => {
      if (name === 'rename') writes += 1;
      return undefined;
    });
    const notes = open();
    await notes.write(NOTE);
    await notes.write({ ...NOTE });
    const later = open();
    await later.read();
    await later.write(NOTE);
    expect(writes).toBe(1);
  });

  it('counts as none when it cannot be understood, which is said', async () => {
    const { machine, open, lines } = setUp();
    await open().write(NOTE);
    await machine.boot().files.writeAtomic(open().path, Buffer.from('nonsense'));
    expect(await open().read()).toEqual(NO_NOTE);
    expect(lines.join()).toContain('counts as none');
  });

  it('is not taken for none when the disk does not give it', async () => {
    const { open } = setUp(({ name, path }) =>
      name === 'open' && path.endsWith('states.msgpack') ? { fail: 'EIO' } : undefined,
    );
    await expect(open().read()).rejects.toMatchObject({ code: 'FILE_READ_FAILED' });
  });

  it('is refused when it is too large to be kept, and the old one stays', async () => {
    const { open } = setUp();
    await open().write(NOTE);
    const files = new Map([['x', 'y'.repeat(9_000_000)]]);
    const tooLarge = open().write({ ...NOTE, updating: [files] });
    await expect(tooLarge).rejects.toMatchObject({ code: 'FILES_NOTE_TOO_LARGE' });
    expect(await open().read()).toEqual(NOTE);
  });
});
