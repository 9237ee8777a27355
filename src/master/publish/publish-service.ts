/**
 * The publish service keeps the three sets of a fleet published and the directories of this master in step with them:
 * settings, states and reactor rules. Every master runs it; the holder of the publisher lease writes to the store, all others
 * bring their directories up to date, so that whoever takes over has the newest tree (decision 117).
 *
 * Each set has a loop of its own (set-loop.ts), so that a tree that cannot be published, or a large one, holds up no other.
 * Turns come when the lease is gained, when the directory or the published revision may have changed, every half minute, and
 * when somebody asks. Nothing is lost when one does not come: every turn looks at everything.
 */
import { PLAIN_FILES } from '../../bus/file-set/plain-files.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { filesProblem } from '../../core/files/files-problem.ts';
import { isTroubleState } from '../../core/files/set-state.ts';
import { FILE_SETS, type FileSetSpec } from '../../wire/records/file-set.ts';
import type { MasterContext } from '../master-context.ts';
import type { SettingsDirectory } from '../secrets/secret-service.ts';
import { stateExaminer } from './examine-states.ts';
import { publishedSet } from './published-set.ts';
import { type RunningSet, runningSet, type SetStanding } from './running-set.ts';
import { setPublisher } from './set-publisher.ts';
import { settingsDirectory } from './settings-directory.ts';
import { settingsPublisher } from './settings-publisher.ts';
import { sourceNotes } from './source-note.ts';

export type SetDifference = Awaited<ReturnType<RunningSet['compare']>>;

/** Of the files that an update adds to a directory. */
const FILE_MODE = 0o644;
/** Longer than a turn of the publisher and the news of it take. */
const PASSING_MS = 15_000;

export class PublishService {
  private readonly context: MasterContext;
  private readonly isPublisher: () => boolean;
  private readonly settings: RunningSet;
  private readonly sets: readonly RunningSet[];
  private since: bigint | undefined;

  constructor(context: MasterContext, isPublisher: () => boolean) {
    this.context = context;
    this.isPublisher = isPublisher;
    this.settings = settingsSet(context, isPublisher);
    this.sets = [
      this.settings,
      plainSet(context, isPublisher, FILE_SETS.states),
      plainSet(context, isPublisher, FILE_SETS.reactor),
    ];
  }

  start(): void {
    for (const set of this.sets) set.start();
  }

  /** The lease was gained or lost. */
  leaseChanged(): void {
    const isGained = this.isPublisher();
    this.since = isGained ? this.context.now() : undefined;
    for (const set of this.sets) set.wake({ again: isGained });
  }

  /** Since when this master publishes; undefined when it does not. */
  publishingSince(): bigint | undefined {
    return this.isPublisher() ? this.since : undefined;
  }

  /** Settings, states, reactor. */
  standings(): readonly SetStanding[] {
    return this.sets.map((set) => set.standing());
  }

  /**
   * What a person should know of these directories, in one line; empty when all is well. That another master is to publish
   * first passes by itself, unless it does not.
   */
  problem(): string {
    const problems = this.sets.filter(isProblem).map((set) => set.standing());
    return filesProblem(problems.map(({ set, note }) => ({ set, problem: note })));
  }

  /** Looks at everything again and publishes. Resolves when every set has had its turn. */
  publishNow({ force }: { readonly force: boolean }): Promise<readonly SetStanding[]> {
    return Promise.all(this.sets.map((set) => set.request({ again: true, force })));
  }

  /** Compares and changes nothing. `set` empty: every one. */
  differences(set: string): Promise<readonly SetDifference[]> {
    const asked = this.sets.filter(({ name }) => set === '' || name === set);
    const sets = this.sets.map(({ name }) => name).join(', ');
    if (asked.length === 0) throw zesterError('FILES_SET_UNKNOWN', { set, suggestion: '', sets });
    return Promise.all(asked.map((each) => each.compare()));
  }

  /** For whoever puts something into it; undefined when this master has none. */
  settingsDirectory(): SettingsDirectory | undefined {
    const { sources, system } = this.context;
    const publish = () => this.settings.request({ again: true, force: false });
    return sources.settings === undefined
      ? undefined
      : settingsDirectory(system.files, sources.settings, publish);
  }

  async stop(): Promise<void> {
    await Promise.all(this.sets.map((set) => set.stop()));
  }
}

function settingsSet(context: MasterContext, isPublisher: () => boolean): RunningSet {
  const { settings: directory, dataDir } = context.sources;
  return runningSet({
    context,
    name: FILE_SETS.settings.name,
    directory,
    publisher: settingsPublisher({ context, directory, dataDir, isPublisher }),
    watched: FILE_SETS.masterSettings,
    isForPeels: true,
    isPublisher,
  });
}

function plainSet(context: MasterContext, isPublisher: () => boolean, spec: FileSetSpec): RunningSet {
  const { bus, runtime, system, sources } = context;
  const { clock, log } = runtime;
  const isStates = spec.name === FILE_SETS.states.name;
  const directory = isStates ? sources.states : sources.reactor;
  const publisher = setPublisher({
    clock,
    log,
    files: system.files,
    spec,
    digest: PLAIN_FILES.digest,
    set: publishedSet({ bus, runtime, spec, seal: PLAIN_FILES, isPublisher }),
    directory,
    notes: sourceNotes(system.files, log, {
      dataDir: sources.dataDir,
      set: spec.name,
      source: directory ?? '',
    }),
    fileMode: FILE_MODE,
    isPublisher,
    examine: isStates ? stateExaminer() : async () => [],
  });
  return runningSet({
    context,
    name: spec.name,
    directory,
    publisher,
    watched: spec,
    isForPeels: isStates,
    isPublisher,
  });
}

function isProblem(set: RunningSet): boolean {
  const { state, revision } = set.standing();
  if (isTroubleState(state)) return true;
  const isOdd = state === 'waiting' || (state === 'empty' && revision > 0);
  return isOdd && set.standingForMs() > PASSING_MS;
}
