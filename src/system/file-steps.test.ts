import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../core/errors/zester-error.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { type FileStep, performFileStep } from './file-steps.ts';
import type { Files } from './files.ts';
import { memorySystem } from './memory/memory-machine.ts';

const path = fc.constantFrom('/srv/a', '/srv/b', '/srv/a/a', '/srv/b/a');
const mode = fc.constantFrom(0o644, 0o4755, 0o700);
const owner = fc.constantFrom({}, { uid: 3 }, { uid: 0, gid: 4 });
const step: fc.Arbitrary<FileStep> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, bytes: fc.constant(Buffer.from('x')), mode, owner }),
  fc.record({ kind: fc.constant('write' as const), path, bytes: fc.constant(Buffer.from('y')) }),
  fc.record({ kind: fc.constant('make-directory' as const), path, mode, owner }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('link' as const), path, target: fc.constantFrom('b', '/srv/a') }),
  fc.record({ kind: fc.constant('chmod' as const), path, mode }),
  fc.record({ kind: fc.constant('chown' as const), path, owner }),
  fc.record({ kind: fc.constant('touch' as const), path }),
);

async function freshFiles(): Promise<Files> {
  const { files } = memorySystem({ clock: virtualClock(), random: seededRandom(1) });
  await files.makeDirectory('/srv');
  return files;
}

/** The code of the error it ends with. */
async function perform(files: Files, one: FileStep): Promise<string> {
  return performFileStep(files, one, 1_000).then(
    () => 'done',
    (error) => (isZesterError(error) ? error.code : Promise.reject(error)),
  );
}

async function everything(files: Files): Promise<unknown> {
  const walked = (await files.walk('/srv')) ?? [];
  return Promise.all(
    walked.map(async ({ path: inside, stat: { kind, mode: bits, uid, gid } }) => {
      const at = `/srv/${inside}`;
      const content = kind === 'file' ? await files.read(at) : undefined;
      const target = kind === 'symlink' ? await files.readLink(at) : undefined;
      return { inside, kind, bits, uid, gid, content: Buffer.from(content ?? []).toString(), target };
    }),
  );
}

describe('performFileStep', () => {
  it('carried out twice leaves what it left the first time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), step, async (before, last) => {
        const files = await freshFiles();
        for (const each of before) await perform(files, each);
        const first = await perform(files, last);
        const left = await everything(files);
        const second = await perform(files, last);
        expect(second).toBe(first);
        expect(await everything(files)).toEqual(left);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the mode of a file it replaces, and gives a new one 0644', async () => {
    const files = await freshFiles();
    const bytes = Buffer.from('x');
    await performFileStep(files, { kind: 'write', path: '/srv/new', bytes }, 0);
    expect((await files.lstat('/srv/new'))?.mode).toBe(0o644);
    await files.chmod('/srv/new', 0o600);
    await performFileStep(files, { kind: 'write', path: '/srv/new', bytes, owner: { uid: 3 } }, 0);
    expect(await files.lstat('/srv/new')).toMatchObject({ mode: 0o600, uid: 3 });
  });
});
