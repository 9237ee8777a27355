import { beforeEach, describe, expect, it } from 'vitest';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { Log } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../runtime/virtual-clock.ts';
import type { Files } from '../../system/files.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import { CACHE_LOOK_MS, CACHE_LOOKS, findStatesDir } from './state-sources.ts';

const BOTH = { cacheDir: '/cache', bakedDir: '/baked' };

describe('findStatesDir', () => {
  let clock: VirtualClock;
  let files: Files;
  let warned: string[];

  beforeEach(async () => {
    clock = virtualClock();
    files = memorySystem({ clock, random: seededRandom(1) }).files;
    warned = [];
    await files.makeDirectory('/baked');
  });

  const fill = async () => {
    await files.makeDirectory('/cache', { parents: true });
    await files.writeAtomic('/cache/top.zy', Buffer.from('x'));
  };

  /** What it finds, or the code of its error, and after how long. */
  async function find(sources: Parameters<typeof findStatesDir>[0], fillAfterMs?: number) {
    const log: Log = {
      debug() {},
      info() {},
      warn: (text) => void warned.push(text),
      error() {},
      with: () => log,
    };
    const startedMs = clock.monotonicMs();
    if (fillAfterMs !== undefined) clock.after(fillAfterMs, () => void fill());
    let found: string | undefined;
    const work = findStatesDir(sources, { files, clock, log }).then(
      (dir) => {
        found = dir;
      },
      (error: unknown) => {
        found = isZesterError(error) ? error.code : String(error);
      },
    );
    while (found === undefined) await clock.advance(1);
    await work;
    return { found, tookMs: clock.monotonicMs() - startedMs };
  }

  it('is the cache when it has files, without a wait', async () => {
    await fill();
    expect((await find(BOTH)).found).toBe('/cache');
    expect(warned).toEqual([]);
  });

  it('waits for a cache that is being replaced', async () => {
    const { found } = await find(BOTH, CACHE_LOOK_MS * 2 + 1);
    expect([found, warned]).toEqual(['/cache', []]);
  });

  it('falls back after five looks, with a warning', async () => {
    await files.makeDirectory('/cache');
    const { found, tookMs } = await find(BOTH);
    expect(found).toBe('/baked');
    expect(tookMs).toBeGreaterThanOrEqual(CACHE_LOOK_MS * (CACHE_LOOKS - 1));
    expect(warned).toEqual([
      'state-file cache dir empty or missing after retries, falling back to baked states dir',
    ]);
  });

  it('without a cache takes the other at once', async () => {
    expect((await find({ cacheDir: undefined, bakedDir: '/baked' })).found).toBe('/baked');
    expect(warned).toEqual([]);
  });

  it.each([
    { cacheDir: '/cache', bakedDir: '/none' },
    { cacheDir: undefined, bakedDir: undefined },
  ])('%j has no states', async (sources) => {
    expect((await find(sources)).found).toBe('STATES_UNAVAILABLE');
  });
});
