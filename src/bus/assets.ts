/**
 * This file makes buckets, streams and object stores on the server as `wire/` declares them, and puts them right when they
 * differ (an administrator's tool may switch roll-up headers back on, decision 23d).
 *
 * Idempotent: any number of masters may do this at once and again; the server serializes it. Nothing is ever deleted.
 * Each answer is compared with what was asked for, because old servers ignore settings they do not know.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { BucketSpec } from '../wire/names/buckets.ts';
import {
  JS_ERROR,
  streamCreateSubject,
  streamInfoSubject,
  streamUpdateSubject,
} from '../wire/names/jetstream.ts';
import {
  hintSubject,
  kvStreamName,
  kvSubject,
  objectChunkSubject,
  objectMetaSubject,
  objectStreamName,
} from '../wire/names/store-subjects.ts';
import type { ObjectStoreSpec, StreamSpec } from '../wire/names/streams.ts';
import { refusalError } from './jetstream-api.ts';
import type { Bus } from './port.ts';

export interface AssetSpecs {
  readonly buckets: readonly BucketSpec[];
  readonly streams: readonly StreamSpec[];
  readonly objectStores: readonly ObjectStoreSpec[];
}

export interface AssetReport {
  /** Name of the stream behind the asset. */
  readonly asset: string;
  readonly tier: WantedAsset['tier'];
  /** Copies it has now: fewer than wanted when the servers would not have more. */
  readonly replicas: number;
  /** Copies it had before; 0 when it was not there. */
  readonly replicasBefore: number;
  readonly action: 'created' | 'unchanged' | 'corrected';
  /** Settings that were not as declared. */
  readonly drift: readonly string[];
}

export type Settings = Readonly<Record<string, unknown>>;

/** An asset as it should be. How many copies it has depends on the cluster. */
export interface WantedAsset {
  readonly tier: 'critical' | 'ephemeral';
  readonly settings: Settings & { readonly name: string };
}

const NANOS_PER_MS = 1_000_000;
const DUPLICATE_WINDOW_MS = 120_000;
const NO_LIMIT = -1;

/** So many copies, or at least so many: then what has more keeps them, because another master may know better. */
export type Copies = number | { readonly atLeast: number };

/** What a server says that cannot make so many copies. */
const TOO_MANY_COPIES: readonly number[] = [JS_ERROR.noSuitablePeers, JS_ERROR.replicasNotSupported];

/**
 * Makes or corrects every asset; rejects with the first failure, after all were tried. `settled` hears of each one that
 * is well, also when another is not.
 */
export async function ensureAssets(
  bus: Bus,
  specs: AssetSpecs,
  copies: Copies,
  settled: (report: AssetReport) => void = () => undefined,
): Promise<AssetReport[]> {
  /** One stream after the other: one may only have the subjects that another has let go of. */
  let turn: Promise<unknown> = Promise.resolve();
  const streams = new Set<string>(specs.streams.map(({ name }) => name));
  const inTurn = (wanted: WantedAsset): Promise<AssetReport> => {
    const made = turn.then(() => ensure(bus, wanted, copies));
    turn = made.catch(() => undefined);
    return made;
  };
  const outcomes = await Promise.allSettled(
    wantedAssets(specs).map(async (wanted) => {
      const inOrder = streams.has(wanted.settings.name);
      const report = await (inOrder ? inTurn(wanted) : ensure(bus, wanted, copies));
      settled(report);
      return report;
    }),
  );
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

export function wantedAssets(specs: AssetSpecs): WantedAsset[] {
  return [
    ...specs.buckets.map((spec) => ({ tier: spec.tier, settings: bucketSettings(spec) })),
    ...specs.streams.map((spec) => ({ tier: spec.tier, settings: streamSettings(spec) })),
    ...specs.objectStores.map((spec) => ({ tier: spec.tier, settings: objectStoreSettings(spec) })),
  ];
}

async function ensure(bus: Bus, asset: WantedAsset, copies: Copies): Promise<AssetReport> {
  const { tier } = asset;
  const { name } = asset.settings;
  const existing = await bus.tryApi(streamInfoSubject(name), {});
  if ('refusal' in existing && existing.refusal.errorCode !== JS_ERROR.streamNotFound) {
    throw zesterError('BUS_STORE', { what: name, reason: existing.refusal.description });
  }
  const config = 'answer' in existing ? settingsIn(existing.answer) : undefined;
  const has = Number(config?.num_replicas ?? 1);
  const most = typeof copies === 'number' ? copies : Math.max(copies.atLeast, has);
  const replicasBefore = config === undefined ? 0 : has;
  // As many as the servers will have: fewer copies are better than no store, and who wanted more finds it in the report.
  for (let replicas = most; replicas >= Math.min(has, most); replicas--) {
    const wanted = { ...asset.settings, num_replicas: replicas };
    const drift = config === undefined ? [] : differences(wanted, config);
    const report = { asset: name, tier, replicas, replicasBefore, drift };
    if (config !== undefined && drift.length === 0) return { ...report, action: 'unchanged' };
    const action = config === undefined ? 'created' : 'corrected';
    if (await settle(bus, wanted, config)) return { ...report, action };
  }
  throw zesterError('BUS_STORE', { what: name, reason: 'no server can keep it' });
}

/** False when the servers cannot make so many copies. */
async function settle(
  bus: Bus,
  wanted: WantedAsset['settings'],
  config: Settings | undefined,
): Promise<boolean> {
  const { name } = wanted;
  const subject = config === undefined ? streamCreateSubject(name) : streamUpdateSubject(name);
  const outcome = await bus.tryApi(subject, { ...config, ...wanted });
  if ('answer' in outcome) {
    refuseIgnored(name, wanted, settingsIn(outcome.answer));
    return true;
  }
  if (TOO_MANY_COPIES.includes(outcome.refusal.errorCode)) return false;
  throw refusalError(subject, outcome.refusal);
}

export function settingsIn(answer: Settings): Settings {
  return (answer.config ?? {}) as Settings;
}

function refuseIgnored(asset: string, wanted: Settings, got: Settings): void {
  const [setting] = differences(wanted, got);
  if (setting === undefined) return;
  const show = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  throw zesterError('BUS_SETTING_IGNORED', {
    asset,
    setting,
    wanted: show(wanted[setting]),
    got: show(got[setting]),
  });
}

/** Names of the wanted settings that are otherwise. The server leaves out what is zero, false or empty. */
export function differences(wanted: Settings, got: Settings): string[] {
  return Object.keys(wanted).filter((name) => !sameSetting(wanted[name], got[name]));
}

function sameSetting(wanted: unknown, got: unknown): boolean {
  const isUnset = (value: unknown) => value === undefined || value === false || value === 0 || value === '';
  if (isUnset(wanted) && isUnset(got)) return true;
  if (typeof wanted !== 'object' || wanted === null) return wanted === got;
  const want = wanted as Settings;
  const have = (got ?? {}) as Settings;
  return Object.keys({ ...want, ...have }).every((name) => sameSetting(want[name], have[name]));
}

/** As the NATS clients make a key-value bucket, apart from the roll-up headers and the hints. */
function bucketSettings(spec: BucketSpec) {
  const windowMs = spec.ttlMs === 0 ? DUPLICATE_WINDOW_MS : Math.min(spec.ttlMs, DUPLICATE_WINDOW_MS);
  const everyKey = kvSubject(spec.name, '>');
  return {
    name: kvStreamName(spec.name),
    description: spec.doc,
    subjects: [everyKey],
    retention: 'limits',
    discard: 'new',
    storage: spec.storage,
    max_msgs_per_subject: spec.history,
    max_age: spec.ttlMs * NANOS_PER_MS,
    max_msgs: limit(spec.valuesMax),
    max_bytes: limit(spec.bytesMax),
    max_msg_size: limit(spec.valueBytesMax),
    max_consumers: NO_LIMIT,
    duplicate_window: windowMs * NANOS_PER_MS,
    allow_direct: true,
    allow_rollup_hdrs: !spec.peelWritable,
    deny_delete: true,
    deny_purge: false,
    ...(spec.hints === 'none'
      ? {}
      : {
          republish: {
            src: everyKey,
            dest: hintSubject(spec.name, '>'),
            headers_only: spec.hints === 'bare',
          },
        }),
  };
}

function streamSettings(spec: StreamSpec) {
  return {
    name: spec.name,
    description: spec.doc,
    subjects: [...spec.subjects],
    retention: 'limits',
    discard: 'old',
    storage: spec.storage,
    max_age: spec.maxAgeMs * NANOS_PER_MS,
    max_msgs: limit(spec.maxMessages),
    max_msgs_per_subject: limit(spec.perSubjectMax),
    max_bytes: limit(spec.maxBytes),
    max_msg_size: limit(spec.messageBytesMax),
    max_consumers: NO_LIMIT,
    duplicate_window: spec.duplicateWindowMs * NANOS_PER_MS,
    allow_direct: true,
    // Peels publish here: a roll-up header would let one of them empty the stream.
    allow_rollup_hdrs: false,
  };
}

/** 0 means none in our tables. */
function limit(max: number): number {
  return max === 0 ? NO_LIMIT : max;
}

function objectStoreSettings(spec: ObjectStoreSpec) {
  return {
    name: objectStreamName(spec.name),
    description: spec.doc,
    subjects: [objectChunkSubject(spec.name, '>'), objectMetaSubject(spec.name, '>')],
    retention: 'limits',
    discard: 'new',
    storage: 'file',
    max_msgs: NO_LIMIT,
    max_bytes: NO_LIMIT,
    max_msg_size: NO_LIMIT,
    max_consumers: NO_LIMIT,
    duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS,
    allow_direct: true,
    allow_rollup_hdrs: true,
  };
}
