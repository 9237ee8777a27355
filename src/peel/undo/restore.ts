/**
 * Puts one path back. A step that was done already, or by half, can be done again. Files come back whole, by one
 * rename; a directory is removed only when it is empty, by the kernel's own word.
 */

import { inDirectory } from '../../system/file-path.ts';
import { type FileStep, performFileStep } from '../../system/file-steps.ts';
import { type Files, TEMPORARY_NAME } from '../../system/files.ts';
import { describeImage, fits, octal, type PathImage } from './image.ts';
import type { Restore } from './judge-undo.ts';

/** A file step, or the removal of a directory that must be empty. */
export type RestoreStep = FileStep | { readonly kind: 'remove-empty'; readonly path: string };

/** `bytes`: the old content, where the restore wants one. */
export function restoreSteps({ path, from, to }: Restore, bytes: Uint8Array | undefined): RestoreStep[] {
  if (from.is !== 'absent' && from.is !== to.is)
    return [
      { kind: from.is === 'directory' ? 'remove-empty' : 'remove', path },
      ...restoreSteps({ path, from: { is: 'absent' }, to }, bytes),
    ];
  switch (to.is) {
    case 'absent':
      return [];
    case 'file':
      if (bytes === undefined) return attributeSteps(path, from, to);
      return [{ kind: 'write', path, bytes, mode: to.mode, owner: ownerOf(to) }];
    case 'directory':
      if (from.is === 'directory') return attributeSteps(path, from, to);
      return [{ kind: 'make-directory', path, mode: to.mode, owner: ownerOf(to) }];
    case 'link':
      return [
        { kind: 'link', path, target: to.target },
        { kind: 'chown', path, owner: ownerOf(to) },
      ];
    case 'other':
      return attributeSteps(path, from, to);
  }
}

export function wantedContent({ from, to }: Restore): string | undefined {
  if (to.is !== 'file' || to.content === undefined) return undefined;
  const same = from.is === 'file' && from.content?.name === to.content.name;
  return same ? undefined : to.content.name;
}

export async function performRestoreStep(files: Files, step: RestoreStep, nowMs: number): Promise<void> {
  if (step.kind === 'remove-empty') await removeEmpty(files, step.path);
  else await performFileStep(files, step, nowMs);
}

/** What a kill in mid-write left in a directory that we made is ours too. */
async function removeEmpty(files: Files, path: string): Promise<void> {
  const names = (await files.list(path)) ?? [];
  for (const name of names.filter((each) => TEMPORARY_NAME.test(each)))
    await files.removeFile(inDirectory(path, name));
  await files.removeDirectory(path);
}

/** As a dry run plans it: there nobody can put anything into a directory in between. */
export function asFileStep(step: RestoreStep): FileStep {
  return step.kind === 'remove-empty' ? { kind: 'remove', path: step.path } : step;
}

export function describeRestore(restore: Restore): string {
  const { path, from, to } = restore;
  if (to.is === 'absent') return `${path}: removed`;
  if (from.is !== to.is) return `${path}: ${describeImage(to)} again`;
  if (to.is === 'link') return `${path}: points to ${to.target} again`;
  return [
    ...(wantedContent(restore) === undefined ? [] : [`${path}: content restored`]),
    ...(attributesOf(from).mode === to.mode ? [] : [`${path}: mode ${octal(to.mode)} again`]),
    ...(sameOwner(from, to) ? [] : [`${path}: owner ${to.uid}:${to.gid} again`]),
  ].join('\n');
}

function attributeSteps(
  path: string,
  from: PathImage,
  to: PathImage & { readonly mode: number },
): FileStep[] {
  if (fits(from, to)) return [];
  return [
    ...(sameOwner(from, to) ? [] : [{ kind: 'chown' as const, path, owner: ownerOf(to) }]),
    { kind: 'chmod', path, mode: to.mode },
  ];
}

interface Attributes {
  readonly mode?: number | undefined;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

function attributesOf(image: PathImage): Attributes {
  return image.is === 'absent' ? {} : image;
}

function sameOwner(from: PathImage, to: PathImage): boolean {
  const [a, b] = [attributesOf(from), attributesOf(to)];
  return a.uid === b.uid && a.gid === b.gid;
}

function ownerOf(image: PathImage): { uid?: number; gid?: number } {
  const { uid, gid } = attributesOf(image);
  return { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) };
}
