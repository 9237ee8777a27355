/**
 * This file asks every server of the cluster how it is set and what it knows of the others, in the system account: no
 * other account may ask, and the addresses that servers tell their clients are more than the servers where one has several.
 * A server that is away does not answer; the others count it all the same (core/cluster-shape.ts).
 */
import type { ServerShape } from '../core/cluster-shape.ts';
import type { ServerLimits } from '../core/server-limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { msFromNanos, parseRfc3339 } from '../wire/msgpack/time.ts';
import { SERVER_SETTINGS_SUBJECT } from '../wire/names/jetstream.ts';
import { collectAnswers } from './collect-answers.ts';
import type { Connection } from './connection.ts';

export interface ServerSettings extends ServerShape {
  readonly version: string;
  readonly syncAlways: boolean;
  readonly syncIntervalMs: number;
  readonly usedBytes: number;
  /** 0 when there is no limit, or no JetStream. */
  readonly maxBytes: number;
  /** 0 where there is none. */
  readonly limits: ServerLimits;
  /** What its clock said, and when that arrived here. */
  readonly saidMs: number | undefined;
  readonly receivedMs: number;
}

const QUIET_MS = 400;
const ANSWERS_MS_MAX = 3_000;
const ANSWERS_MAX = 1_000;
const NANOS_PER_MS = 1_000_000;

/** None when nobody answers. Rejects with BUS_DENIED when the credentials may not ask. */
export async function readServerSettings(connection: Connection, clock: Clock): Promise<ServerSettings[]> {
  const options = { quietMs: QUIET_MS, msMax: ANSWERS_MS_MAX, answersMax: ANSWERS_MAX };
  const answers = await collectAnswers(connection, clock, SERVER_SETTINGS_SUBJECT, options);
  return answers.map(({ message, receivedMs }) =>
    settingsIn(JSON.parse(Buffer.from(message.data).toString('utf8')), receivedMs),
  );
}

type Json = Readonly<Record<string, unknown>>;

function settingsIn(answer: Json, receivedMs: number): ServerSettings {
  const server = part(answer, 'server');
  const data = part(answer, 'data');
  const jetstream = part(data, 'jetstream');
  const config = part(jetstream, 'config');
  const meta = part(jetstream, 'meta');
  const time = typeof server.time === 'string' ? parseRfc3339(server.time) : undefined;
  return {
    name: String(server.name ?? 'unknown'),
    version: String(server.ver ?? 'unknown'),
    hasJetStream: jetstream.config !== undefined,
    metaSize: Math.max(1, Number(meta.cluster_size ?? 1)),
    metaLeader: String(meta.leader ?? ''),
    metaPeers: list(meta, 'replicas').map((peer) => String((peer as Json).name ?? 'unknown')),
    routes: list(part(data, 'cluster'), 'urls').map(String),
    syncAlways: config.sync_always === true,
    syncIntervalMs: Number(config.sync_interval ?? 0) / NANOS_PER_MS,
    usedBytes: Number(part(jetstream, 'stats').storage ?? 0),
    maxBytes: Number(config.max_storage ?? 0),
    limits: {
      payloadBytes: Number(data.max_payload ?? 0),
      pendingBytes: Number(data.max_pending ?? 0),
      connections: Number(data.max_connections ?? 0),
      subscriptions: Number(data.max_subscriptions ?? 0),
      writeDeadlineMs: Number(data.write_deadline ?? 0) / NANOS_PER_MS,
    },
    saidMs: time === undefined ? undefined : msFromNanos(time),
    receivedMs,
  };
}

function part(json: Json, key: string): Json {
  const value = json[key];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function list(json: Json, key: string): readonly unknown[] {
  const value = json[key];
  return Array.isArray(value) ? value : [];
}
