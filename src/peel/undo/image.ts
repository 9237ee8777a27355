/**
 * An image is what is at a path, as the undo journal remembers and compares it. A facet that is not given is one that
 * the step does not touch or nobody knows beforehand (whom a new file belongs to): it is not compared and not restored.
 *
 * Not part of it: times, extended attributes, ACLs, other names of the same file.
 */
import type { FileStep } from '../../system/file-steps.ts';
import { NEW_FILE_MODE } from '../../system/file-steps.ts';
import { modeAfterChown } from '../../system/mode-rules.ts';

export type PathImage = AbsentImage | FileImage | DirectoryImage | LinkImage | OtherImage;

interface AbsentImage {
  readonly is: 'absent';
}

interface Attributes {
  readonly mode: number;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

interface FileImage extends Attributes {
  readonly is: 'file';
  readonly content?: Content | undefined;
}

interface DirectoryImage extends Attributes {
  readonly is: 'directory';
}

interface LinkImage {
  readonly is: 'link';
  readonly target: string;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** A device, pipe or socket: it can get its attributes back, but it cannot be made again. */
interface OtherImage extends Attributes {
  readonly is: 'other';
}

export interface Content {
  /** By the journal's key; undefined: too large to keep, or to read. */
  readonly name?: string | undefined;
  readonly bytes: number;
}

/** What a step does to one path. */
export interface PathChange {
  readonly path: string;
  readonly before: PathImage;
  readonly after: PathImage;
}

export const NOTHING_THERE: PathImage = { is: 'absent' };

/** What a step leaves where `before` was. */
export function imageAfter(
  step: FileStep,
  before: PathImage,
  nameOf: (bytes: Uint8Array) => string,
): PathImage {
  switch (step.kind) {
    case 'write': {
      const content = { name: nameOf(step.bytes), bytes: step.bytes.length };
      const old = before.is === 'file' ? before : undefined;
      const mode = step.mode ?? old?.mode ?? NEW_FILE_MODE;
      return {
        is: 'file',
        content,
        mode,
        uid: step.owner?.uid ?? old?.uid,
        gid: step.owner?.gid ?? old?.gid,
      };
    }
    case 'make-directory':
      return before.is === 'absent' ? { is: 'directory', mode: step.mode, ...step.owner } : before;
    case 'remove':
      return NOTHING_THERE;
    case 'link':
      return { is: 'link', target: step.target };
    case 'chmod':
      return before.is === 'absent' || before.is === 'link' ? before : { ...before, mode: step.mode };
    case 'chown': {
      if (before.is === 'absent') return before;
      const owner = { uid: step.owner.uid ?? before.uid, gid: step.owner.gid ?? before.gid };
      if (before.is === 'link') return { ...before, ...owner };
      return { ...before, ...owner, mode: modeAfterChown(before.is, before.mode) };
    }
    case 'touch':
      return before;
  }
}

/** Whether `now` is `wanted` in everything that `wanted` says. */
export function fits(now: PathImage, wanted: PathImage): boolean {
  if (now.is === 'absent' || wanted.is === 'absent') return now.is === wanted.is;
  if (!sameWhereKnown(now.uid, wanted.uid) || !sameWhereKnown(now.gid, wanted.gid)) return false;
  if (now.is === 'link' || wanted.is === 'link')
    return now.is === 'link' && wanted.is === 'link' && now.target === wanted.target;
  if (now.is !== wanted.is || now.mode !== wanted.mode) return false;
  if (now.is !== 'file' || wanted.is !== 'file' || wanted.content === undefined) return true;
  return sameContent(now.content, wanted.content);
}

/** What is too large to be named is like nothing else. */
export function sameContent(now: Content | undefined, wanted: Content): boolean {
  return now?.name !== undefined && now.name === wanted.name;
}

export function sameWhereKnown(now: number | undefined, wanted: number | undefined): boolean {
  return wanted === undefined || now === wanted;
}

export function describeImage(image: PathImage): string {
  return {
    absent: 'nothing',
    file: 'a file',
    directory: 'a directory',
    link: 'a link',
    other: 'a device or pipe',
  }[image.is];
}

export function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
