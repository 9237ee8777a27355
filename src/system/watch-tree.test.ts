/** What the suite of both adapters cannot bring about: limits of the kernel, and changes in the middle of a look. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { Errno } from './errno.ts';
import type { FileStat, Files } from './files.ts';
import type { FaultHook } from './memory/memory-gate.ts';
import { memoryMachine } from './memory/memory-machine.ts';
import { POLL_MS } from './poll-tree.ts';
import { WATCHED_DIRECTORIES_MAX, watchTreeOn } from './watch-tree.ts';

function setUp(fault: FaultHook = () => undefined) {
  const clock = virtualClock();
  const files = { '/tree/sub/file': '1', '/tree/top': '1' };
  const machine = memoryMachine({ clock, random: seededRandom(1), files, fault });
  const system = machine.boot();
  const heard = { hints: 0, limits: [] as string[] };
  const watch = system.watchTree('/tree', {
    changed: () => {
      heard.hints += 1;
    },
    limited: (why) => heard.limits.push(why),
  });
  return { clock, machine, files: system.files, heard, watch };
}

const text = (value: string) => Buffer.from(value);

describe('a tree that the kernel cannot watch', () => {
  it('is polled every second, which is said once', async () => {
    const { clock, files, heard, watch } = setUp(({ name, path }) =>
      name === 'watch' && path === '/tree/sub' ? { fail: 'ENOSPC' } : undefined,
    );
    await clock.advance(10 * POLL_MS);
    expect(heard).toEqual({ hints: 1, limits: ['no space left on device'] });
    for (const change of [
      () => files.writeAtomic('/tree/sub/file', text('22')),
      () => files.makeDirectory('/tree/sub/made'),
      () => files.removeTree('/tree'),
      () => files.makeDirectory('/tree'),
    ]) {
      const before = heard.hints;
      await change();
      await clock.advance(2 * POLL_MS);
      expect(heard.hints).toBe(before + 1);
    }
    expect(heard.limits).toHaveLength(1);
    watch.stop();
    await files.writeAtomic('/tree/top', text('x'));
    await clock.advance(10 * POLL_MS);
    expect(heard.hints).toBe(5);
  });

  it('is polled too when the limit is met by a directory that came later', async () => {
    let isFull = false;
    const { clock, files, heard } = setUp(({ name }) =>
      name === 'watch' && isFull ? { fail: 'EMFILE' } : undefined,
    );
    await clock.advance(POLL_MS);
    isFull = true;
    await files.makeDirectory('/tree/more');
    await clock.advance(2 * POLL_MS);
    expect(heard.limits).toEqual(['too many open files']);
    const before = heard.hints;
    await files.writeAtomic('/tree/more/file', text('x'));
    await clock.advance(2 * POLL_MS);
    expect(heard.hints).toBe(before + 1);
  });

  it('tells once that it cannot be read, and once that it can again', async () => {
    let isDenied = true;
    const { clock, heard } = setUp(({ name, path }) =>
      name === 'open' && path.endsWith('/sub') && isDenied ? { fail: 'EACCES' } : undefined,
    );
    await clock.advance(10 * POLL_MS);
    expect(heard.hints).toBe(1);
    expect(heard.limits).toEqual(['permission denied']);
    isDenied = false;
    await clock.advance(10 * POLL_MS);
    expect(heard.hints).toBe(2);
  });

  it('is polled when it has too many directories, and all watches are given back', async () => {
    const clock = virtualClock();
    const stat: FileStat = {
      kind: 'directory',
      size: 0,
      mode: 0o755,
      uid: 0,
      gid: 0,
      mtimeMs: 0,
      dev: 1n,
      ino: 1n,
    };
    const entries = Array.from({ length: WATCHED_DIRECTORIES_MAX }, (_, index) => ({
      path: `d${index}`,
      stat,
    }));
    const limits: string[] = [];
    let open = 0;
    const watchTree = watchTreeOn({
      clock,
      files: { realPath: async () => '/tree', lstat: async () => stat, walk: async () => entries },
      watchDirectory: () => {
        open += 1;
        const stop = () => {
          open -= 1;
        };
        return { stop };
      },
    });
    watchTree('/tree', { changed: () => undefined, limited: (why) => limits.push(why) });
    await clock.advance(POLL_MS);
    expect(limits).toEqual([`it has more than ${WATCHED_DIRECTORIES_MAX} directories`]);
    expect(open).toBe(0);
  });
});

describe('a change in the middle of a look', () => {
  /** A tree whose watches hear nothing but what the test says. */
  async function deafWorld(duringWalk: (files: Files) => Promise<unknown> = async () => undefined) {
    const clock = virtualClock();
    const machine = memoryMachine({ clock, random: seededRandom(1), files: { '/tree/sub/file': '1' } });
    const { files } = machine.boot();
    const listeners = new Map<string, (name: string | undefined) => void>();
    const heard = { hints: 0 };
    /** Every directory that was ever watched, in order. */
    const begun: string[] = [];
    const watchTree = watchTreeOn({
      clock,
      files: {
        ...files,
        walk: async (path) => {
          const entries = await files.walk(path);
          await duringWalk(files);
          return entries;
        },
      },
      watchDirectory: (path, listener) => {
        if (path === '/tree/gone') throw new Errno('ENOENT');
        listeners.set(path, listener.heard);
        begun.push(path);
        return { stop: () => void listeners.delete(path) };
      },
    });
    const changed = () => {
      heard.hints += 1;
    };
    watchTree('/tree', { changed });
    await clock.advance(0);
    return { clock, files, listeners, heard, begun, paths: () => [...listeners.keys()].sort() };
  }

  it('that makes a directory after its place was listed and before it was watched is not missed', async () => {
    let isMade = false;
    const { paths } = await deafWorld(async (files) => {
      if (!isMade) await files.makeDirectory('/tree/sub/late');
      isMade = true;
    });
    expect(paths()).toEqual(['/', '/tree', '/tree/sub', '/tree/sub/late']);
  });

  it('that takes a directory away before it was watched is no trouble', async () => {
    let isGone = false;
    const { paths, clock, files, listeners } = await deafWorld(async (files) => {
      if (isGone) await files.removeTree('/tree/gone');
    });
    await files.makeDirectory('/tree/gone');
    isGone = true;
    listeners.get('/tree')?.('gone');
    await clock.advance(0);
    expect(paths()).toEqual(['/', '/tree', '/tree/sub']);
  });

  it('that puts another tree in its place is seen, also when nobody saw the place empty', async () => {
    const { clock, files, listeners, begun } = await deafWorld();
    await files.rename({ from: '/tree', to: '/last' });
    await files.makeDirectory('/tree/sub', { parents: true });
    begun.length = 0;
    listeners.get('/')?.('tree');
    await clock.advance(0);
    expect(begun).toEqual(['/tree', '/tree/sub']);
  });

  it('that nobody could name is looked for everywhere', async () => {
    const { clock, files, listeners, heard, paths } = await deafWorld();
    await files.makeDirectory('/tree/silent');
    listeners.get('/tree')?.(undefined);
    await clock.advance(0);
    expect(paths()).toEqual(['/', '/tree', '/tree/silent', '/tree/sub']);
    expect(heard.hints).toBe(3);
  });
});
