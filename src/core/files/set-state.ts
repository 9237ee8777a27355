/**
 * The state of a set is how it stands on one master, in one word and in a note for people: why nothing was done, and what
 * next. Status, readiness and doctor all show these. Pure.
 */
import { never } from '../assert.ts';
import { nameSome } from '../doctor/finding.ts';
import type { TreeDifference } from './file-tree.ts';
import type { SourceStanding } from './source-standing.ts';

export type SetStateWord =
  /** The directory is as published. */
  | 'unchanged'
  /** It was published just now. */
  | 'published'
  /** The directory was brought up to date just now. */
  | 'updated'
  /** Another master publishes. */
  | 'waiting'
  /** Nobody can tell which tree is right. */
  | 'conflict'
  /** The tree cannot be published as it is. */
  | 'broken'
  /** The directory has no files. */
  | 'empty'
  /** There is no directory for it on this master. */
  | 'absent'
  /** The store or the disk did not do what was asked. */
  | 'failed';

const TROUBLE: readonly string[] = ['conflict', 'broken', 'failed'] satisfies SetStateWord[];

/** States in which an edit does not get to the fleet until a person has done something. Another version may know others. */
export function isTroubleState(state: string): boolean {
  return TROUBLE.includes(state);
}

/** Whether the fleet gets something else than what the directory of the publisher has. */
export function isUnpublished({
  state,
  revision,
}: {
  readonly state: string;
  readonly revision: number;
}): boolean {
  const kept: SetStateWord = 'empty';
  const waits: SetStateWord = 'waiting';
  return isTroubleState(state) || state === waits || (state === kept && revision > 0);
}

export interface StandingSight {
  /** From what is published to what the directory has. */
  readonly difference: TreeDifference;
  /** Why what is published cannot be read; empty when it can. */
  readonly problem: string;
  /** Where this master remembers what the directory had in common with what is published. */
  readonly notePath: string;
}

/** For a standing of which nothing follows. */
export function standingNote(
  standing: Extract<SourceStanding, { readonly is: 'wait' | 'conflict' }>,
  { difference, problem, notePath }: StandingSight,
): string {
  const edits = differenceText(difference);
  switch (standing.why) {
    case 'not the publisher':
      return `not published yet: ${edits}. This master does not publish; it will when it takes over\nnext: edit the directory of the publisher instead (\`zester files status\` says where it is)`;
    case 'just published':
      return BEHIND_FOR_A_MOMENT;
    case 'nothing to publish':
      return 'the directory is empty, and nothing is published';
    case 'emptied':
      return `the directory is empty; what is published stays\nnext: put its files back; or remove ${notePath} and run \`zester files publish\` to have it filled with what is published`;
    case 'both changed':
      return `edited here, and something else was published since it was last in step: ${edits}. Nothing is published from here or overwritten\n${CHOICE}`;
    case 'no common past':
      return `as far as this master remembers, this directory has never been as published: ${edits}. Nothing is published from here or overwritten\n${CHOICE}`;
    case 'store began anew':
      return `what is published has a lower number than what this directory had, and was written later, so the store has begun anew: ${edits}\n${CHOICE}`;
    case 'half updated':
      return `this directory was being updated when its master died, and cannot be finished: it was edited, or the store lost what it was updated to\n${CHOICE}`;
    case 'unreadable':
      return `what is published cannot be read: ${problem}\nnext: \`zester files publish --force\` publishes the directory of the publisher in its place`;
    default:
      return never(standing);
  }
}

export const BEHIND_FOR_A_MOMENT =
  'something else was published just now; if nobody edits this directory, it is brought up to date in a moment';

const CHOICE =
  'next: make the directory as published to give up what differs here, or run `zester files publish --force` to publish the directory of the publisher';

/** `3 files differ: a, b, c`, with the first few names. */
export function differenceText({ added, changed, removed }: TreeDifference): string {
  const paths = [...added, ...changed, ...removed].sort();
  const count = paths.length === 1 ? '1 file differs' : `${paths.length} files differ`;
  return paths.length === 0 ? 'no file differs' : `${count}: ${nameSome(paths)}`;
}
