/**
 * `RequestFiles` is what one request sees of state files and settings: one revision of each, from its first look to its end,
 * however many states, templates and runs inside of runs ask for them, and whatever is published meanwhile (decision 48).
 * The answer names both.
 *
 * A tree is pinned at the first look and released with the request. What failed is not kept: the next question looks again.
 * If the peel dies, pins die with it.
 */
import type { ResolvedSettings } from '../../core/settings/resolved-settings.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import type { ExecResponse } from '../../wire/records/exec.ts';
import type { SettingsSource, SettingsUse } from '../settings/settings-source.ts';
import { localTree } from '../states/local-tree.ts';
import { type FoundStates, findStates, type SourceLook, type StateSources } from '../states/state-sources.ts';

export type RevisionsUsed = Pick<ExecResponse, 'statesRevision' | 'settingsRevision'>;

export class RequestFiles {
  private readonly sources: StateSources;
  private readonly settingsSource: SettingsSource;
  private readonly look: SourceLook;
  private found: Promise<FoundTree> | undefined;
  private settingsUse: Promise<SettingsUse> | undefined;
  private statesRevision = 0;
  private settingsRevision = 0;
  private statesNote = '';
  private settingsNote = '';
  private isReleased = false;

  constructor(sources: StateSources, settings: SettingsSource, look: SourceLook) {
    this.sources = sources;
    this.settingsSource = settings;
    this.look = look;
  }

  /** Throws STATES_UNAVAILABLE when there are no state files. */
  async tree(): Promise<StateTree> {
    this.found ??= this.find();
    try {
      return (await this.found).tree;
    } catch (error) {
      this.found = undefined;
      throw error;
    }
  }

  /** Throws where they cannot be had. */
  async settings(signal: AbortSignal): Promise<ResolvedSettings> {
    this.settingsUse ??= this.settingsSource.use(signal);
    try {
      const { resolved, revision, note } = await this.settingsUse;
      this.settingsRevision = revision;
      this.settingsNote = note;
      return resolved;
    } catch (error) {
      this.settingsUse = undefined;
      throw error;
    }
  }

  used(): RevisionsUsed {
    const { statesRevision, settingsRevision } = this;
    return { statesRevision, settingsRevision };
  }

  /** What whoever asked should know about the files; empty when there is nothing to say. */
  note(): string {
    return [this.statesNote, this.settingsNote].filter((note) => note !== '').join('; ');
  }

  /** Nothing is read any more. */
  release(): void {
    this.isReleased = true;
    void this.found?.then(
      ({ states }) => states.release(),
      () => undefined,
    );
  }

  private async find(): Promise<FoundTree> {
    const states = await findStates(this.sources, this.look);
    this.statesRevision = states.revision;
    this.statesNote = states.note;
    // Whoever asks after the end is left behind by its request, and reads what is there.
    if (this.isReleased) states.release();
    return { states, tree: localTree(this.look.files, states.directory, states.where) };
  }
}

interface FoundTree {
  readonly states: FoundStates;
  readonly tree: StateTree;
}
