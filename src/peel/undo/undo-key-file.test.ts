import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import { undoKeyPath, undoSecret } from './undo-key-file.ts';

async function world() {
  const random = seededRandom(1);
  const { files } = memorySystem({ clock: virtualClock(), random });
  await files.makeDirectory('/var/zester', { mode: 0o700 });
  return { files, secret: () => undoSecret(files, '/var/zester', random) };
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

  it('is refused when others can read it, or when it is something else', async () => {
    const { files, secret } = await world();
    await secret();
    await files.chmod('/var/zester/undo.key', 0o640);
    await expect(secret()).rejects.toMatchObject({ code: 'TRUST_FILE_EXPOSED' });
    await files.writeAtomic('/var/zester/undo.key', Buffer.from('short'), { mode: 0o600 });
    await expect(secret()).rejects.toMatchObject({ code: 'TRUST_FILE_INVALID' });
  });
});
