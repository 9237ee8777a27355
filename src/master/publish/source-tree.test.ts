import { describe, expect, it } from 'vitest';
import { PLAIN_FILES } from '../../bus/file-set/plain-files.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { type MemoryMachine, memoryMachine } from '../../system/memory/memory-machine.ts';
import { FILE_BYTES_MAX, FILE_VALUE_BYTES_MAX } from '../../wire/names/limits.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import { type SourceTree, sourceTree } from './source-tree.ts';

const DIR = '/srv/states';
const MINUTE_MS = 60_000;
const text = (value: string) => Buffer.from(value);

function setUp(
  files: Readonly<Record<string, string>>,
  spec = FILE_SETS.states as typeof FILE_SETS.states | typeof FILE_SETS.settings,
  /** Before a call on a file of this name. */
  meanwhile: (call: string, machine: MemoryMachine) => void = () => undefined,
) {
  const clock = virtualClock();
  const reads: string[] = [];
  const machine: MemoryMachine = memoryMachine({
    clock,
    random: seededRandom(1),
    files: Object.fromEntries(Object.entries(files).map(([path, content]) => [`${DIR}/${path}`, content])),
    fault: ({ name, path }) => {
      if (name === 'read') reads.push(path.slice(DIR.length + 1));
      meanwhile(`${name} ${path.slice(path.lastIndexOf('/') + 1)}`, machine);
      return undefined;
    },
  });
  const system = machine.boot();
  const tree = sourceTree({ files: system.files, clock, spec, digest: PLAIN_FILES.digest }, DIR);
  return { clock, machine, files: system.files, tree, reads };
}

const look = (tree: SourceTree, again = false) => tree.look({ again });
const paths = async (tree: SourceTree) => (await look(tree))?.sources.map(({ path }) => path);

async function contentsOf(tree: SourceTree): Promise<Record<string, string>> {
  const found = await look(tree);
  const read = (found?.sources ?? []).map(async (file) => [
    file.path,
    Buffer.from(await file.read()).toString(),
  ]);
  return Object.fromEntries(await Promise.all(read));
}

async function refusal(tree: SourceTree): Promise<string> {
  try {
    await look(tree);
  } catch (error) {
    if (isZesterError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('a source tree that changes while it is walked', () => {
  const FOUR = { 'a.zy': '1', 'b.zy': '2', 'c.zy': '3', 'd.zy': '4' };

  it('has all files of a directory that went away and came back', async () => {
    let isDone = false;
    const { tree } = setUp(FOUR, FILE_SETS.states, (call, machine) => {
      if (isDone) return;
      if (call === 'lstat b.zy') machine.put(`${DIR}/c.zy`, undefined);
      if (call === 'lstat d.zy') machine.put(`${DIR}/c.zy`, '3');
      isDone = call === 'lstat d.zy';
    });
    expect(await contentsOf(tree)).toEqual(FOUR);
    expect(isDone).toBe(true);
  });

  it('is told when its names do not stop changing', async () => {
    let count = 0;
    const { tree } = setUp(FOUR, FILE_SETS.states, (call, machine) => {
      if (call === 'lstat a.zy') machine.put(`${DIR}/n${++count}.zy`, 'x');
    });
    expect(await refusal(tree)).toContain('FILES_SOURCE_CHANGED');
  });

  it('is taken as it was read when only a content does not stop changing', async () => {
    let count = 0;
    const { tree } = setUp(FOUR, FILE_SETS.states, (call, machine) => {
      if (call === 'lstat a.zy') machine.put(`${DIR}/d.zy`, 'x'.repeat(++count));
    });
    expect(await paths(tree)).toEqual(Object.keys(FOUR));
  });
});

describe('a source tree', () => {
  it('has the files of its directory, sorted, with what they hash to', async () => {
    const { tree } = setUp({ 'web/init.zy': 'w', 'top.zy': 't', 'web/files/a b': 'x' });
    expect(await contentsOf(tree)).toEqual({ 'top.zy': 't', 'web/files/a b': 'x', 'web/init.zy': 'w' });
    const found = await look(tree);
    expect(found?.directory).toBe(DIR);
    expect(found?.sources[0]).toMatchObject({
      path: 'top.zy',
      size: 1,
      sha256: PLAIN_FILES.digest(text('t')),
    });
    expect(found?.files.get('web/init.zy')).toBe(PLAIN_FILES.digest(text('w')));
  });

  it('has neither hidden files nor what Python and pipes leave behind', async () => {
    const { tree, machine } = setUp({
      'top.zy': '',
      '.git/config': '',
      '.hidden': '',
      'web/.swp': '',
      'web/__pycache__/m.pyc': '',
      'web/init.zy': '',
    });
    machine.makePipe(`${DIR}/pipe`);
    expect(await paths(tree)).toEqual(['top.zy', 'web/init.zy']);
  });

  it('is undefined without a directory, and empty with one that has nothing', async () => {
    const { tree, files } = setUp({});
    expect(await look(tree)).toBeUndefined();
    await files.makeDirectory(DIR, { parents: true });
    expect((await look(tree))?.sources).toEqual([]);
  });

  it('is an error where something cannot be read, not a smaller tree', async () => {
    const clock = virtualClock();
    const fault = ({ name, path }: { name: string; path: string }) =>
      name === 'open' && path.endsWith('secret') ? ({ fail: 'EACCES' } as const) : undefined;
    const machine = memoryMachine({
      clock,
      random: seededRandom(1),
      files: { [`${DIR}/top.zy`]: '', [`${DIR}/secret`]: '' },
      fault,
    });
    const { files } = machine.boot();
    const tree = sourceTree({ files, clock, spec: FILE_SETS.states, digest: PLAIN_FILES.digest }, DIR);
    expect(await refusal(tree)).toMatch(/^FILE_READ_FAILED: .*\/srv\/states\/secret/);
  });

  it('may be a link', async () => {
    const { machine, clock } = setUp({ 'top.zy': 't' });
    const { files } = machine.boot();
    await files.symlink({ target: DIR, path: '/srv/current' });
    const tree = sourceTree(
      { files, clock, spec: FILE_SETS.states, digest: PLAIN_FILES.digest },
      '/srv/current',
    );
    expect(await look(tree)).toMatchObject({ directory: DIR, sources: [{ path: 'top.zy' }] });
  });
});

describe('a link in a source tree', () => {
  async function withLinks(links: Readonly<Record<string, string>>) {
    const world = setUp({ 'web/init.zy': 'w', 'db/deep/x': 'x', 'top.zy': 't' });
    await world.files.writeAtomic('/etc/shadow', text('root'));
    await world.files.writeAtomic('/srv/states-old', text('beside'));
    for (const [path, target] of Object.entries(links))
      await world.files.symlink({ target, path: `${DIR}/${path}` });
    return world.tree;
  }

  it('counts as the file or the directory that it leads to', async () => {
    const tree = await withLinks({
      'again.zy': 'top.zy',
      'db/deep/web': '../../web',
      'db/chain': 'deep/web',
    });
    expect(await contentsOf(tree)).toEqual({
      'again.zy': 't',
      'db/chain/init.zy': 'w',
      'db/deep/web/init.zy': 'w',
      'db/deep/x': 'x',
      'top.zy': 't',
      'web/init.zy': 'w',
    });
  });

  it.each([
    ['out of the tree', '/etc/shadow', 'out of the tree'],
    ['out of the tree by many steps', '../../etc/shadow', 'out of the tree'],
    ['to what only begins like the tree', '../states-old', 'out of the tree'],
    ['to the tree itself', '.', 'out of the tree'],
    ['nowhere', 'nothing', 'nowhere'],
  ])('is refused by name when it leads %s', async (_what, target, where) => {
    const tree = await withLinks({ evil: target });
    expect(await refusal(tree)).toBe(`FILES_LINK: evil of states is a link that leads ${where}`);
  });

  it('is refused when it leads in a circle', async () => {
    expect(await refusal(await withLinks({ 'db/deep/up': '..' }))).toContain(
      'db/deep/up of states is a link that leads to a directory that it is in',
    );
    expect(await refusal(await withLinks({ 'web/db': '../db', 'db/web': '../web' }))).toContain(
      'leads to a directory that it is in',
    );
  });
});

describe('the bounds of a source tree', () => {
  it('are told with the file that is over them, before it is read', async () => {
    const large = 'x'.repeat(FILE_VALUE_BYTES_MAX + 1);
    const states = setUp({ 'blob.bin': large });
    expect(await refusal(states.tree)).toBe('none');
    const settings = setUp({ 'a.zy': '', 'large.zy': large }, FILE_SETS.settings);
    expect(await refusal(settings.tree)).toBe(
      `FILES_FILE_TOO_LARGE: large.zy of settings has ${FILE_VALUE_BYTES_MAX + 1} bytes, and at most ${FILE_VALUE_BYTES_MAX} can be published`,
    );
    expect(settings.reads).toEqual([]);
    const huge = setUp({ 'huge.bin': 'x'.repeat(FILE_BYTES_MAX + 1) });
    expect(await refusal(huge.tree)).toContain('huge.bin of states');
  });
});

describe('what is read again', () => {
  const OLD = { 'a.zy': '1', 'b.zy': '1' };

  async function settled() {
    const world = setUp(OLD);
    await world.clock.advance(MINUTE_MS);
    await look(world.tree);
    world.reads.length = 0;
    return world;
  }

  /** As an editor does that writes into the file itself: same number, same size. */
  async function overwrite(
    machine: MemoryMachine,
    clock: ReturnType<typeof virtualClock>,
    path: string,
    content: string,
  ) {
    const { files } = machine.boot();
    const stat = await files.stat(path);
    const found = machine.look(path.slice(0, path.lastIndexOf('/')));
    const node = found.find((each) => path.endsWith(`/${each.path}`));
    node?.bytes.set(text(content));
    await files.touch(path, clock.nowMs());
    expect(await files.stat(path)).toMatchObject({ ino: stat?.ino, size: stat?.size });
  }

  it('is nothing while no stat has changed', async () => {
    const { tree, reads } = await settled();
    await look(tree);
    expect(reads).toEqual([]);
  });

  it('is what was replaced, and nothing else', async () => {
    const { tree, files, reads } = await settled();
    await files.writeAtomic(`${DIR}/a.zy`, text('2'));
    expect((await look(tree))?.files.get('a.zy')).toBe(PLAIN_FILES.digest(text('2')));
    expect(reads).toEqual(['a.zy']);
  });

  it('is what was written into, by its time', async () => {
    const { tree, machine, clock, reads } = await settled();
    await overwrite(machine, clock, `${DIR}/a.zy`, '2');
    expect((await look(tree))?.files.get('a.zy')).toBe(PLAIN_FILES.digest(text('2')));
    expect(reads).toEqual(['a.zy']);
  });

  it('is what was written twice within one tick, before and after it was read', async () => {
    const { tree, machine, clock } = await settled();
    await overwrite(machine, clock, `${DIR}/a.zy`, '2');
    await look(tree);
    await overwrite(machine, clock, `${DIR}/a.zy`, '3');
    expect((await look(tree))?.files.get('a.zy')).toBe(PLAIN_FILES.digest(text('3')));
  });

  it('is not for ever what was written just before it was read', async () => {
    const { tree, machine, clock, reads } = await settled();
    await overwrite(machine, clock, `${DIR}/a.zy`, '2');
    await look(tree);
    await clock.advance(MINUTE_MS);
    await look(tree);
    reads.length = 0;
    await look(tree);
    expect(reads).toEqual([]);
  });

  it('is right when the clock of the machine jumps', async () => {
    const { tree, machine, clock } = await settled();
    for (const [jumpMs, content] of [
      [3_600_000, '2'],
      [-7_200_000, '3'],
      [0, '4'],
    ] as const) {
      clock.jumpWall(jumpMs);
      await overwrite(machine, clock, `${DIR}/a.zy`, content);
      expect((await look(tree))?.files.get('a.zy')).toBe(PLAIN_FILES.digest(text(content)));
    }
  });

  it('is everything when it was asked for', async () => {
    const { tree, machine, clock, files, reads } = await settled();
    const { mtimeMs = 0 } = (await files.stat(`${DIR}/a.zy`)) ?? {};
    await overwrite(machine, clock, `${DIR}/a.zy`, '2');
    await files.touch(`${DIR}/a.zy`, mtimeMs);
    reads.length = 0;
    // Same number, size and time: nothing tells that the content is another one.
    expect((await look(tree))?.files.get('a.zy')).toBe(PLAIN_FILES.digest(text('1')));
    expect((await look(tree, true))?.files.get('a.zy')).toBe(PLAIN_FILES.digest(text('2')));
    expect(reads).toEqual(['a.zy', 'b.zy']);
  });
});

describe('a file that changes after its hash was taken', () => {
  it.each([
    [
      'is another one',
      async (files: ReturnType<typeof setUp>['files']) => files.writeAtomic(`${DIR}/a.zy`, text('2')),
    ],
    ['is gone', async (files: ReturnType<typeof setUp>['files']) => files.removeFile(`${DIR}/a.zy`)],
  ])('is not published when it %s', async (_what, change) => {
    const { tree, files } = setUp({ 'a.zy': '1' });
    const found = await look(tree);
    await change(files);
    await expect(found?.sources[0]?.read()).rejects.toMatchObject({ code: 'FILES_SOURCE_CHANGED' });
  });
});
