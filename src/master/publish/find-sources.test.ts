import { expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import { findSources, type SourceOptions } from './find-sources.ts';

const { files } = memorySystem({
  clock: virtualClock(),
  random: seededRandom(1),
  files: { '/srv/zester/states/top.zy': '', '/srv/zester/file': '' },
});
const option = (path: string, isGiven: boolean) => ({ path, isGiven });
const DEFAULTS: SourceOptions = {
  states: option('/srv/zester/states', false),
  settings: option('/srv/zester/settings', false),
  reactor: option('/srv/zester/reactor', false),
};
const find = (given: Partial<SourceOptions>) => findSources(files, { ...DEFAULTS, ...given }, '/data');

it('a default that is not there is no source', async () => {
  expect(await find({})).toEqual({ dataDir: '/data', states: '/srv/zester/states' });
});

it.each(['/srv/nothing', '/srv/zester/file'])('%s stops the start when it was named', async (path) => {
  await expect(find({ settings: option(path, true) })).rejects.toThrow(
    `--settings: ${path} is not a directory`,
  );
});
