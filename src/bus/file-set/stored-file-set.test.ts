import { expect, it } from 'vitest';
import { MirrorWorld } from '../../../test/harness/mirror/mirror-world.ts';
import { publishedSight } from '../../core/files/published-sight.ts';
import { REVISION_KEY } from '../../wire/names/keys.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import type { Bucket } from '../port.ts';
import { hashText } from './plain-files.ts';
import { readStoredFileSet } from './stored-file-set.ts';

it('a set that is published while it is looked at is not taken for a damaged one', async () => {
  const world = await MirrorWorld.open();
  const bucket = world.bucket();
  const before = await world.whileTimePasses(bucket.getLatest(REVISION_KEY));
  await world.publish({ 'top.zy': 'base' });
  let looks = 0;
  // The revision was written between our first read of it and all the others.
  const getLatest: Bucket['getLatest'] = async (key) => {
    if (key === REVISION_KEY) looks += 1;
    return key === REVISION_KEY && looks === 1 ? before : bucket.getLatest(key);
  };
  const seen = new Proxy(bucket, {
    get: (target, name) => (name === 'getLatest' ? getLatest : Reflect.get(target, name).bind(target)),
  });
  const stored = await world.whileTimePasses(readStoredFileSet({ bucket: () => seen }, FILE_SETS.states));
  expect(publishedSight({ ...stored, writtenMs: 0 }, undefined, hashText)).toMatchObject({ is: 'whole' });
  expect(stored.revision).toBe(1);
});
