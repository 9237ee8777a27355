/**
 * Undoes what one state did in one run: looks, judges, fetches every old content it will need, and only then changes
 * anything. If the peel dies in the middle, it is run again: what is restored already is found to be as it was.
 */
import { isZesterError } from '../../core/errors/zester-error.ts';
import { errnoOf } from '../../system/errno.ts';
import { parentOf } from '../../system/file-path.ts';
import { type Files, type ReadFiles, TEMPORARY_NAME } from '../../system/files.ts';
import type { PlannedFiles } from '../../system/planned-files.ts';
import { NOTHING_THERE, type PathChange } from './image.ts';
import { judgeUndo, type Restore, type Seen } from './judge-undo.ts';
import { imageOf } from './look-at.ts';
import { asFileStep, describeRestore, performRestoreStep, restoreSteps, wantedContent } from './restore.ts';

export interface UndoTools {
  nameOf(bytes: Uint8Array): string;
  /** An old content; undefined when it is lost. */
  content(name: string): Promise<Uint8Array | undefined>;
  readonly nowMs: number;
  /** Where to look, and where to make the changes: the machine, or a view that a dry run plans on. */
  readonly ground: { readonly files: Files } | { readonly view: PlannedFiles };
}

export interface Undone {
  /** What was put back, one line each. */
  readonly lines: readonly string[];
  readonly kept: readonly string[];
  readonly error: string | undefined;
}

export async function undoChanges(changes: readonly PathChange[], parts: UndoTools): Promise<Undone> {
  const lines: string[] = [];
  try {
    const { ground } = parts;
    const files = 'view' in ground ? ground.view : ground.files;
    const verdict = judgeUndo(changes, await lookAtAll(changes, parts, files));
    if (verdict.conflicts.length > 0) return { lines, kept: [], error: verdict.conflicts.join('\n') };
    const contents = await fetchContents(verdict.restores, parts);
    if ('lost' in contents) return { lines, kept: [], error: contents.lost };
    const kept = [...verdict.kept];
    for (const restore of verdict.restores) {
      const bytes = contents.byName.get(wantedContent(restore) ?? '');
      const why = await putBack(restore, bytes, parts);
      if (why === undefined) lines.push(describeRestore(restore));
      else kept.push(why);
    }
    return { lines, kept, error: undefined };
  } catch (error) {
    // What the machine refuses is an answer for the person who asked; whatever else goes wrong is a bug.
    if (!isZesterError(error)) throw error;
    return { lines, kept: [], error: error.message };
  }
}

/** Why it could not be done although it seemed so: somebody has put something into a directory just now. */
async function putBack(
  restore: Restore,
  bytes: Uint8Array | undefined,
  { ground, nowMs }: UndoTools,
): Promise<string | undefined> {
  const steps = restoreSteps(restore, bytes);
  if ('view' in ground) {
    await ground.view.plan(steps.map(asFileStep));
    return undefined;
  }
  for (const step of steps)
    try {
      await performRestoreStep(ground.files, step, nowMs);
    } catch (error) {
      if (step.kind === 'remove-empty' && errnoOf(error) === 'ENOTEMPTY') return `${step.path}: is not empty`;
      throw error;
    }
  return undefined;
}

async function fetchContents(
  restores: readonly Restore[],
  { content }: UndoTools,
): Promise<{ readonly byName: ReadonlyMap<string, Uint8Array> } | { readonly lost: string }> {
  const byName = new Map<string, Uint8Array>();
  for (const restore of restores) {
    const name = wantedContent(restore);
    if (name === undefined || byName.has(name)) continue;
    const bytes = await content(name);
    if (bytes === undefined)
      return { lost: `${restore.path}: not revertible, its old content is no longer in the undo journal` };
    byName.set(name, bytes);
  }
  return { byName };
}

async function lookAtAll(
  changes: readonly PathChange[],
  { nameOf }: UndoTools,
  files: ReadFiles,
): Promise<Map<string, Seen>> {
  const byPath = new Map<string, PathChange[]>();
  for (const change of changes) byPath.set(change.path, [...(byPath.get(change.path) ?? []), change]);
  const seen = new Map<string, Seen>();
  // A directory before what it holds.
  for (const [path, own] of [...byPath].sort(([a], [b]) => a.length - b.length)) {
    // Where the run left no directory, what lies behind a link of that name is not what the run changed.
    if (isBelowNone(path, seen)) seen.set(path, { image: NOTHING_THERE, names: [] });
    else seen.set(path, await lookAtOne(path, own, nameOf, files));
  }
  return seen;
}

async function lookAtOne(
  path: string,
  changes: readonly PathChange[],
  nameOf: UndoTools['nameOf'],
  files: ReadFiles,
): Promise<Seen> {
  const images = changes.flatMap(({ before, after }) => [before, after]);
  const sizes = images.flatMap((image) => (image.is === 'file' ? (image.content?.bytes ?? []) : []));
  const lens = { files, nameOf, bytesMax: Math.max(0, ...sizes) };
  const image = await imageOf(lens, path, sizes.length > 0);
  const comesOrGoes = images.some(({ is }) => is === 'absent');
  const names = image.is === 'directory' && comesOrGoes ? ((await files.list(path)) ?? []) : [];
  return { image, names: names.filter((name) => !TEMPORARY_NAME.test(name)) };
}

function isBelowNone(path: string, seen: ReadonlyMap<string, Seen>): boolean {
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) {
    const above = seen.get(at);
    if (above !== undefined) return above.image.is !== 'directory';
  }
  return false;
}
