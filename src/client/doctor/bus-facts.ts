/** This file makes what the judges in core/doctor want to know from what was read. Pure. */
import type { AssetState } from '../../bus/inspect-assets.ts';
import type { ServerFacts } from '../../bus/port.ts';
import { SERVER_FLOOR } from '../../bus/server-floor.ts';
import type { StoreClock } from '../../bus/stream/store-clock.ts';
import { clusterShape, serverCount } from '../../core/cluster-shape.ts';
import type { DriftFacts } from '../../core/doctor/asset-drift.ts';
import type { ClockFacts, ClockOffset } from '../../core/doctor/clock-skew.ts';
import type { ClusterFacts } from '../../core/doctor/cluster-size.ts';
import type { DurabilityFacts } from '../../core/doctor/durability.ts';
import type { FilesMirroredFacts } from '../../core/doctor/files-mirrored.ts';
import type { FilesPublishedFacts } from '../../core/doctor/files-published.ts';
import type { RoomFacts } from '../../core/doctor/jetstream-room.ts';
import type { MasterFacts } from '../../core/doctor/masters-alive.ts';
import type { OpenJobFacts } from '../../core/doctor/open-jobs.ts';
import type { PeelFacts } from '../../core/doctor/peels-seen.ts';
import type { ReplicaFacts } from '../../core/doctor/replicas.ts';
import type { VersionFacts } from '../../core/doctor/server-version.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { FilesStatus } from '../files/files-status.ts';
import { type MasterCondition, masterStandings } from '../masters/master-standing.ts';
import type { MastersSeen } from '../masters/read-masters.ts';
import type { ServersTold, ServerTold } from './ask-servers.ts';
import type { PeelsSeen } from './read-peels.ts';

/** nats-server's own default. */
const SYNC_DEFAULT_MS = 120_000;

export function versionFacts(told: ServersTold, connectedTo: ServerFacts | undefined): VersionFacts {
  const floor = SERVER_FLOOR;
  if ('servers' in told) return { servers: told.servers, floor, isComplete: true };
  const { name = 'unknown', version = 'unknown' } = connectedTo ?? {};
  return { servers: [{ name, version }], floor, isComplete: false };
}

export function clusterFacts(told: ServersTold): ClusterFacts {
  if ('notAsked' in told) return told;
  return clusterShape(told.servers);
}

/** `account`: what JetStream says of ours. */
export function roomFacts(account: Readonly<Record<string, unknown>>, told: ServersTold): RoomFacts {
  const usedBytes = Number(account.storage ?? 0);
  const maxBytes = Number((account.limits as { max_storage?: unknown } | undefined)?.max_storage ?? 0);
  const ofServers = 'servers' in told ? told.servers : [];
  const limits = [{ name: 'the account', usedBytes, maxBytes }, ...ofServers];
  return { usedBytes, limits: limits.filter((limit) => limit.maxBytes > 0) };
}

/** `localConfig`: the configuration of the server of a local deployment. */
export function durabilityFacts(
  assets: readonly AssetState[],
  told: ServersTold,
  localConfig: string | undefined,
): DurabilityFacts {
  const critical = assets.filter(({ tier }) => tier === 'critical').flatMap(({ found }) => found ?? []);
  return {
    copies: critical.length === 0 ? undefined : Math.min(...critical.map(({ replicas }) => replicas)),
    sync: syncOf(told, localConfig),
  };
}

function syncOf(told: ServersTold, localConfig: string | undefined): DurabilityFacts['sync'] {
  if ('servers' in told)
    return told.servers.map(({ name, syncAlways, syncIntervalMs }) => ({
      name,
      always: syncAlways,
      intervalMs: syncIntervalMs,
    }));
  if (localConfig === undefined) return { notKnown: `not known, because ${told.notAsked}` };
  const always = /^\s*sync_interval: always$/m.test(localConfig);
  return [{ name: 'by its configuration', always, intervalMs: SYNC_DEFAULT_MS }];
}

export function replicaFacts(assets: readonly AssetState[], told: ServersTold): ReplicaFacts {
  return {
    assets: assets.flatMap(({ asset, tier, found }) =>
      found === undefined ? [] : [{ asset, tier, ...found }],
    ),
    servers: 'servers' in told ? serverCount(clusterShape(told.servers)) : undefined,
  };
}

export function driftFacts(assets: readonly AssetState[], masters: MastersSeen): DriftFacts {
  return {
    assets: assets.map(({ asset, found }) => ({ asset, drift: found?.drift })),
    mastersAlive: mastersIn('alive', masters).length,
  };
}

/** Heartbeats carry the time of who wrote them, and the store stamps them with its own. */
export function clockFacts(
  here: StoreClock | undefined,
  told: ServersTold,
  masters: MastersSeen,
  peels: PeelsSeen,
): ClockFacts {
  const hereOffset = here === undefined ? undefined : offsetHere(here);
  const { offsetMs: hereMs = 0, uncertainMs: hereUncertainMs = 0 } = hereOffset ?? {};
  const ofServer = ({ name, aheadMs, uncertainMs }: ServerTold): ClockOffset[] =>
    aheadMs === undefined
      ? []
      : [{ name, offsetMs: aheadMs + hereMs, uncertainMs: uncertainMs + hereUncertainMs }];
  const ofBeat = (name: string, beat: { readonly timestamp: bigint } | undefined, writtenMs: number) =>
    beat === undefined ? [] : [{ name, offsetMs: msFromNanos(beat.timestamp) - writtenMs, uncertainMs: 0 }];
  return {
    here: hereOffset,
    servers: ('servers' in told ? told.servers : []).flatMap(ofServer),
    masters: masters.beats.flatMap(({ id, beat, writtenMs }) => ofBeat(id, beat, writtenMs)),
    peels: [...peels.beats].flatMap(([id, { beat, writtenMs }]) => ofBeat(id, beat, writtenMs)),
  };
}

function offsetHere({ askedMs, answeredMs, storeMs }: StoreClock): ClockOffset {
  return {
    name: 'this machine',
    offsetMs: (askedMs + answeredMs) / 2 - storeMs,
    uncertainMs: (answeredMs - askedMs) / 2,
  };
}

export function masterFacts(masters: MastersSeen): MasterFacts {
  const problems = masterStandings(masters).flatMap(({ id, state, problem }) =>
    state === 'alive' && problem !== '' ? [`${id}: ${problem}`] : [],
  );
  return { alive: mastersIn('alive', masters), leaving: mastersIn('leaving', masters), problems };
}

function mastersIn(state: MasterCondition, masters: MastersSeen): string[] {
  return masterStandings(masters).flatMap((master) => (master.state === state ? [master.id] : []));
}

export function peelFacts({ known, beats }: PeelsSeen): PeelFacts {
  return { known: known.length, silent: known.filter((peel) => !beats.has(peel)) };
}

export function filesPublishedFacts(
  { publisher, sets }: FilesStatus,
  masters: MastersSeen,
): FilesPublishedFacts {
  const alive = new Set(mastersIn('alive', masters));
  const isPublisher = (id: string) => !isZesterError(publisher) && publisher.master === id;
  return {
    publisher: isZesterError(publisher)
      ? { nobody: publisher.message }
      : { name: `${publisher.master} on ${publisher.host}` },
    sets: sets.map(({ set, published, revision = 0, problem, report }) => ({
      set,
      published,
      revision,
      problem,
      state: report?.state ?? '',
      note: report?.note ?? '',
    })),
    // The publisher speaks for itself.
    masters: masters.beats.flatMap(({ id, beat }) =>
      beat === undefined || beat.filesProblem === '' || !alive.has(id) || isPublisher(id)
        ? []
        : [{ name: `${id} on ${beat.host}`, problem: beat.filesProblem }],
    ),
  };
}

/** `nowMs` on the store's clock, which is on what was published. */
export function filesMirroredFacts({ sets, peels }: FilesStatus, nowMs: number): FilesMirroredFacts {
  const written = sets.flatMap(({ writtenMs }) => writtenMs ?? []);
  return {
    peels: peels.map(({ id, state, beat }) => ({ name: id, state, problem: beat?.filesProblem ?? '' })),
    publishedAgoMs: written.length === 0 ? undefined : nowMs - Math.max(...written),
  };
}

export function openJobFacts(masters: MastersSeen): OpenJobFacts {
  const alive = new Set(mastersIn('alive', masters));
  return {
    open: masters.openJobs.length,
    ownerless: masters.openJobs.flatMap(({ jid, owner }) => (alive.has(owner) ? [] : [jid])),
    mastersAlive: alive.size,
  };
}
