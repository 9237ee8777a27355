import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import { undoKeyPath, undoSecret } from './undo-key-file.ts';

async function world() {
  const random = seededRandom(1);
  const { files } = memorySystem({ clock: virtualClock(), random });
  await files.makeDirectory('/var/zester', { mode: 0o700 });
  const secret = (former?: Uint8Array) => undoSecret({ files, dataDir: '/var/zester', random, former });
  return { files, secret };
}

describe('undoSecret', () => {
  it('is made once and then stays', async () => {
    const { files, secret } = await world();
    const [one, two] = await Promise.all([secret(), secret()]);
    expect(one).toHaveLength(32);
    expect(two).toEqual(one);
    expect(await secret()).toEqual(one);
    expect(await files.list('/var/zester')).toEqual(['undo.key']);
    expect((await files.lstat(undoKeyPath('/var/zester')))?.mode).toBe(0o600);
  });

  it('of a journal that is older than the file is the former one, and stays whatever the seed becomes', async () => {
    const seed = Buffer.alloc(32, 7);
    const fresh = await world();
    expect(await fresh.secret(seed)).not.toEqual(seed);
    const older = await world();
    await older.files.makeDirectory('/var/zester/undo', { mode: 0o700 });
    expect(await older.secret(seed)).toEqual(seed);
    expect(await older.secret(Buffer.alloc(32, 8))).toEqual(seed);
  });

  it('is refused when others can read it, or when it is something else', async () => {
    const { files, secret } = await world();
    await secret();
    await files.chmod('/var/zester/undo.key', 0o640);
    await expect(secret()).rejects.toMatchObject({ code: 'TRUST_FILE_EXPOSED' });
    await files.writeAtomic('/var/zester/undo.key', Buffer.from('short'), { mode: 0o600 });
    await expect(secret()).rejects.toMatchObject({ code: 'TRUST_FILE_INVALID' });
  });
});
