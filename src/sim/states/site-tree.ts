/**
 * A site tree is what is on a simulated machine where its states work, in a form that can be compared: one text for
 * each path.
 */
import type { Looked } from '../../system/memory/memory-machine.ts';

/** `absent`, `directory 755`, `link /there`, `file 644 content`. */
export type Image = string;
/** By path below the site; what is not there is absent. */
export type SiteTree = ReadonlyMap<string, Image>;

export const SITE = '/srv/site';
export const ABSENT: Image = 'absent';
/** A directory is made like this and gets its mode a moment later. */
export const UNFINISHED: Image = 'directory 700';

export function fileImage(mode: string, content: string): Image {
  return `file ${mode} ${content}`;
}

/** Of a file; undefined where there is none. */
export function readImage(image: Image): { readonly mode: string; readonly content: string } | undefined {
  const [, mode, content] = /^file (\d+) (.*)$/s.exec(image) ?? [];
  return mode === undefined || content === undefined ? undefined : { mode, content };
}

export function siteTree(looked: readonly Looked[]): SiteTree {
  return new Map(looked.map((each) => [each.path, imageOf(each)]));
}

function imageOf({ kind, mode, target, bytes }: Looked): Image {
  if (kind === 'symlink') return `link ${target}`;
  if (kind === 'directory') return `directory ${mode.toString(8)}`;
  return fileImage(mode.toString(8), Buffer.from(bytes).toString());
}
