import { beforeEach, describe, expect, it } from 'vitest';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { Log } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../runtime/virtual-clock.ts';
import type { Files } from '../../system/files.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import { CACHE_LOOK_MS, CACHE_LOOKS, findStates, type StateSources } from './state-sources.ts';

describe('findStates', () => {
  let clock: VirtualClock;
  let files: Files;
  let warned: string[];
  let pins: number;
  /** Of the mirror; undefined as long as it has none. */
  let revision: number | undefined;

  beforeEach(async () => {
    clock = virtualClock();
    files = memorySystem({ clock, random: seededRandom(1) }).files;
    warned = [];
    pins = 0;
    revision = undefined;
    late = '';
    await files.makeDirectory('/baked');
    await files.makeDirectory('/cache.trees/7-abc', { parents: true });
  });

  let late = '';
  const mirror: NonNullable<StateSources['mirror']> = {
    cache: '/cache',
    catchUp: async () => late,
    pin: async () => {
      if (revision === undefined) return undefined;
      pins += 1;
      const release = () => {
        pins -= 1;
      };
      return { directory: '/cache.trees/7-abc', revision, identity: 'x', release };
    },
  };
  const BOTH = { mirror, bakedDir: '/baked' };

  const fill = async () => {
    revision = 7;
    await files.writeAtomic('/cache.trees/7-abc/top.zy', Buffer.from('x'));
  };

  /** What it finds, or the code of its error, and after how long. */
  async function find(sources: StateSources, fillAfterMs?: number) {
    const log: Log = {
      debug() {},
      info() {},
      warn: (text) => void warned.push(text),
      error() {},
      with: () => log,
    };
    const startedMs = clock.monotonicMs();
    if (fillAfterMs !== undefined) clock.after(fillAfterMs, () => void fill());
    let found: unknown;
    const work = findStates(sources, { files, clock, log }).then(
      ({ release, ...states }) => {
        found = states;
        release();
      },
      (error: unknown) => {
        found = isZesterError(error) ? error.code : String(error);
      },
    );
    while (found === undefined) await clock.advance(1);
    await work;
    return { found, tookMs: clock.monotonicMs() - startedMs };
  }

  const MIRRORED = { directory: '/cache.trees/7-abc', where: '/cache', revision: 7, note: '' };
  const BAKED = { directory: '/baked', where: '/baked', revision: 0, note: '' };

  it('is the cache when it has files, without a wait: the tree itself, with its revision, under the name of the cache', async () => {
    await fill();
    const { found, tookMs } = await find(BOTH);
    expect(found).toMatchObject(MIRRORED);
    expect([tookMs < CACHE_LOOK_MS, warned, pins]).toEqual([true, [], 0]);
  });

  it('has what came while the mirror caught up, and says when the newest did not', async () => {
    const catching = { ...mirror, catchUp: () => fill().then(() => 'revision 8 is late') };
    const { found } = await find({ mirror: catching, bakedDir: '/baked' });
    expect(found).toMatchObject({ ...MIRRORED, note: 'revision 8 is late' });
  });

  it('waits for a cache that is being replaced', async () => {
    const { found } = await find(BOTH, CACHE_LOOK_MS * 2 + 1);
    expect([found, warned]).toMatchObject([MIRRORED, []]);
  });

  it('falls back after five looks, with a warning', async () => {
    const { found, tookMs } = await find(BOTH);
    expect(found).toEqual(BAKED);
    expect(tookMs).toBeGreaterThanOrEqual(CACHE_LOOK_MS * (CACHE_LOOKS - 1));
    expect(warned).toEqual([
      'state-file cache dir empty or missing after retries, falling back to baked states dir',
    ]);
  });

  it('takes a cache without any file for an empty one, and lets it go', async () => {
    revision = 7;
    await files.writeAtomic('/cache.trees/7-abc/.zester-tree.msgpack', Buffer.from('x'));
    expect((await find(BOTH)).found).toEqual(BAKED);
    expect(pins).toBe(0);
  });

  it('without a cache takes the other at once', async () => {
    expect((await find({ mirror: undefined, bakedDir: '/baked' })).found).toEqual(BAKED);
    expect(warned).toEqual([]);
  });

  it.each([
    ['a cache that is empty', { mirror, bakedDir: '/none' }],
    ['neither', { mirror: undefined, bakedDir: undefined }],
  ])('%s: there are no states', async (_, sources) => {
    expect((await find(sources)).found).toBe('STATES_UNAVAILABLE');
  });
});
