import { expect, it } from 'vitest';
import { hashOfText, MirrorDisk } from '../../test/harness/mirror/mirror-disk.ts';
import type { Files } from '../system/files.ts';
import { FileHashes } from './file-hashes.ts';

it('reads a file once, under whatever name, and again when it has changed', async () => {
  const { files } = new MirrorDisk();
  let reads = 0;
  const read: Files['read'] = (path, options) => {
    reads += 1;
    return files.read(path, options);
  };
  const hashes = new FileHashes({ ...files, read });
  const hashAt = async (path: string) => {
    const stat = await files.lstat(path);
    return stat === undefined ? undefined : hashes.of(path, stat);
  };
  await files.makeDirectory('/data/tree', { parents: true });
  await files.writeAtomic('/data/tree/a', Buffer.from('one'));
  await files.hardLink({ from: '/data/tree/a', to: '/data/tree/b' });
  expect([await hashAt('/data/tree/a'), await hashAt('/data/tree/b'), reads]).toEqual([
    hashOfText('one'),
    hashOfText('one'),
    1,
  ]);
  await files.writeAtomic('/data/tree/a', Buffer.from('two'));
  expect([await hashAt('/data/tree/a'), await hashAt('/data/tree/b'), reads]).toEqual([
    hashOfText('two'),
    hashOfText('one'),
    2,
  ]);
});
