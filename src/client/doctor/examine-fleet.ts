/**
 * `examineFleet` examines a fleet over its bus: what can be said once NATS is reached. Each reading is made once and shared by the checks
 * that need it; they all run at the same time. Nothing is written.
 */

import { inspectAssets } from '../../bus/inspect-assets.ts';
import { refusalError } from '../../bus/jetstream-api.ts';
import { openTable } from '../../bus/kv/table.ts';
import type { Bus } from '../../bus/port.ts';
import { readStore } from '../../bus/stream/read-store.ts';
import { readStoreClock } from '../../bus/stream/store-clock.ts';
import { judgeAccountDocuments } from '../../core/doctor/account-documents.ts';
import { judgeDrift } from '../../core/doctor/asset-drift.ts';
import { judgeClocks } from '../../core/doctor/clock-skew.ts';
import { judgeCluster } from '../../core/doctor/cluster-size.ts';
import { judgeLag, type LagFacts } from '../../core/doctor/consumer-lag.ts';
import { judgeDurability } from '../../core/doctor/durability.ts';
import {
  type EnrollmentFacts,
  judgeEnrollments,
  judgePeelCredentials,
} from '../../core/doctor/enrollments.ts';
import { judgeFilesMirrored } from '../../core/doctor/files-mirrored.ts';
import { judgeFilesPublished } from '../../core/doctor/files-published.ts';
import type { Finding, Judgement } from '../../core/doctor/finding.ts';
import { type FloodFacts, judgeFloods } from '../../core/doctor/floods.ts';
import { judgeRoom } from '../../core/doctor/jetstream-room.ts';
import { judgeKeyRotations } from '../../core/doctor/key-rotations.ts';
import { judgeMasters } from '../../core/doctor/masters-alive.ts';
import { judgeNatsLimits } from '../../core/doctor/nats-limits.ts';
import { judgeOpenJobs } from '../../core/doctor/open-jobs.ts';
import { judgePeels } from '../../core/doctor/peels-seen.ts';
import { judgeReplicas } from '../../core/doctor/replicas.ts';
import { judgeServerVersions } from '../../core/doctor/server-version.ts';
import { judgeStoreHistory, type StoreHistoryFacts } from '../../core/doctor/store-history.ts';
import { lossOf } from '../../core/store-loss.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { msFromNanos, nanosFromMs } from '../../wire/msgpack/time.ts';
import { ALL_BUCKETS, BUCKETS } from '../../wire/names/buckets.ts';
import { consumerInfoSubject, JS_API_INFO, JS_ERROR } from '../../wire/names/jetstream.ts';
import { STORE_WATCH_KEY } from '../../wire/names/keys.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS, CONSUMERS, STREAMS } from '../../wire/names/streams.ts';
import { parseStoreWatch, type StoreLoss, type StoreMark } from '../../wire/records/store-watch.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext } from '../client-context.ts';
import type { FleetAddress } from '../connect-fleet.ts';
import { readEnrollments } from '../enroll/read-enrollments.ts';
import { readFilesStatus } from '../files/files-status.ts';
import { lookAtKey } from '../fleet-key/ask-fleet-key.ts';
import { readMasters } from '../masters/read-masters.ts';
import { unlessMissing } from '../unless-missing.ts';
import { askAccounts } from './ask-accounts.ts';
import { askServers } from './ask-servers.ts';
import * as facts from './bus-facts.ts';
import { type Check, examine } from './examine.ts';
import { readPeels } from './read-peels.ts';

const ASSETS = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
const ABSENT: readonly number[] = [JS_ERROR.consumerNotFound, JS_ERROR.streamNotFound];

export interface Examined {
  /** Where its servers are, and the credentials to ask them with. */
  readonly address: FleetAddress;
  /** The configuration of a server of this fleet, where it can be read here: it stands in for what the server does not say. */
  readonly serverConfig: string | undefined;
}

export function examineFleet(client: ClientContext, examined: Examined): Promise<Finding[]> {
  const { clock } = client.runtime;
  const findings = Promise.all(fleetChecks(client, examined).map((check) => examine(check, clock)));
  return unlessAborted(findings, client.signal);
}

function fleetChecks(client: ClientContext, { address, serverConfig }: Examined): Check[] {
  const { bus, runtime } = client;
  const { clock } = runtime;
  const servers = once(() => askServers(address, runtime));
  const assets = once(() => inspectAssets(bus, ASSETS));
  const masters = once(() => readMasters(client));
  const peels = once(() => readPeels(bus));
  const files = once(() => readFilesStatus(client));
  const enrolled = once(() => readEnrollmentFacts(client));
  const here = once(() => unlessMissing(readStoreClock(bus, STREAMS.jobEvents.name, clock), undefined));
  const judged: Readonly<Record<string, () => Promise<Judgement>>> = {
    'nats-version': async () => judgeServerVersions(facts.versionFacts(await servers(), bus.server())),
    'nats-servers': async () => judgeCluster(facts.clusterFacts(await servers())),
    'nats-limits': async () => judgeNatsLimits(await servers()),
    jetstream: async () => judgeRoom(facts.roomFacts(await bus.api(JS_API_INFO, {}), await servers())),
    durability: async () =>
      judgeDurability(facts.durabilityFacts(await assets(), await servers(), serverConfig)),
    replicas: async () => judgeReplicas(facts.replicaFacts(await assets(), await servers())),
    assets: async () => judgeDrift(facts.driftFacts(await assets(), await masters())),
    'store-history': async () => judgeStoreHistory(await readStoreHistory(bus, clock.nowMs())),
    clocks: async () =>
      judgeClocks(facts.clockFacts(await here(), await servers(), await masters(), await peels())),
    accounts: async () => judgeAccountDocuments(await askAccounts(bus, address, runtime)),
    masters: async () => judgeMasters(facts.masterFacts(await masters())),
    peels: async () => judgePeels(facts.peelFacts(await peels())),
    enrollments: async () => judgeEnrollments(await enrolled()),
    keys: async () =>
      judgeKeyRotations({
        fleet: await lookAtKey(client, 'fleet'),
        agents: await lookAtKey(client, 'agents'),
        now: nanosFromMs(clock.nowMs()),
      }),
    'peel-credentials': async () => judgePeelCredentials(await enrolled()),
    files: async () => judgeFilesPublished(facts.filesPublishedFacts(await files(), await masters())),
    'peel-files': async () =>
      judgeFilesMirrored(facts.filesMirroredFacts(await files(), (await masters()).nowMs)),
    jobs: async () => judgeOpenJobs(facts.openJobFacts(await masters())),
    floods: async () => judgeFloods(await readBans(bus, clock.nowMs())),
    'late-returns': async () => judgeLag(await readLag(bus)),
  };
  return Object.entries(judged).map(([name, run]) => ({ name, run }));
}

/** Everybody who asks waits for the same reading. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

async function readBans(bus: Bus, nowMs: number): Promise<FloodFacts> {
  const entries = await unlessMissing(openTable(bus, TABLES.floodBans).entries(), []);
  const bans = entries.flatMap((entry) =>
    entry.is === 'found'
      ? [{ ...entry.value, peel: entry.value.peelId, untilMs: msFromNanos(entry.value.until) }]
      : [],
  );
  return { bans, nowMs };
}

async function readEnrollmentFacts(client: ClientContext): Promise<EnrollmentFacts> {
  const { enrollments, unreadable } = await readEnrollments(client);
  const now = nanosFromMs(client.runtime.clock.nowMs());
  return { enrollments, unreadable: unreadable.length, now };
}

async function readLag(bus: Bus): Promise<LagFacts> {
  const { stream, name } = CONSUMERS.lateReturns;
  const subject = consumerInfoSubject(stream, name);
  const info = await bus.tryApi(subject, {});
  if ('refusal' in info) {
    if (ABSENT.includes(info.refusal.errorCode)) return 'absent';
    throw refusalError(subject, info.refusal);
  }
  const { num_pending: waiting, num_ack_pending: inWork, num_redelivered: redelivered } = info.answer;
  return {
    waiting: Number(waiting ?? 0),
    inWork: Number(inWork ?? 0),
    redelivered: Number(redelivered ?? 0),
  };
}

/** What masters wrote down of the streams of jobs, compared with what their leaders say now. */
export async function readStoreHistory(bus: Bus, nowMs: number): Promise<StoreHistoryFacts> {
  const read = await unlessMissing(bus.bucket(BUCKETS.storeWatch.name).getLatest(STORE_WATCH_KEY), undefined);
  const watch = read?.found === true ? parseStoreWatch(read.value) : undefined;
  if (watch === undefined) return 'absent';
  const marks = Object.entries(watch.marks);
  const compared = await Promise.all(marks.map(([asset, mark]) => compareMark(bus, asset, mark)));
  return { losses: watch.losses, unnoticed: compared.filter((loss) => loss !== undefined), nowMs };
}

async function compareMark(bus: Bus, asset: string, mark: StoreMark): Promise<StoreLoss | undefined> {
  const now = await readStore(bus, asset, [mark.sequence]);
  // One that is not there at all is found by the check of assets.
  return now === undefined ? undefined : lossOf(asset, mark, now);
}
