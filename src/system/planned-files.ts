/**
 * `PlannedFiles` is the file system as it would be after steps that nobody carries out: what a dry run looks at, so
 * that a state sees what the states before it would have done. Writes nothing.
 *
 * A step is planned by the same code that would perform it, on a tree in memory over the real one. So it fails where
 * performing would fail, with the same error; only what the kernel alone knows (permission to write, space, a busy
 * mount) stays unknown until then. A directory of more than `LIST_ENTRIES_MAX` names cannot be planned away.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { Semaphore } from '../runtime/semaphore.ts';
import { type FileStep, performFileStep } from './file-steps.ts';
import type { FileOwner, ReadFiles } from './files.ts';
import { filesOn } from './files-on-calls.ts';
import { plannedFileCalls } from './planned-file-calls.ts';
import { PlannedTree } from './planned-tree.ts';

export interface PlannedFiles extends ReadFiles {
  /** Takes the steps as done, one after another, until one fails. Callers wait for one another. */
  plan(steps: readonly FileStep[]): Promise<void>;
}

export interface PlannedFilesParts {
  readonly base: ReadFiles;
  readonly clock: Clock;
  /** Whom new files would belong to. Default root. */
  readonly as?: Required<FileOwner>;
}

/** Planned content is held in memory. */
export const PLANNED_BYTES_MAX = 256 * 1024 * 1024;

const ROOT = { uid: 0, gid: 0 };

export function plannedFiles({ base, clock, as = ROOT }: PlannedFilesParts): PlannedFiles {
  const tree = new PlannedTree({ base, clock, as });
  const files = filesOn(plannedFileCalls(tree), countingUp());
  const oneAtATime = new Semaphore(1);

  async function planAll(steps: readonly FileStep[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === 'write' && tree.bytesHeld + step.bytes.length > PLANNED_BYTES_MAX)
        throw zesterError('FILE_PLAN_TOO_LARGE', { path: step.path, max: PLANNED_BYTES_MAX });
      await performFileStep(files, step, clock.nowMs());
    }
  }

  const { read, stat, lstat, list, walk, readLink, realPath } = files;
  return {
    ...{ read, stat, lstat, list, walk, readLink, realPath },
    plan: (steps) => oneAtATime.run(() => planAll(steps)),
  };
}

/** Random enough for temporary names that nothing else uses. */
function countingUp(): Random {
  let count = 0;
  return {
    bytes(length) {
      count += 1;
      const bytes = Buffer.alloc(length);
      bytes.writeUInt32BE(count, length - 4);
      return bytes;
    },
    fraction: () => 0,
  };
}
