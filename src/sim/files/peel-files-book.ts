/**
 * This is the simulator's record of the published files on one peel: what its mirror may be, and what each run of the
 * stamped states used. The mirror is looked at when the peel starts and dies and when a run begins and ends: it is a whole
 * tree that was published, or nothing. A run leaves the stamps of all it read, and its return names two revisions: the
 * stamps are those of these two trees and of no other.
 */
import type { Looked } from '../../system/memory/memory-machine.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { ExecResponse } from '../../wire/records/exec.ts';
import type { RunEnd } from '../states/judge-apply.ts';
import { isSameTree, mirroredTree } from './mirrored-tree.ts';
import type { PublishBook, PublishedTree, TreeIdentity } from './publish-book.ts';
import { resolves, stampedFiles } from './site-meaning.ts';
import { BAKED_SETTINGS, BAKED_STATES, type SettingsModel, type StatesModel } from './site-model.ts';
import { STAMP_REF, STAMPS } from './site-trees.ts';
import type { SourceName } from './source-disk.ts';

/** What is read of the books of both sets. */
export interface RevisionBooks {
  readonly states: RevisionBook<StatesModel>;
  readonly settings: RevisionBook<SettingsModel>;
}
type RevisionBook<Model> = Pick<PublishBook<Model>, 'revisions' | 'treesOf'>;

export interface PeelFilesBookParts {
  readonly peel: PeelId;
  readonly books: RevisionBooks;
  /** Where the peel mirrors each set. */
  readonly caches: Readonly<Record<SourceName, string>>;
  readonly look: (directory: string) => readonly Looked[];
  readonly nowMs: () => number;
  readonly broke: (rule: string, text: string) => void;
  /** The server has lost writes: numbers of revisions may mean two trees. */
  readonly hasForgotten: () => boolean;
}

/** What a run may have found. */
export interface SeenFiles {
  readonly jid: string;
  /** The state file that is asked for, where one is. */
  readonly ref: string | undefined;
  readonly isDry: boolean;
  readonly beganMs: number;
  readonly states: PublishedTree<StatesModel> | undefined;
  readonly settings: PublishedTree<SettingsModel> | undefined;
}

export type NamedRevisions = Pick<ExecResponse, 'statesRevision' | 'settingsRevision'>;
type FilesEnd = Omit<RunEnd, 'mayNotCompile'>;

interface Evidence {
  readonly begin: SeenFiles;
  readonly isDiskWell: boolean;
  readonly files: ReadonlyMap<string, string>;
}

/** A tree that was published so long before a run may just have come, or just have been replaced. */
const JUST_MS = 60_000;
/** A secret is on its way: it was sealed later than the settings came, or could not be read yet. */
const SECRET_MISSING = /unresolved secret placeholders/;

export class PeelFilesBook {
  readonly counts = { judged: 0, secretsMissing: 0 };
  private readonly parts: PeelFilesBookParts;
  private readonly running = new Set<SeenFiles>();
  private readonly evidence = new Map<string, Evidence>();

  constructor(parts: PeelFilesBookParts) {
    this.parts = parts;
  }

  /** A run of the stamped states is under way that changes the machine. */
  get isActing(): boolean {
    return [...this.running].some(({ ref, isDry }) => ref === STAMP_REF && !isDry);
  }

  check(when: string): void {
    this.mirror('states', when);
    this.mirror('settings', when);
  }

  /** Whether the mirror is this tree. */
  has(name: SourceName, files: TreeIdentity): boolean {
    const { caches, look } = this.parts;
    const tree = mirroredTree(look(caches[name]));
    return tree !== undefined && isSameTree(tree, files);
  }

  died(): void {
    this.running.clear();
    this.check('after a death');
  }

  begin(jid: string, { ref, isDry }: Pick<SeenFiles, 'ref' | 'isDry'>): SeenFiles {
    const when = `before ${jid}`;
    const states = this.mirror('states', when);
    const settings = this.mirror('settings', when);
    const begun = { jid, ref, isDry, beganMs: this.parts.nowMs(), states, settings };
    this.running.add(begun);
    return begun;
  }

  /** Whether the files may have been such that the run could not compile. */
  end(begin: SeenFiles, end: FilesEnd): boolean {
    const { broke, look } = this.parts;
    const { jid, ref, isDry } = begin;
    this.running.delete(begin);
    this.check(`after ${jid}`);
    const isSecretMissing = SECRET_MISSING.test(end.error ?? '');
    if (isSecretMissing) this.counts.secretsMissing += 1;
    const mayNotCompile = isSecretMissing || this.mayBeBroken(begin);
    if (ref !== STAMP_REF || end.isCut) return mayNotCompile;
    const failed = end.error ?? end.results.find(({ error }) => error !== '')?.error;
    if (failed !== undefined) {
      if (!mayNotCompile && end.isDiskWell) broke('files that are right can be applied', `${jid}: ${failed}`);
      return mayNotCompile;
    }
    if (isDry) return mayNotCompile;
    const looked = look(`${STAMPS}/${jid}`).filter(({ kind }) => kind === 'file');
    const files = new Map(looked.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
    this.evidence.set(jid, { begin, isDiskWell: end.isDiskWell, files });
    return mayNotCompile;
  }

  /** A run has come back, and says which revisions it used. */
  returned(jid: string, named: NamedRevisions): void {
    const evidence = this.evidence.get(jid);
    if (evidence === undefined) return;
    this.evidence.delete(jid);
    this.counts.judged += 1;
    const { books, peel, broke } = this.parts;
    const { statesRevision, settingsRevision } = named;
    const said = `${jid} says states ${statesRevision}, settings ${settingsRevision}`;
    const states = modelsOf(books.states, statesRevision, BAKED_STATES);
    const settings = modelsOf(books.settings, settingsRevision, BAKED_SETTINGS);
    const misfits = states.flatMap((one) =>
      settings.map((other) => misfit(evidence.files, stampedFiles(one, other, peel))),
    );
    if (!misfits.includes(undefined))
      broke('a run uses one published tree and names it', `${said}: ${misfits[0] ?? 'there is no such'}`);
    this.judgeAge(said, evidence, named);
  }

  /** A mistake was published, and may have been there. */
  private mayBeBroken({ beganMs, ref, states, settings }: SeenFiles): boolean {
    const { books, peel } = this.parts;
    const sinceMs = beganMs - JUST_MS;
    // What it had, what was the newest when it began, which it may have fetched first, and what came about then.
    const recent = <Model>(book: RevisionBook<Model>, at: PublishedTree<Model> | undefined) => {
      const newest = book.revisions.findLast(({ atMs }) => atMs <= beganMs);
      const since = book.revisions.filter(({ atMs }) => atMs >= sinceMs);
      return [at, newest, ...since].flatMap((tree) => (tree === undefined ? [] : [tree.model]));
    };
    return (
      recent(books.settings, settings).some((model) => !resolves(model, peel)) ||
      (ref === STAMP_REF && recent(books.states, states).some(({ isHalf }) => isHalf))
    );
  }

  /** The newest tree that is the mirror's now. */
  private mirror<Name extends SourceName>(
    name: Name,
    when: string,
  ): RevisionBooks[Name]['revisions'][number] | undefined {
    const { books, caches, look, broke } = this.parts;
    const tree = mirroredTree(look(caches[name]));
    if (tree === undefined) return undefined;
    const found = books[name].revisions.findLast(({ files }) => isSameTree(files, tree));
    if (found === undefined)
      broke(
        'a mirror is one whole published tree',
        `${when}: ${name}: ${nearest(tree, books[name].revisions)}`,
      );
    return found;
  }

  private judgeAge(said: string, { begin, isDiskWell }: Evidence, named: NamedRevisions): void {
    const { books, broke, hasForgotten } = this.parts;
    if (hasForgotten() || !isDiskWell) return;
    const isOld =
      isOlder(books.states, named.statesRevision, begin.states) ||
      isOlder(books.settings, named.settingsRevision, begin.settings);
    const had = `${begin.states?.revision ?? 0} and ${begin.settings?.revision ?? 0}`;
    if (isOld) broke('a run uses what the peel has', `${said}, the peel had ${had}`);
  }
}

/** A tree that was published twice (`files publish --force`) has two revisions, and a look at the files does not tell which. */
function isOlder<Model>(
  book: RevisionBook<Model>,
  named: number,
  had: PublishedTree<Model> | undefined,
): boolean {
  if (had === undefined || named >= had.revision) return false;
  return !book.treesOf(named).some(({ files }) => isSameTree(files, had.files));
}

/** Which revision it is nearest to, and where it differs from that. */
function nearest(tree: TreeIdentity, revisions: readonly PublishedTree<unknown>[]): string {
  const differing = ({ files }: PublishedTree<unknown>) =>
    [...new Set([...files.keys(), ...tree.keys()])].filter((path) => files.get(path) !== tree.get(path));
  const [first] = revisions
    .map((each) => ({ revision: each.revision, paths: differing(each) }))
    .sort((one, other) => one.paths.length - other.paths.length);
  return first === undefined ? 'nothing was published' : `not ${first.revision} at ${first.paths.join()}`;
}

function modelsOf<Model>(book: RevisionBook<Model>, revision: number, baked: Model): readonly Model[] {
  return revision === 0 ? [baked] : book.treesOf(revision).map(({ model }) => model);
}

const SHOWN_CHARS_MAX = 120;

/** The first file that is another; undefined: all are as expected. */
function misfit(
  files: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string | undefined {
  for (const path of new Set([...expected.keys(), ...files.keys()])) {
    const [is, due] = [files.get(path), expected.get(path)];
    if (is !== due) return `${path} is ${shown(is)}, not ${shown(due)}`;
  }
  return undefined;
}

function shown(text: string | undefined): string {
  return text === undefined ? 'missing' : JSON.stringify(text.slice(0, SHOWN_CHARS_MAX));
}
