/**
 * Asks every server of the cluster how it is set, in the system account. Needs sys.creds, which masters have and admins
 * need not; without them nobody can be asked, and the reason says so.
 */
import { collectAnswers } from '../../bus/collect-answers.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { jsonLog } from '../../runtime/log.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { credsPath } from '../../trust/auth-dir.ts';
import { hasSecretFile } from '../../trust/key-files.ts';
import { SERVER_SETTINGS_SUBJECT } from '../../wire/jetstream.ts';
import { msFromNanos, parseRfc3339 } from '../../wire/time.ts';
import { connectAs, type Place } from '../admin-bus.ts';

export type ServersTold = { readonly servers: readonly ServerTold[] } | { readonly notAsked: string };

export interface ServerTold {
  readonly name: string;
  readonly version: string;
  /** Servers that JetStream counts with; 1 without a cluster. */
  readonly clusterSize: number;
  readonly syncAlways: boolean;
  readonly syncIntervalMs: number;
  readonly usedBytes: number;
  readonly maxBytes: number;
  /** Its clock against ours: ahead by this much, give or take `uncertainMs`. */
  readonly aheadMs: number | undefined;
  readonly uncertainMs: number;
}

const QUIET_MS = 400;
const ANSWERS_MS_MAX = 3_000;
const ANSWERS_MAX = 1_000;
const NANOS_PER_MS = 1_000_000;

export async function askServers(place: Place, runtime: Runtime): Promise<ServersTold> {
  const creds = credsPath(place.authDir, 'system');
  if (!hasSecretFile(creds)) return { notAsked: `there is no ${creds}` };
  const { clock } = runtime;
  // What is refused is part of the answer here, not something to log.
  const quiet = { ...runtime, log: jsonLog({ clock, write: () => undefined }) };
  const connection = connectAs('system', place, quiet);
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (connection.status() === 'connected') resolve();
        if (connection.status() === 'closed') reject(connection.failure());
      };
      connection.onStatus(look);
      look();
    });
    const askedMs = clock.nowMs();
    const options = { quietMs: QUIET_MS, msMax: ANSWERS_MS_MAX, answersMax: ANSWERS_MAX };
    const answers = await collectAnswers(connection, clock, SERVER_SETTINGS_SUBJECT, options);
    if (answers.length === 0) return { notAsked: 'no server answered in the system account' };
    return {
      servers: answers.map(({ message, receivedMs }) =>
        serverTold(JSON.parse(Buffer.from(message.data).toString('utf8')), askedMs, receivedMs),
      ),
    };
  } catch (error) {
    if (isZesterError(error, 'BUS_DENIED'))
      return { notAsked: `${creds} may not ask; an older Zester made it` };
    if (isZesterError(error)) return { notAsked: `${error.message} with ${creds}` };
    throw error;
  } finally {
    await connection.close();
  }
}

type Json = Readonly<Record<string, unknown>>;

function serverTold(answer: Json, askedMs: number, receivedMs: number): ServerTold {
  const server = part(answer, 'server');
  const jetstream = part(part(answer, 'data'), 'jetstream');
  const config = part(jetstream, 'config');
  const time = typeof server.time === 'string' ? parseRfc3339(server.time) : undefined;
  const middleMs = (askedMs + receivedMs) / 2;
  return {
    name: String(server.name ?? 'unknown'),
    version: String(server.ver ?? 'unknown'),
    clusterSize: Number(part(jetstream, 'meta').cluster_size ?? 1),
    syncAlways: config.sync_always === true,
    syncIntervalMs: Number(config.sync_interval ?? 0) / NANOS_PER_MS,
    usedBytes: Number(part(jetstream, 'stats').storage ?? 0),
    maxBytes: Number(config.max_storage ?? 0),
    aheadMs: time === undefined ? undefined : msFromNanos(time) - middleMs,
    uncertainMs: (receivedMs - askedMs) / 2,
  };
}

function part(json: Json, key: string): Json {
  const value = json[key];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
