/** Captures what a step is about to change, path by path, with the old contents that a revert will need. */
import { isZesterError } from '../../core/errors/zester-error.ts';
import { checkedPath, inDirectory, parentOf } from '../../system/file-path.ts';
import type { FileStep } from '../../system/file-steps.ts';
import type { ReadFiles } from '../../system/files.ts';
import { fits, imageAfter, NOTHING_THERE, type PathChange } from './image.ts';
import { imageFrom, imageOf, type Lens } from './look-at.ts';

export interface Captured {
  /** In the order in which they can be made: what a directory holds is removed before it. */
  readonly changes: readonly PathChange[];
  /** Old contents by name. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export interface CaptureOptions {
  readonly files: ReadFiles;
  nameOf(bytes: Uint8Array): string;
  readonly oldFileBytesMax: number;
  /** What is left for this state. */
  readonly changesMax: number;
  readonly bytesMax: number;
}

const NO_CHANGE: Captured = { changes: [], contents: new Map() };

/** Undefined when it is more than the limits allow. */
export async function capture(step: FileStep, options: CaptureOptions): Promise<Captured | undefined> {
  const contents = new Map<string, Uint8Array>();
  let bytesHeld = 0;
  const lens: Lens = {
    files: options.files,
    nameOf: options.nameOf,
    bytesMax: options.oldFileBytesMax,
    onContent: (name, bytes) => {
      if (!contents.has(name)) bytesHeld += bytes.length;
      contents.set(name, bytes);
    },
  };
  const over = () => bytesHeld > options.bytesMax;

  const path = await pathWithoutLinks(options.files, step.path);
  // No such directory: the step will fail, and changes nothing.
  if (path === undefined) return NO_CHANGE;
  const before = await imageOf(lens, path, step.kind === 'write' || step.kind === 'remove');
  const after = imageAfter(step, before, options.nameOf);
  if (fits(before, after)) return NO_CHANGE;
  const changes: PathChange[] = [{ path, before, after }];
  if (step.kind === 'remove' && before.is === 'directory') {
    const held = await walkUpTo(options, path);
    if (held === undefined) return undefined;
    for (const { path: inside, stat } of held) {
      const at = inDirectory(path, inside);
      changes.push({ path: at, before: await imageFrom(lens, at, stat, true), after: NOTHING_THERE });
      if (over()) return undefined;
    }
    changes.reverse();
  }
  return over() || changes.length > options.changesMax ? undefined : { changes, contents };
}

/** One spelling for one path: steps on it, and on what holds it, are brought together by it. */
async function pathWithoutLinks(files: ReadFiles, path: string): Promise<string | undefined> {
  const checked = checkedPath(path);
  if (checked === '/') return checked;
  const directory = await realDirectory(files, parentOf(checked));
  return directory && inDirectory(directory, checked.slice(checked.lastIndexOf('/') + 1));
}

async function realDirectory(files: ReadFiles, path: string): Promise<string | undefined> {
  if (!/\/\.\.?$/.test(path)) return files.realPath(path);
  const directory = await realDirectory(files, parentOf(path));
  return path.endsWith('/..') ? directory && parentOf(directory) : directory;
}

async function walkUpTo({ files, changesMax }: CaptureOptions, path: string) {
  try {
    return (await files.walk(path, { entriesMax: changesMax })) ?? [];
  } catch (error) {
    if (isZesterError(error, 'FILE_TREE_TOO_LARGE')) return undefined;
    throw error;
  }
}
