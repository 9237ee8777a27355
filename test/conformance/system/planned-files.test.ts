/**
 * Planned steps against performed ones, on both adapters: for any tree and any steps, a plan shows what performing
 * then leaves, and fails where performing fails, with the same error. Planning changes nothing.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../../../src/core/errors/zester-error.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import { errnoOf } from '../../../src/system/errno.ts';
import { type FileStep, performFileStep } from '../../../src/system/file-steps.ts';
import type { FileStat, ReadFiles } from '../../../src/system/files.ts';
import { plannedFiles } from '../../../src/system/planned-files.ts';
import { linuxWorld } from './linux-world.ts';
import { memoryWorld } from './memory-world.ts';
import type { WorldMaker } from './world.ts';

/** Three levels of two names, and a pipe. */
const NAMES = ['a', 'b'];
const PATHS = [
  ...NAMES,
  ...NAMES.flatMap((one) => NAMES.map((two) => `${one}/${two}`)),
  ...NAMES.flatMap((one) => NAMES.flatMap((two) => NAMES.map((three) => `${one}/${two}/${three}`))),
  'pipe',
  'a/../b/a',
];
const IDS = process.getuid?.() === 0 ? [0, 7, 65_534] : [process.getuid?.() ?? 0];
const GROUPS = process.getuid?.() === 0 ? [0, 7, 65_534] : [process.getgid?.() ?? 0];

const path = fc.constantFrom(...PATHS);
const mode = fc.constantFrom(0o644, 0o755, 0o4755, 0o2755, 0o6744, 0o700);
const owner = fc.record(
  { uid: fc.constantFrom(...IDS), gid: fc.constantFrom(...GROUPS) },
  { requiredKeys: [] },
);
const target = fc.constantFrom('a', 'b', '../b', 'a/b', 'nowhere', '.', '..', '/a', '/b/a', 'self');
const content = fc.string({ maxLength: 5 }).map((text) => new Uint8Array(Buffer.from(text)));

const anyStep: fc.Arbitrary<FileStep> = fc.oneof(
  fc
    .record(
      { kind: fc.constant('write' as const), path, bytes: content, mode, owner },
      { requiredKeys: ['kind', 'path', 'bytes'] },
    )
    .map((step) => step as FileStep),
  {
    weight: 3,
    arbitrary: fc
      .record(
        { kind: fc.constant('make-directory' as const), path, mode, owner },
        { requiredKeys: ['kind', 'path', 'mode'] },
      )
      .map((step) => step as FileStep),
  },
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('link' as const), path, target }),
  fc.record({ kind: fc.constant('chmod' as const), path, mode }),
  fc.record({ kind: fc.constant('chown' as const), path, owner }),
  fc.record({ kind: fc.constant('touch' as const), path }),
);

/** Something to begin with, so that random steps meet more than nothing. */
const FURNITURE: readonly FileStep[] = [
  { kind: 'make-directory', path: 'a', mode: 0o755 },
  { kind: 'write', path: 'a/a', bytes: Buffer.from('1'), mode: 0o6755 },
  { kind: 'make-directory', path: 'a/b', mode: 0o2755, owner: { gid: GROUPS.at(-1) ?? 0 } },
  { kind: 'write', path: 'a/b/a', bytes: Buffer.from('2'), mode: 0o4644 },
  { kind: 'link', path: 'b', target: 'a/b' },
];

/** The same step inside `directory`, absolute targets too. */
function inside(directory: string, step: FileStep): FileStep {
  const at = `${directory}/${step.path}`;
  if (step.kind !== 'link') return { ...step, path: at };
  return { ...step, path: at, target: step.target.startsWith('/') ? directory + step.target : step.target };
}

/** What an operation answers, or the error it ends with. */
async function told(operation: Promise<unknown>): Promise<unknown> {
  try {
    return await operation;
  } catch (error) {
    if (!isZesterError(error)) throw error;
    return `${error.code} ${errnoOf(error) ?? ''} ${String(error.params.path)}`;
  }
}

/** Without what no plan can know: inodes, times, and what a directory takes on disk. */
function shown(stat: FileStat | undefined): unknown {
  if (stat === undefined) return undefined;
  const { kind, size, mode, uid, gid } = stat;
  return { kind, mode, uid, gid, ...(kind === 'directory' ? {} : { size }) };
}

async function everything(files: ReadFiles, directory: string): Promise<unknown> {
  const walked = (at: string) =>
    files.walk(at).then((all) => all?.map((entry) => [entry.path, shown(entry.stat)]));
  const rows = PATHS.map((each) => `${directory}/${each}`).map(async (at) => ({
    at,
    read: await told(files.read(at).then((bytes) => bytes && Buffer.from(bytes).toString('hex'))),
    stat: await told(files.stat(at).then(shown)),
    lstat: await told(files.lstat(at).then(shown)),
    list: await told(files.list(at)),
    walk: await told(walked(at)),
    readLink: await told(files.readLink(at)),
    realPath: await told(files.realPath(at)),
  }));
  return { tree: await told(walked(directory)), rows: await Promise.all(rows) };
}

async function comparePlanWithPerform(
  makeWorld: WorldMaker,
  before: readonly FileStep[],
  steps: readonly FileStep[],
): Promise<void> {
  const world = await makeWorld();
  try {
    const { files } = world.system;
    const { directory } = world;
    const perform = (step: FileStep) => told(performFileStep(files, inside(directory, step), 1_000));
    world.makePipe(`${directory}/pipe`);
    for (const step of [...FURNITURE, ...before]) await perform(step);

    const original = await everything(files, directory);
    const as = world.root
      ? { uid: 0, gid: 0 }
      : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const planned = plannedFiles({ base: files, clock: virtualClock(), as });
    expect(await everything(planned, directory)).toEqual(original);
    const outcomes: unknown[] = [];
    const views: unknown[] = [];
    for (const step of steps) {
      outcomes.push(await told(planned.plan([inside(directory, step)])));
      views.push(await everything(planned, directory));
    }
    expect(await everything(files, directory)).toEqual(original);
    for (const [index, step] of steps.entries()) {
      expect(await perform(step), JSON.stringify(step)).toEqual(outcomes[index]);
      expect(await everything(files, directory), JSON.stringify(step)).toEqual(views[index]);
    }
  } finally {
    await world.close();
  }
}

describe.each([
  { name: 'memory', makeWorld: memoryWorld, numRuns: 150 },
  { name: 'linux', makeWorld: linuxWorld, numRuns: 20 },
])('planned files over $name', ({ makeWorld, numRuns }) => {
  it('show what performing leaves and fail as performing fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 4 }),
        fc.array(anyStep, { minLength: 1, maxLength: 10 }),
        (before, steps) => comparePlanWithPerform(makeWorld, before, steps),
      ),
      { numRuns },
    );
  }, 120_000);
});
