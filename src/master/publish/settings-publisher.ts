/**
 * The settings publisher keeps the settings of a fleet published, in two stages:
 *
 *   directory ◀──▶ master-settings       the files as they are, sealed to the fleet key, for masters only (set-publisher.ts)
 *   master-settings ──▶ secrets/<peel>   each peel's own values, sealed to it
 *                   ──▶ settings-files   the files with placeholders, which every peel reads
 *
 * With a problem in the tree the first stage stores nothing, so no secret ever gets into the second. The second is made from
 * what is in `master-settings` and not from the directory: it is the same whoever makes it, so a publisher that dies between
 * any two writes leaves to the next one what is missing, also where that one's directory has something else.
 *
 * Who is late loses: what is in settings-files is looked at before master-settings is, and only that is replaced. So what was
 * made from older settings never comes over what was made from newer ones. Secrets are sealed before the files that name
 * them; a peel for which that fails is told and tried again at the next turn, and does not hold up the others.
 *
 * The extraction is kept, with its secrets, in memory only. No text of a settings file goes into a note or a log.
 */
import type { FileToPublish, ListedFile } from '../../bus/file-set/file-set.ts';
import { PLAIN_FILES } from '../../bus/file-set/plain-files.ts';
import { nameSome } from '../../core/doctor/finding.ts';
import { explainError, isZesterError } from '../../core/errors/zester-error.ts';
import type { SetStateWord } from '../../core/files/set-state.ts';
import { LruMap } from '../../core/lru-map.ts';
import { extractSettings, type SettingsExtraction } from '../../core/settings/extract-settings.ts';
import { type FileContent, settingsContents } from '../../core/settings/settings-contents.ts';
import { printProblems, type StateProblem } from '../../core/states/state-problem.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import { masterSettingsSeal } from '../../trust/fleet-seal.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import type { MasterContext } from '../master-context.ts';
import { extractOptions } from '../secrets/master-settings-read.ts';
import { sealSecrets } from '../secrets/seal-secrets.ts';
import { type PublishedView, publishedSet } from './published-set.ts';
import {
  type SetComparison,
  type SetPublisher,
  type SetTurn,
  setPublisher,
  type TurnOptions,
  type WholeSet,
} from './set-publisher.ts';
import { sourceNotes } from './source-note.ts';
import type { LocalTree } from './source-tree.ts';

/** For its owner alone: the directory has secrets, in the open or sealed. */
const FILE_MODE = 0o600;
const READS_AT_A_TIME = 8;
/** That of the directory and that of the store. */
const RELEASES_KEPT = 2;

export interface SettingsPublisherParts {
  readonly context: Pick<
    MasterContext,
    'bus' | 'runtime' | 'keys' | 'facts' | 'life' | 'system' | 'secretBook'
  >;
  readonly directory: string | undefined;
  readonly dataDir: string;
  readonly isPublisher: () => boolean;
}

/** A settings tree as it is published. */
interface Release {
  readonly extraction: SettingsExtraction;
  readonly files: readonly FileToPublish[];
  readonly problems: readonly StateProblem[];
}

export function settingsPublisher(parts: SettingsPublisherParts): SetPublisher {
  const { context, directory, dataDir, isPublisher } = parts;
  const { bus, runtime, keys, system, facts } = context;
  const { log, clock, random } = runtime;
  const seal = masterSettingsSeal(() => keys.fleet, random);
  const replica = publishedSet({ bus, runtime, spec: FILE_SETS.masterSettings, seal, isPublisher });
  // What is there is replaced, not finished: it is made anew from the replica.
  const forPeels = publishedSet({
    bus,
    runtime,
    spec: FILE_SETS.settings,
    seal: PLAIN_FILES,
    isPublisher: () => false,
  });
  const source = setPublisher({
    clock,
    log,
    files: system.files,
    spec: FILE_SETS.masterSettings,
    digest: seal.digest,
    set: replica,
    directory,
    notes: sourceNotes(system.files, log, {
      dataDir,
      set: FILE_SETS.settings.name,
      source: directory ?? '',
    }),
    fileMode: FILE_MODE,
    isPublisher,
    examine: async (tree) => releaseOf(tree.digest, await contentsOf(tree.sources)).problems,
  });
  const releases = new LruMap<string, Release>(RELEASES_KEPT);
  /** The tree for which every peel has its secrets. */
  let sealedFor: WholeSet['sight'] | undefined;

  function releaseOf(digest: string, contents: readonly FileContent[]): Release {
    const known = releases.get(digest);
    if (known !== undefined) return known;
    const { texts, others, problems } = settingsContents(contents);
    const extraction = extractSettings(texts, extractOptions(keys));
    for (const { path, value } of extraction.secrets) context.secretBook.learn(path, value);
    const published = extraction.files.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }));
    const release: Release = {
      extraction,
      files: [...published, ...others].map(fileOf),
      problems: [...problems, ...extraction.problems],
    };
    releases.set(digest, release);
    return release;
  }

  async function turn(options: TurnOptions): Promise<SetTurn> {
    const before = await forPeels.look(undefined);
    const first = await source.turn(options);
    const seen = { ...first, published: wholeOf(before) };
    if (first.published === undefined) return seen;
    let release: Release | undefined;
    try {
      release = await currentRelease(first.published, first.local);
    } catch (error) {
      if (!isZesterError(error, 'FILES_SOURCE_CHANGED')) throw error;
      return { ...seen, state: 'waiting', note: explainError(error), isMoving: true };
    }
    if (release === undefined || !isPublisher()) return seen;
    if (release.problems.length > 0)
      return { ...seen, state: 'broken', note: printProblems(release.problems) };
    const unsealed = await giveSecrets(first.published, release, options.force);
    return publish(seen, { release, unsealed, over: before.over, force: options.force });
  }

  /**
   * From the directory where it is the same tree: no need to fetch it. A master that does not publish reads it there and
   * only there, for the book of secrets: it has them on its disk, so its log must know them.
   */
  async function currentRelease(
    { sight, files }: WholeSet,
    local: LocalTree | undefined,
  ): Promise<Release | undefined> {
    const known = releases.get(sight.digest);
    if (known !== undefined) return known;
    if (local?.digest === sight.digest) return releaseOf(sight.digest, await contentsOf(local.sources));
    if (!isPublisher()) return undefined;
    return releaseOf(sight.digest, await concurrentMap(files, READS_AT_A_TIME, fetched));
  }

  async function fetched(file: ListedFile): Promise<FileContent> {
    return { path: file.path, bytes: await replica.fetch(file) };
  }

  /** Peels for which it failed. */
  async function giveSecrets(
    { sight }: WholeSet,
    { extraction }: Release,
    force: boolean,
  ): Promise<readonly PeelId[]> {
    const isDone = sealedFor?.revision === sight.revision && sealedFor.writtenMs === sight.writtenMs;
    if (isDone && !force) return [];
    const order = { extraction, settingsRevision: sight.revision, peels: facts.index.ids(), force };
    const { sealed, failed } = await sealSecrets(context, order);
    sealedFor = failed.length === 0 ? sight : undefined;
    if (sealed > 0) log.info('secrets sealed', { peels: sealed, settings: sight.revision });
    return failed;
  }

  async function publish(
    turn: SetTurn,
    {
      release,
      unsealed,
      over,
      force,
    }: { release: Release; unsealed: readonly PeelId[]; over: string; force: boolean },
  ): Promise<SetTurn> {
    const note = [turn.note, unsealedNote(unsealed)].filter((line) => line !== '').join('\n');
    if (!isPublisher()) return { ...turn, note, isMoving: true };
    const outcome = await forPeels.publish(release.files, { force, over });
    if (outcome.is === 'beaten') return { ...turn, note, isMoving: true };
    if (outcome.is !== 'published') return { ...turn, note };
    const { written, removed, revision } = outcome;
    log.info('files published', { set: FILE_SETS.settings.name, revision, written, removed });
    const state: SetStateWord = turn.state === 'unchanged' ? 'published' : turn.state;
    const changed = Math.max(turn.changed, written + removed);
    return { ...turn, state, note, changed, published: wholeOf(await forPeels.look(undefined)) };
  }

  /** Of the files as they are: with placeholders every one that has a secret would differ. */
  async function compare(): Promise<SetComparison> {
    const { state } = await forPeels.peek();
    return { ...(await source.compare()), revision: state.is === 'whole' ? state.sight.revision : 0 };
  }

  return { turn, compare, writeSpread: forPeels.writeSpread };
}

function contentsOf(sources: readonly FileToPublish[]): Promise<FileContent[]> {
  return concurrentMap(sources, READS_AT_A_TIME, async (file) => ({
    path: file.path,
    bytes: await file.read(),
  }));
}

function fileOf({ path, bytes }: FileContent): FileToPublish {
  return { path, sha256: PLAIN_FILES.digest(bytes), size: bytes.length, read: async () => bytes };
}

function wholeOf({ state }: PublishedView): WholeSet | undefined {
  return state.is === 'whole' ? state : undefined;
}

function unsealedNote(peels: readonly PeelId[]): string {
  return peels.length === 0 ? '' : `secrets are not sealed yet for ${nameSome(peels)}; it is tried again`;
}
