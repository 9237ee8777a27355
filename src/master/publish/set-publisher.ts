/**
 * A set publisher keeps one source directory and one published set in step. A turn looks at both, asks
 * core/files/source-standing.ts which tree is right, and does what follows: publishes, updates the directory, or says why not.
 *
 * Who writes: to the store the holder of the publisher lease. The lease is advisory; what is published is replaced only where
 * it is still the tree that was looked at (`over`), so a master that slept replaces nothing. To the directory every master,
 * its own, and only files that are as some published tree had them. To the note this master alone.
 *
 * Dying after any write is as good as dying before it or after the whole turn: what is about to be done is noted first, an
 * interrupted publish is finished by whoever publishes next (published-set.ts), an interrupted update by the next turn.
 * Twice: a turn that finds everything done writes nothing. One turn at a time: the caller's care (set-loop.ts).
 *
 * A tree that cannot be read or published changes nothing: not what is published, not the directory, not the note.
 */

import { isTransient } from '../../bus/failed-call.ts';
import type { PublishOutcome } from '../../bus/file-set/file-set.ts';
import { never } from '../../core/assert.ts';
import { explainError, isZesterError } from '../../core/errors/zester-error.ts';
import { compareTrees, type TreeDifference, type TreeFile } from '../../core/files/file-tree.ts';
import type { PublishedState } from '../../core/files/published-sight.ts';
import { type SetStateWord, standingNote } from '../../core/files/set-state.ts';
import {
  knownVersions,
  type PublishedSight,
  type SourceStanding,
  sourceStanding,
  type TreeSight,
} from '../../core/files/source-standing.ts';
import { printProblems, type StateProblem } from '../../core/states/state-problem.ts';
import { updateDirectory } from '../../mirror/update-directory.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Files } from '../../system/files.ts';
import type { FileSetSpec } from '../../wire/records/file-set.ts';
import type { PublishedSet, PublishedView } from './published-set.ts';
import { NO_NOTE, type SourceNote, type SourceNotes } from './source-note.ts';
import { isUnpublishedName, type LocalTree, sourceTree } from './source-tree.ts';

export interface SetPublisherParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly files: Files;
  readonly spec: Pick<FileSetSpec, 'name' | 'blobs'>;
  readonly digest: (content: Uint8Array) => string;
  readonly set: PublishedSet;
  /** Undefined: this master has none for the set. */
  readonly directory: string | undefined;
  readonly notes: SourceNotes;
  /** Of files that an update adds to the directory. */
  readonly fileMode: number;
  readonly isPublisher: () => boolean;
  /** What stands in the way of publishing a tree. */
  readonly examine: (tree: LocalTree) => Promise<readonly StateProblem[]>;
}

/** What readers get. */
export type WholeSet = Extract<PublishedState, { readonly is: 'whole' }>;

export interface SetTurn {
  readonly state: SetStateWord;
  /** For people; may have several lines. */
  readonly note: string;
  /** Files that were written or removed, in the store or in the directory. */
  readonly changed: number;
  readonly published: WholeSet | undefined;
  readonly local: LocalTree | undefined;
  /** Something moved meanwhile: look again soon. */
  readonly isMoving: boolean;
}

export interface TurnOptions {
  /** Take no content of the directory for known. */
  readonly again: boolean;
  /** Write everything, and take this tree where nobody can tell which is right. For the publisher. */
  readonly force: boolean;
}

/** From what is published to what the directory has. */
export interface SetComparison {
  readonly difference: TreeDifference;
  /** The published one; 0 when nothing is. */
  readonly revision: number;
  /** Why it could not be told; empty when it could. */
  readonly note: string;
}

export interface SetPublisher {
  /** Throws where the store fails for the moment, and where the disk fails; then nothing is known of the last write. */
  turn(options: TurnOptions): Promise<SetTurn>;
  /** Writes nothing. */
  compare(): Promise<SetComparison>;
  /** How long readers of what is published spread their fetching. */
  writeSpread(ms: number): Promise<void>;
}

/** What a turn has looked at. */
interface View extends PublishedView {
  readonly note: SourceNote;
  readonly local: LocalTree;
}

export function setPublisher(parts: SetPublisherParts): SetPublisher {
  const { clock, log, files, spec, digest, set, directory, notes, isPublisher } = parts;
  const source = directory === undefined ? undefined : sourceTree({ files, clock, spec, digest }, directory);
  /** What is published, and since when this master knows it. */
  let known: { readonly revision: number; readonly writtenMs: number; readonly sinceMs: number } | undefined;

  async function turn(options: TurnOptions): Promise<SetTurn> {
    const note = source === undefined ? NO_NOTE : await notes.read();
    const now = await set.look(note.base);
    if (source === undefined) return ended(now, { state: 'absent', note: NO_DIRECTORY });
    let local: LocalTree | undefined;
    try {
      local = await source.look(options);
    } catch (error) {
      return refused(now, error);
    }
    if (local === undefined) {
      const isGone = note.base !== undefined || note.publishing.length > 0 || note.updating.length > 0;
      return ended(
        now,
        isGone
          ? { state: 'failed', note: goneText(directory) }
          : { state: 'absent', note: `there is no directory ${directory}` },
      );
    }
    const view = { ...now, note, local };
    if (now.state.is === 'unfinished')
      return ended(view, { state: 'waiting', note: 'a publish is under way' });
    return follow(view, standingOf(view, options.force), options);
  }

  function standingOf({ state, note, local }: View, force: boolean): SourceStanding {
    const without = state.is === 'nothing' ? 'nothing' : 'unreadable';
    const published = 'sight' in state ? state.sight : without;
    const publishedForMs = 'sight' in state ? knownForMs(state.sight) : 0;
    return sourceStanding({
      local,
      published,
      ...note,
      publishedForMs,
      isPublisher: isPublisher(),
      force,
    });
  }

  function knownForMs({ revision, writtenMs }: PublishedSight): number {
    const nowMs = clock.monotonicMs();
    const isSame = known?.revision === revision && known.writtenMs === writtenMs;
    if (known === undefined || !isSame) known = { revision, writtenMs, sinceMs: nowMs };
    return nowMs - known.sinceMs;
  }

  async function follow(view: View, standing: SourceStanding, { force }: TurnOptions): Promise<SetTurn> {
    switch (standing.is) {
      case 'wait':
      case 'conflict':
        return ended(view, {
          state: wordOf(standing),
          note: standingNote(standing, sightOf(view)),
          isMoving: standing.why === 'just published',
        });
      case 'update directory':
        return update(view);
      case 'in step':
        return isPublisher() ? publish(view, force) : inStep(view);
      case 'publish':
        return publish(view, force);
      default:
        return never(standing);
    }
  }

  async function inStep(view: View): Promise<SetTurn> {
    if ('sight' in view.state) await notes.write({ ...NO_NOTE, base: view.state.sight });
    return ended(view, { state: 'unchanged' });
  }

  /** Of a tree that is published already too: then what somebody else did to the store is put right. */
  async function publish(view: View, force: boolean): Promise<SetTurn> {
    const { local, note, over } = view;
    let outcome: PublishOutcome;
    try {
      if (local.digest !== over) {
        const problems = await parts.examine(local);
        if (problems.length > 0) return ended(view, { state: 'broken', note: printProblems(problems) });
        // Of those before nobody knows whether they got there: one may come true late.
        const others = note.publishing.filter((each) => each !== local.digest);
        await notes.write({ ...note, publishing: [...others, local.digest] });
      }
      if (!isPublisher()) return ended(view, { state: 'waiting', note: LOST, isMoving: true });
      outcome = await set.publish(local.sources, { force, over });
    } catch (error) {
      return refused(view, error);
    }
    if (outcome.is === 'beaten') return ended(view, { state: 'waiting', note: BEATEN, isMoving: true });
    if (outcome.is === 'unchanged' && view.state.is === 'whole') return inStep(view);
    return published(view, outcome);
  }

  async function published(view: View, outcome: PublishOutcome): Promise<SetTurn> {
    const now = await set.look(view.note.base);
    const isOurs = now.state.is === 'whole' && now.state.sight.digest === view.local.digest;
    if (!isOurs) return ended({ ...view, ...now }, { state: 'waiting', note: BEATEN, isMoving: true });
    await inStep({ ...view, ...now });
    const changed = outcome.is === 'published' ? outcome.written + outcome.removed : 0;
    log.info('files published', { set: spec.name, ...outcome, files: view.local.sources.length });
    return ended({ ...view, ...now }, { state: 'published', changed });
  }

  async function update(view: View): Promise<SetTurn> {
    const { state, note, local } = view;
    if (state.is !== 'whole') return ended(view, { state: 'conflict', note: UNFETCHABLE });
    const trees = [note.base?.files ?? NO_FILES, ...note.updating, state.sight.files];
    const isKnown = knownVersions(trees);
    try {
      const { written, removed } = await updateDirectory(files, {
        directory: local.directory,
        wanted: state.files,
        content: (file) => set.fetch(file),
        digest,
        ignores: () => false,
        skip: isUnpublishedName,
        mayReplace: isKnown,
        mode: parts.fileMode,
        beforeChanges: () => notes.write({ ...note, updating: [...note.updating, state.sight.files] }),
      });
      await notes.write({ ...NO_NOTE, base: state.sight });
      const { revision } = state.sight;
      log.info('source directory updated', { set: spec.name, directory, revision, written, removed });
      return ended(view, { state: 'updated', changed: written + removed });
    } catch (error) {
      return refused(view, error);
    }
  }

  /** A tree that cannot be what was asked for is a finding. What may pass, and a bug, goes to the caller. */
  function refused(view: PublishedView & Partial<View>, error: unknown): SetTurn {
    if (!isZesterError(error) || isTransient(error)) throw error;
    const isMoving = MOVED.some((code) => error.code === code);
    return ended(view, { state: isMoving ? 'waiting' : 'broken', note: explainError(error), isMoving });
  }

  function sightOf({ state, local }: View) {
    const there = 'sight' in state ? listOf(state.sight) : [];
    return {
      difference: compareTrees(there, listOf(local)),
      problem: 'problem' in state ? state.problem : '',
      notePath: notes.path,
    };
  }

  async function compare(): Promise<SetComparison> {
    const { state } = await set.peek();
    const revision = state.is === 'whole' ? state.sight.revision : 0;
    const untold = (note: string): SetComparison => ({ difference: NO_DIFFERENCE, revision, note });
    if (source === undefined) return untold(NO_DIRECTORY);
    try {
      const local = await source.look({ again: false });
      if (local === undefined) return untold(`there is no directory ${directory}`);
      const files = 'files' in state ? state.files : [];
      return {
        difference: compareTrees(files, listOf(local)),
        revision,
        note: 'problem' in state ? state.problem : '',
      };
    } catch (error) {
      if (!isZesterError(error)) throw error;
      return untold(explainError(error));
    }
  }

  return { turn, compare, writeSpread: set.writeSpread };
}

const NO_FILES: ReadonlyMap<string, string> = new Map();
const MOVED = ['FILES_SOURCE_CHANGED', 'DIRECTORY_CHANGED'] as const;
const NO_DIFFERENCE: TreeDifference = { added: [], changed: [], removed: [] };
const NO_DIRECTORY = 'this master has no directory for it';
const LOST = 'this master has just lost the lease of the publisher';
const BEATEN = 'another master published meanwhile';
const UNFETCHABLE =
  'this directory was being updated when its master died, and what is published is damaged\nnext: put the directory in order and run `zester files publish --force`';

function goneText(directory: string | undefined): string {
  return `the directory ${directory} is gone; what is published stays\nnext: put it back, with its files: a file system that is not mounted, perhaps`;
}

function ended(
  { state, local }: PublishedView & Partial<View>,
  turn: Pick<SetTurn, 'state'> & Partial<SetTurn>,
): SetTurn {
  const published = state.is === 'whole' ? state : undefined;
  return { note: '', changed: 0, isMoving: false, published, local, ...turn };
}

function wordOf(standing: Extract<SourceStanding, { is: 'wait' | 'conflict' }>): SetStateWord {
  if (standing.is === 'conflict') return 'conflict';
  return standing.why === 'not the publisher' || standing.why === 'just published' ? 'waiting' : 'empty';
}

function listOf({ files }: TreeSight): TreeFile[] {
  return [...files].map(([path, sha256]) => ({ path, sha256 }));
}
