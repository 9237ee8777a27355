/**
 * `mirrorDifference` tells what differs between a published set and a mirror of it: it reads the head, and every file that is
 * on this disk. It changes nothing, and what it finds heals by itself with the next revision, when the mirror checks the
 * hash of each file that it takes over.
 */
import { readFileSetHead } from '../bus/file-set/read-file-set.ts';
import type { AgentBus } from '../bus/port.ts';
import { compareTrees, shownDifference } from '../core/files/file-tree.ts';
import type { ReadFiles } from '../system/files.ts';
import type { FileSetSpec } from '../wire/records/file-set.ts';
import type { FilesDifference } from '../wire/records/fileserver.ts';
import { filesIn } from './intact-tree.ts';
import type { PinnedTree } from './tree-store.ts';

export interface DifferenceParts {
  readonly bus: AgentBus;
  readonly files: ReadFiles;
  readonly spec: FileSetSpec;
  /** Where the mirror is. */
  readonly cache: string;
  /** What it has; undefined: nothing. */
  readonly pinned: PinnedTree | undefined;
}

/** Throws where the bus or the disk does. */
export async function mirrorDifference(parts: DifferenceParts): Promise<FilesDifference> {
  const { bus, files, spec, cache, pinned } = parts;
  const head = await readFileSetHead(bus, spec);
  const here = pinned === undefined ? [] : await filesIn(files, pinned.directory);
  const published = head.is === 'whole' ? head.files : [];
  return shownDifference(compareTrees(published, here), {
    set: spec.name,
    directory: pinned === undefined ? '' : cache,
    revision: head.is === 'whole' ? head.revision : 0,
    mirrored: pinned?.revision ?? 0,
    note: noteOf(head.is === 'torn' ? head.problem : '', head.is === 'empty'),
  });
}

function noteOf(problem: string, isEmpty: boolean): string {
  if (isEmpty) return 'nothing is published';
  return problem === '' ? '' : `what is published is incomplete: ${problem}`;
}
