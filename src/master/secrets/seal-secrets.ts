/**
 * `sealSecrets` gives peels their secrets: under `secrets/<peel>` each value sealed to that peel's curve key, and nothing
 * where a peel gets none or has not told a key (decision 23f: until enrollment keeps it, the key is a fact of the peel). Who gets
 * what is decided by ids and by what operators said at the enrollment, never by what a peel says.
 *
 * Called by the publisher before it publishes settings, and by the holder of the lease facts-secrets when a peel's key
 * appears or changes. Neither relies on being alone: what is there is compared by its fingerprint, written by
 * compare-and-set, and never replaced by what was made from older settings (core/settings/plan-seal.ts). Where there are newer
 * settings by now, nothing is written at all. So to do it twice
 * changes nothing, to die in the middle leaves the rest to the next who does it, and to come late changes nothing either.
 *
 * A whole fleet is sealed `PEELS_AT_ONCE` at a time, with a pause for others whenever it has worked for `SLICE_MS`. A peel
 * for which it fails is named, and does not stop the others.
 */
import { readStoredFileSet } from '../../bus/file-set/stored-file-set.ts';
import { openTable, type Table } from '../../bus/kv/table.ts';
import { assert } from '../../core/assert.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import type { SettingsExtraction } from '../../core/settings/extract-settings.ts';
import { planSeal, type SealChoice } from '../../core/settings/plan-seal.ts';
import { sleep } from '../../runtime/clock.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import type { Random } from '../../runtime/random.ts';
import type { FleetKey } from '../../trust/fleet-key.ts';
import { type BoxKey, boxKey } from '../../trust/sealed-box.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import type { SealedSecrets } from '../../wire/records/secrets.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';

const PEELS_AT_ONCE = 16;
const SLICE_MS = 10;
const STALE_LOOK_MS = 1_000;
/** Each round means that another master wrote between our reading and our writing. */
const ROUNDS_MAX = 4;
const encoder = new TextEncoder();

export interface SealOrder extends Partial<Omit<SealChoice, 'overNewer'>> {
  readonly extraction: Pick<SettingsExtraction, 'secretsOf'>;
  /** Of `master-settings`, from which the extraction is. */
  readonly settingsRevision: number;
  readonly peels: readonly PeelId[];
}

export interface SealReport {
  /** Peels whose record was written or removed. */
  readonly sealed: number;
  readonly unchanged: number;
  /** Not done, for a reason in the log: to be tried again. */
  readonly failed: readonly PeelId[];
}

type SealContext = Pick<MasterContext, 'bus' | 'runtime' | 'keys' | 'facts' | 'life'>;

export async function sealSecrets(context: SealContext, order: SealOrder): Promise<SealReport> {
  const { log, clock } = context.runtime;
  const records = openTable(context.bus, TABLES.sealedSecrets);
  const failed: PeelId[] = [];
  let sealed = 0;
  let pausedMs = clock.monotonicMs();
  const pause = async () => {
    if (clock.monotonicMs() - pausedMs < SLICE_MS) return;
    await sleep(clock, 0, context.life);
    pausedMs = clock.monotonicMs();
  };
  const isStale = staleness(context, order);
  await concurrentMap(order.peels, PEELS_AT_ONCE, async (peel) => {
    context.life.throwIfAborted();
    await pause();
    try {
      const end = await sealFor(context, records, peel, order, { pause, isStale });
      if (end === 'written') sealed += 1;
      if (end === 'stale') failed.push(peel);
    } catch (error) {
      context.life.throwIfAborted();
      log.warn('secrets of a peel not sealed', { peel, error });
      failed.push(peel);
    }
  });
  return { sealed, unchanged: order.peels.length - sealed - failed.length, failed };
}

/** Those of the peels for which the store does not have all that these settings give them. */
export async function unsealedPeels(
  context: SealContext,
  { extraction, peels }: Pick<SealOrder, 'extraction' | 'peels'>,
): Promise<readonly PeelId[]> {
  const records = openTable(context.bus, TABLES.sealedSecrets);
  const unsealed: PeelId[] = [];
  await concurrentMap(peels, PEELS_AT_ONCE, async (peel) => {
    const recipient = context.facts.curveKeyOf(peel);
    const read = await records.getLatest(peel);
    const due =
      recipient === undefined
        ? undefined
        : wantedFor(context, recipient, extraction.secretsOf(peel, context.facts.index.words(peel)));
    const isSealed =
      read.is === 'found' &&
      read.value.fingerprint === due?.fingerprint &&
      read.value.generation === due.generation;
    if (!isSealed) unsealed.push(peel);
  });
  return unsealed.sort();
}

/** What tells that a record has these values, sealed to this key. */
function wantedFor(
  { keys }: SealContext,
  recipient: string,
  secrets: ReadonlyMap<string, string>,
): { readonly fleetKey: FleetKey; readonly generation: number; readonly fingerprint: string } {
  const [fleetKey] = keys.fleet;
  assert(fleetKey !== undefined, 'a master has a fleet key');
  return {
    fleetKey,
    generation: fleetKey.generation,
    fingerprint: fleetKey.fingerprint(recipient, secrets),
  };
}

/** What sealing takes besides the order. */
interface SealAids {
  readonly pause: () => Promise<void>;
  readonly isStale: () => Promise<boolean>;
}

/** `stale`: nothing was written, because there are newer settings than those of the order. */
async function sealFor(
  context: SealContext,
  records: Table<PeelId, SealedSecrets>,
  peel: PeelId,
  order: SealOrder,
  { pause, isStale }: SealAids,
): Promise<'written' | 'kept' | 'stale'> {
  const { log } = context.runtime;
  const recipient = context.facts.curveKeyOf(peel);
  if (recipient === undefined) return 'kept';
  const secrets = order.extraction.secretsOf(peel, context.facts.index.words(peel));
  const { fleetKey, generation, fingerprint } = wantedFor(context, recipient, secrets);
  const { settingsRevision } = order;
  const wanted = { generation, settingsRevision, fingerprint, paths: new Set(secrets.keys()) };
  const { force = false, keepFormer = true } = order;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    // At first any copy may answer: most have nothing to do, and a write on an old answer does not win.
    const read = round === 0 ? await records.get(peel) : await records.getLatest(peel);
    const stored = read.is === 'found' ? read.value : read.is;
    const choice = { force, keepFormer };
    const first = planSeal(stored, wanted, { ...choice, overNewer: false });
    if (first.is !== 'keep' && (await isStale())) return 'stale';
    const isLost = first.is === 'outdated' && force;
    const plan = isLost ? planSeal(stored, wanted, { ...choice, overNewer: true }) : first;
    if (plan.is === 'keep') return 'kept';
    if (plan.is === 'outdated') {
      log.warn(
        'secrets were sealed from newer settings than the store has now, and stay; `zester secret reencrypt` seals them anew',
        { peel, revision: plan.revision },
      );
      return 'kept';
    }
    if (plan.is === 'remove') {
      if ((await records.remove(peel, { revision: read.revision })).won) return 'written';
      continue;
    }
    const box = boxKey(fleetKey.curveKey, recipient);
    if (box === undefined) {
      log.warn('the curve key of a peel cannot be used, so it gets no secrets', { peel });
      return 'kept';
    }
    const sealed = await sealedValues(box, secrets, context.runtime.random, pause);
    const former = stillOpen(box, typeof stored === 'object' ? stored.sealed : {}, plan.former);
    const record = { generation, settingsRevision, fingerprint, sealed: { ...sealed, ...former } };
    const { won } =
      read.is === 'absent'
        ? await records.create(peel, record)
        : await records.update(peel, record, read.revision);
    if (won) return 'written';
  }
  const what = `${BUCKETS.secrets.name}/${peel}`;
  throw zesterError('BUS_STORE_UNAVAILABLE', { what, reason: 'it changes faster than it can be read' });
}

/**
 * Whether somebody has published newer settings, and seals from those: asked before every write, and known for
 * `STALE_LOOK_MS`. A store that lost settings has no newer ones.
 */
function staleness({ bus, runtime }: SealContext, { settingsRevision }: SealOrder): () => Promise<boolean> {
  let lookedMs = Number.NEGATIVE_INFINITY;
  let isStale = Promise.resolve(false);
  return () => {
    const nowMs = runtime.clock.monotonicMs();
    if (nowMs - lookedMs >= STALE_LOOK_MS) {
      lookedMs = nowMs;
      isStale = readStoredFileSet(bus, FILE_SETS.masterSettings).then(
        ({ lastRevision }) => lastRevision > settingsRevision,
      );
    }
    return isStale;
  };
}

async function sealedValues(
  box: BoxKey,
  secrets: ReadonlyMap<string, string>,
  random: Random,
  pause: () => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const sealed: [string, string][] = [];
  for (const [path, value] of secrets) {
    sealed.push([path, box.seal(encoder.encode(value), random)]);
    await pause();
  }
  return Object.fromEntries(sealed);
}

/** Those of the paths that the peel can open: what was sealed to an earlier key of it is of no use to anybody. */
function stillOpen(
  box: BoxKey,
  sealed: Readonly<Record<string, string>>,
  paths: readonly string[],
): Readonly<Record<string, string>> {
  const kept = paths.map((path) => [path, sealed[path] ?? ''] as const);
  return Object.fromEntries(kept.filter(([, text]) => box.open(text) !== undefined));
}
