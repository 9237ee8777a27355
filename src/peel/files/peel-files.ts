/**
 * `PeelFiles` is what a peel has of the files that masters publish: the mirrors of state files and of settings files, and the
 * settings that come of them; started and ended together. It tells the heartbeat how they stand, and whoever listens that
 * this has changed.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { filesProblem } from '../../core/files/files-problem.ts';
import type { SecretBook } from '../../core/redact/secret-book.ts';
import { type MirrorSet, mirrorSet } from '../../mirror/mirror-set.ts';
import type { MirroredSet, MirrorsAccess } from '../../modules/files/mirrors-access.ts';
import { FILE_SETS, type FileSetSpec } from '../../wire/records/file-set.ts';
import type { FilesDifference } from '../../wire/records/fileserver.ts';
import type { PeelHeartbeat } from '../../wire/records/heartbeat.ts';
import type { PeelStates } from '../peel-ports.ts';
import { type ServiceContext, SettingsService } from '../settings/settings-service.ts';
import type { MirroredFiles } from '../states/state-sources.ts';

export type PeelMirror = MirrorSet & MirroredFiles;

export type FilesStanding = Pick<
  PeelHeartbeat,
  'statesRevision' | 'settingsRevision' | 'secretsRevision' | 'filesProblem'
>;

export class PeelFiles implements MirrorsAccess {
  /** Undefined: this peel mirrors nothing. */
  readonly states: PeelMirror | undefined;
  readonly settings: SettingsService;
  private readonly settingsFiles: PeelMirror | undefined;
  private readonly secrets: SecretBook;
  private readonly listeners = new Set<() => void>();

  constructor(context: ServiceContext, given: Pick<PeelStates, 'caches' | 'settingsDir'> | undefined) {
    const { bus, system, runtime, peelId } = context;
    const caches = given?.caches;
    this.secrets = context.secrets;
    const tellChange = () => {
      for (const listener of this.listeners) listener();
    };
    const mirrorOf = (spec: FileSetSpec, cache: string | undefined, changed: () => void) => {
      if (cache === undefined) return undefined;
      const { files } = system;
      return { ...mirrorSet({ bus, files, runtime, spec, cache, id: peelId, changed }), cache };
    };
    this.states = mirrorOf(FILE_SETS.states, caches?.states, tellChange);
    this.settingsFiles = mirrorOf(FILE_SETS.settings, caches?.settings, () => this.settings.noteNews());
    const sources = { mirror: this.settingsFiles, dir: given?.settingsDir };
    this.settings = new SettingsService(context, sources, tellChange);
  }

  /** Resolves when it is known what the disk has. */
  async start(): Promise<void> {
    await this.settings.start();
    await Promise.all([this.states?.start(), this.settingsFiles?.start()]);
  }

  stop(): void {
    this.states?.stop();
    this.settingsFiles?.stop();
    this.settings.stop();
  }

  /** A revision or a problem is another. The listener only notes it. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  async difference(set: MirroredSet): Promise<FilesDifference> {
    const mirror = set === 'states' ? this.states : this.settingsFiles;
    if (mirror === undefined) throw zesterError('MIRROR_NONE', { set });
    return mirror.difference();
  }

  standing(): FilesStanding {
    const [states, settings] = [this.states?.state(), this.settingsFiles?.state()];
    const problems = [
      { set: 'states', problem: this.secrets.redact(states?.problem ?? '') },
      { set: 'settings', problem: this.secrets.redact(settings?.problem || this.settings.problem()) },
    ];
    return {
      statesRevision: states?.revision ?? 0,
      settingsRevision: settings?.revision ?? 0,
      secretsRevision: this.settings.secretsRevision(),
      filesProblem: filesProblem(problems.filter(({ problem }) => problem !== '')),
    };
  }
}
