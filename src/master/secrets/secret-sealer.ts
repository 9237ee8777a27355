/**
 * The secret sealer sees to it that every peel has its secrets, on the master that holds the lease facts-secrets: for a
 * peel whose curve key appears or changes at once, for the whole fleet when the settings change, when the fleet key is
 * rotated, when the lease is won, and every `CHECK_MS`. It takes the settings from bucket master-settings, so that it does not matter who publishes.
 *
 * The lease saves double work and nothing hangs on it: see `sealSecrets` for what two sealers, or one that died or slept,
 * can do. What fails is tried again after `RETRY_MS`. Names that the settings do not have any more stay in the records for
 * `FORMER_MS` after the change, for peels that still have the old files.
 *
 * Liveness: the watch, a look at the lease every `LOOK_MS` and the check. Bound: one pass at a time; peels that come
 * meanwhile wait in a set, which has each of them once.
 */
import { watchFileSet } from '../../bus/file-set/watch-file-set.ts';
import type { Watch } from '../../bus/port.ts';
import { printProblems } from '../../core/states/state-problem.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import type { MasterContext } from '../master-context.ts';
import { type MasterSettingsRead, readMasterSettings } from './master-settings-read.ts';
import { sealSecrets } from './seal-secrets.ts';

const CHECK_MS = 600_000;
const LOOK_MS = 2_000;
const RETRY_MS = 5_000;
/** Peels fetch new files within a minute, and one that cannot has other troubles. */
const FORMER_MS = 600_000;
const SPREAD = 0.1;

export interface SecretSealer {
  start(): void;
  /** A peel has a curve key that it did not have before. */
  keyed(peel: PeelId): void;
  /** Masters use another generation of the fleet key: everything is sealed anew. */
  rotated(): void;
  /** Resolves when nothing is being sealed any more. */
  stop(): Promise<void>;
}

export function secretSealer(context: MasterContext, isLeader: () => boolean): SecretSealer {
  const { runtime, bus } = context;
  const { clock, log } = runtime;
  const life = new AbortController();
  const sealing = { ...context, life: AbortSignal.any([context.life, life.signal]) };
  const waiting = new Set<PeelId>();
  let isFleetDue = true;
  let wasLeader = false;
  let settings: MasterSettingsRead | undefined;
  /** Up to when names are kept that the settings do not have any more, on the monotonic clock. */
  let formerUntilMs = 0;
  let watch: Watch | undefined;
  let timers: readonly Periodic[] = [];
  let working: Promise<void> = Promise.resolve();

  const loop = wakeLoop(
    runtime,
    () => {
      working = step();
      return working;
    },
    (error) => {
      if (!sealing.life.aborted) log.warn('secrets cannot be sealed for the moment', { error });
    },
  );

  async function step(): Promise<void> {
    if (sealing.life.aborted || !takesPart()) return;
    const now = await readMasterSettings(sealing, settings);
    if (now === undefined) return;
    if (now !== settings) noteSettings(now);
    const { extraction, revision } = now;
    if (extraction.problems.length > 0) return;
    const peels = takeWaiting();
    if (peels.length === 0) return;
    const keepFormer = clock.monotonicMs() < formerUntilMs;
    const report = await sealSecrets(sealing, {
      extraction,
      settingsRevision: revision,
      peels,
      keepFormer,
    }).catch((error: unknown) => {
      for (const peel of peels) waiting.add(peel);
      throw error;
    });
    for (const peel of report.failed) waiting.add(peel);
    if (report.sealed > 0) log.info('secrets sealed', { peels: report.sealed, revision });
    if (report.failed.length > 0) loop.wakeAfter(RETRY_MS);
  }

  /** Whether this master seals. One that begins to looks at everything. */
  function takesPart(): boolean {
    const leads = isLeader();
    if (leads && !wasLeader) isFleetDue = true;
    if (!leads) {
      settings = undefined;
      waiting.clear();
    }
    wasLeader = leads;
    return leads;
  }

  function noteSettings(now: MasterSettingsRead): void {
    settings = now;
    isFleetDue = true;
    formerUntilMs = clock.monotonicMs() + FORMER_MS;
    const { problems } = now.extraction;
    if (problems.length > 0)
      log.error('the settings that masters share cannot be used, and no secrets are sealed from them', {
        revision: now.revision,
        problems: printProblems(problems),
      });
  }

  function takeWaiting(): readonly PeelId[] {
    const peels = isFleetDue ? context.facts.index.ids() : [...waiting];
    isFleetDue = false;
    waiting.clear();
    return peels;
  }

  return {
    start() {
      watch = watchFileSet(bus, FILE_SETS.masterSettings, {
        changed: () => loop.wake(),
        spread: () => undefined,
        trouble: (error) => log.debug('master-settings cannot be watched for the moment', { error }),
      });
      timers = [
        periodic(runtime, { what: 'sealing of secrets', everyMs: CHECK_MS, spread: SPREAD }, () => {
          isFleetDue = true;
          loop.wake();
        }),
        periodic(runtime, { what: 'who seals secrets', everyMs: LOOK_MS, spread: 0 }, () => {
          if (isLeader() !== wasLeader) loop.wake();
        }),
      ];
      loop.wake();
    },
    keyed(peel) {
      if (!isLeader()) return;
      waiting.add(peel);
      loop.wake();
    },
    rotated() {
      isFleetDue = true;
      loop.wake();
    },
    async stop() {
      life.abort();
      watch?.stop();
      for (const timer of timers) timer.stop();
      loop.stop();
      await working.catch((error: unknown) => log.debug('sealing was stopped', { error }));
    },
  };
}
