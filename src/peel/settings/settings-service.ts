/**
 * The settings service of a peel knows its settings: resolved from the mirrored tree of settings files with the secrets that
 * were sealed for this peel.
 *
 *   mirror (one pinned revision) ─┐
 *   own secrets, masters' keys ───┼──▶ resolve ──▶ cached, told, and kept for a start without NATS (settings-snapshot.ts)
 *   facts, words of operators ────┘
 *
 * A resolve uses one revision from start to end, sampled when it begins (decision 48). It is cached under all that it was
 * made from, and only when it succeeded, lasts (resolve-tree.ts) and nothing was found to have changed meanwhile. After a
 * new revision or new secrets it is made again at once, so that a mistake is in the log before somebody runs into it.
 *
 * States never run with missing settings: where they cannot be had this throws, and nothing is run. A tree that is here and
 * broken is an error and no reason to take older settings; the snapshot is for a peel whose tree is not here, and is told
 * in the log and with the answer. That nothing is published is only believed when the store has said so and nothing was
 * known before; until then a request waits for a moment.
 *
 * If we die, the next life reads tree, secrets and snapshot again. Files and secrets come by two watches: whoever finds a
 * placeholder without its secret looks at both once more before it fails. Bounds: one resolve for each set of inputs at a
 * time, `RESOLVE_MS_MAX` each; one answer cached.
 */
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { DEFAULT_MERGE_RULE } from '../../core/settings/merge-rule.ts';
import {
  fileMerge,
  NO_SETTINGS,
  type ResolvedSettings,
  resolvedFrom,
} from '../../core/settings/resolved-settings.ts';
import { substituteSecrets } from '../../core/settings/secret-placeholders.ts';
import type { PinnedTree } from '../../mirror/tree-store.ts';
import { unlessAborted, within } from '../../runtime/abortable-wait.ts';
import { digest } from '../../runtime/digest.ts';
import { stopSource, timeoutSignal } from '../../runtime/signals.ts';
import { type WakeLoop, wakeLoop } from '../../runtime/wake-loop.ts';
import { encodeSortedValue } from '../../wire/msgpack/msgpack-encode.ts';
import type { PeelMirror } from '../files/peel-files.ts';
import type { PeelContext } from '../peel-context.ts';
import { localTree } from '../states/local-tree.ts';
import { OwnSecrets } from './own-secrets.ts';
import { resolveTree } from './resolve-tree.ts';
import { type SettingsSnapshot, SnapshotFile } from './settings-snapshot.ts';
import { directorySettings, type SettingsSource, type SettingsUse } from './settings-source.ts';

export type ServiceContext = Pick<
  PeelContext,
  | 'bus'
  | 'system'
  | 'runtime'
  | 'peelId'
  | 'curveKey'
  | 'version'
  | 'functions'
  | 'dataDir'
  | 'keys'
  | 'facts'
  | 'secrets'
>;

export interface ServiceSources {
  /** Undefined: this peel mirrors nothing. */
  readonly mirror: PeelMirror | undefined;
  /** Taken for as long as no settings are mirrored. */
  readonly dir: string | undefined;
}

/** After news: what comes together is resolved together. */
const RELOAD_MS = 100;
const RESOLVE_MS_MAX = 60_000;
/** For what is published and not here yet. */
const LATE_MS = 3_000;

/** Whoever asked is in a hurry; after news a whole fleet would be, and each peel has its time to fetch. */
type Why = 'asked' | 'news';

interface Cached {
  readonly key: string;
  readonly use: SettingsUse;
}

export class SettingsService implements SettingsSource {
  private readonly context: ServiceContext;
  private readonly mirror: PeelMirror | undefined;
  private readonly directory: SettingsSource | undefined;
  private readonly snapshotFile: SnapshotFile;
  private readonly changed: () => void;
  private readonly secrets: OwnSecrets;
  private readonly reloading: WakeLoop;
  private readonly stopped = stopSource();
  private readonly underWay = new Map<string, Promise<SettingsUse>>();
  private snapshot: SettingsSnapshot | undefined;
  private isSnapshotRead = false;
  private cached: Cached | undefined;
  private problemText = '';

  /** `changed`: the settings, the secrets, or what is wrong with them, are others. */
  constructor(context: ServiceContext, { mirror, dir }: ServiceSources, changed: () => void) {
    const { system, runtime, dataDir } = context;
    this.context = context;
    this.mirror = mirror;
    this.directory = dir === undefined ? undefined : directorySettings(context, dir, context.secrets);
    this.changed = changed;
    this.snapshotFile = new SnapshotFile(system.files, runtime.log, dataDir);
    this.secrets = new OwnSecrets(context, () => this.noteNews());
    this.reloading = wakeLoop(runtime, () => this.reload(), undefined);
  }

  /** Reads what the last life knew, its secrets before anything else. */
  async start(): Promise<void> {
    if (this.mirror === undefined) return;
    try {
      await this.readSnapshot();
    } catch (error) {
      this.context.runtime.log.warn('the snapshot of the settings cannot be read', { error });
    }
    this.secrets.start();
    this.noteNews();
  }

  stop(): void {
    this.secrets.stop();
    this.reloading.stop();
    this.stopped.abort();
  }

  /** The mirror has another revision, or the secrets are others. */
  noteNews(): void {
    if (this.mirror === undefined) return;
    this.cached = undefined;
    this.reloading.wakeAfter(RELOAD_MS);
    this.changed();
  }

  secretsRevision(): number {
    return this.secrets.current().revision;
  }

  /** Why the newest settings are not known; empty when nothing is wrong. */
  problem(): string {
    return this.secrets.problem() || this.problemText;
  }

  use(signal: AbortSignal): Promise<SettingsUse> {
    return this.get(signal, 'asked');
  }

  private async get(signal: AbortSignal, why: Why): Promise<SettingsUse> {
    await unlessAborted(this.context.facts.known(), signal);
    const late = why === 'asked' ? await unlessAborted(this.catchUp(), signal) : '';
    const use = await this.getTwice(signal, why);
    return use.note === '' && late !== '' ? { ...use, note: late } : use;
  }

  /** Whoever publishes and then asks is answered from what was published. Says why that may not be so. */
  private async catchUp(): Promise<string> {
    if (this.mirror === undefined) return '';
    const [late] = await Promise.all([this.mirror.catchUp(), this.withinMoment(this.secrets.refresh())]);
    return late;
  }

  private async getTwice(signal: AbortSignal, why: Why): Promise<SettingsUse> {
    try {
      return await this.getOnce(signal, why);
    } catch (error) {
      if (!isZesterError(error, 'SETTINGS_SECRETS_MISSING') || !(await this.lookAgain(why))) throw error;
      return this.getOnce(signal, why);
    }
  }

  private async getOnce(signal: AbortSignal, why: Why): Promise<SettingsUse> {
    const here = (await this.fromMirror(signal)) ?? (await this.directory?.use(signal));
    return here ?? this.withoutTree(signal, why);
  }

  /** Undefined when there is no published tree here. */
  private async fromMirror(signal: AbortSignal): Promise<SettingsUse | undefined> {
    const pinned = await this.mirror?.pin();
    if (pinned === undefined || pinned.revision === 0) {
      pinned?.release();
      return undefined;
    }
    const key = this.keyOf(pinned);
    if (this.cached?.key === key) {
      pinned.release();
      return this.cached.use;
    }
    return unlessAborted(this.shared(key, pinned), signal);
  }

  /** All that a resolve of this tree depends on, as it is now. */
  private keyOf({ identity }: PinnedTree): string {
    const { facts } = this.context;
    const ofFacts = Buffer.from(
      digest('sha256', encodeSortedValue([facts.all(), { ...facts.words().tags }])),
    ).toString('hex');
    return JSON.stringify([identity, this.secrets.current().identity, ofFacts]);
  }

  /** Whoever asks for the same while it is being resolved gets the same. The pin is released at the end. */
  private shared(key: string, pinned: PinnedTree): Promise<SettingsUse> {
    const same = this.underWay.get(key);
    if (same !== undefined) {
      pinned.release();
      return same;
    }
    const work = this.resolve(key, pinned).finally(() => {
      pinned.release();
      this.underWay.delete(key);
    });
    this.underWay.set(key, work);
    return work;
  }

  private async resolve(key: string, pinned: PinnedTree): Promise<SettingsUse> {
    const { system, runtime } = this.context;
    const tree = localTree(system.files, pinned.directory, this.mirror?.cache);
    const limit = timeoutSignal(runtime.clock, RESOLVE_MS_MAX);
    try {
      const signal = AbortSignal.any([this.stopped.signal, limit.signal]);
      const { values } = this.secrets.current();
      const { resolved, lasts } = await resolveTree(this.context, tree, values, signal);
      const use = { resolved, revision: pinned.revision, note: '' };
      if (lasts && this.keyOf(pinned) === key) this.cached = { key, use };
      await this.keep(pinned.revision, resolved);
      return use;
    } finally {
      limit.cancel();
    }
  }

  private async keep(revision: number, { raw }: ResolvedSettings): Promise<void> {
    this.isSnapshotRead = true;
    this.snapshot = { revision, settings: raw, secrets: this.secrets.sealed() };
    await this.snapshotFile.write(this.snapshot);
  }

  private async withoutTree(signal: AbortSignal, why: Why): Promise<SettingsUse> {
    const { mirror } = this;
    if (mirror === undefined) return NO_SETTINGS_USE;
    // Also where nothing was published when it last looked: states may have come a moment before their settings.
    if (why === 'asked') {
      await this.withinMoment(mirror.lookNow());
      const found = await this.fromMirror(signal);
      if (found !== undefined) return found;
    }
    await this.readSnapshot();
    if (mirror.state().published === 'empty' && (this.snapshot?.revision ?? 0) === 0) {
      await this.keep(0, NO_SETTINGS);
      return NO_SETTINGS_USE;
    }
    return this.fromSnapshot(this.whyNotHere(mirror));
  }

  /** Once. One that cannot be read is not taken for none: it may be all that is known. */
  private async readSnapshot(): Promise<void> {
    if (this.isSnapshotRead) return;
    const snapshot = await this.snapshotFile.read();
    if (this.isSnapshotRead) return;
    this.isSnapshotRead = true;
    this.snapshot = snapshot;
    this.secrets.begin(snapshot?.secrets ?? []);
  }

  private fromSnapshot(reason: string): SettingsUse {
    const { snapshot } = this;
    if (snapshot === undefined) throw zesterError('SETTINGS_NOT_HERE', { reason });
    const { peelId, runtime } = this.context;
    const { revision, settings: raw } = snapshot;
    const { data, missing } = substituteSecrets(raw, this.secrets.current().values);
    if (missing.length > 0)
      throw zesterError('SETTINGS_SECRETS_MISSING', { peel: peelId, keys: missing.join(', ') });
    const note = `the settings are those of revision ${revision}, as this peel last knew them: ${reason}`;
    runtime.log.warn('settings as they were last known are used', { revision, reason });
    const { where: file } = this.snapshotFile;
    const layer = {
      ref: '',
      file,
      broughtBy: { file },
      chain: [],
      pattern: '',
      data: raw,
      placeOf: () => undefined,
    };
    const resolved = { ...resolvedFrom(fileMerge(layer), DEFAULT_MERGE_RULE), settings: data };
    return { resolved, revision, note };
  }

  private whyNotHere(mirror: PeelMirror): string {
    const { published, problem } = mirror.state();
    if (problem !== '') return problem;
    if (published === 'empty') return 'nothing is published any more';
    const isConnected = this.context.bus.status() === 'connected';
    return isConnected ? 'the published files are not mirrored yet' : 'NATS cannot be reached';
  }

  /** Whether files or secrets are others now than they were. */
  private async lookAgain(why: Why): Promise<boolean> {
    const { mirror } = this;
    const before = [this.secrets.current().identity, mirror?.state().revision].join('/');
    const files = why === 'asked' ? mirror?.lookNow() : undefined;
    if (mirror !== undefined) await this.withinMoment(Promise.all([this.secrets.refresh(), files]));
    return before !== [this.secrets.current().identity, mirror?.state().revision].join('/');
  }

  /** Without a connection there is nothing to wait for. */
  private async withinMoment(work: Promise<unknown>): Promise<void> {
    const { bus, runtime } = this.context;
    const settled = work.then(
      () => undefined,
      (error: unknown) => runtime.log.debug('settings could not be looked at again', { error }),
    );
    if (bus.status() === 'connected') await within(runtime.clock, LATE_MS, settled);
  }

  /** So that mistakes are told when they are published, and not when somebody runs states. */
  private async reload(): Promise<void> {
    const { log } = this.context.runtime;
    try {
      const { resolved, revision } = await this.get(this.stopped.signal, 'news');
      for (const warning of resolved.warnings) log.warn('settings', { warning });
      log.info('settings resolved', { revision, files: resolved.layers.length });
      this.tell('');
    } catch (error) {
      if (this.reloading.stopped()) return;
      if (!isZesterError(error)) throw error;
      // That they are not here yet is told by the mirror, if something is wrong with it.
      const isWrong = error.code !== 'SETTINGS_NOT_HERE';
      if (isWrong) log.warn('the settings cannot be resolved; no states run without them', { error });
      this.tell(isWrong ? error.message : '');
    }
  }

  private tell(problem: string): void {
    if (problem === this.problemText) return;
    this.problemText = problem;
    this.changed();
  }
}

const NO_SETTINGS_USE: SettingsUse = { resolved: NO_SETTINGS, revision: 0, note: '' };
