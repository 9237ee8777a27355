/**
 * This file reads what nats-servers say of their connections (CONNZ, in the system account): how much each has sent and taken. The
 * flood guard of the masters asks for few of them, sorted by the server, and for who a user is only where it matters:
 * that comes with the user's whole JWT.
 *
 * An answer that makes no sense counts as none.
 */
import { msFromNanos, parseRfc3339 } from '../wire/msgpack/time.ts';
import { type PeelId, parsePeelId } from '../wire/names/ids.ts';

/** In the server's numbers. It remembers some thousands that have ended. */
export const CONNECTION_STATES = { open: 0, ended: 1 } as const;

/** In the server's spelling. */
export interface ConnectionsQuery {
  /** Of this server only, by its id. */
  readonly server?: string;
  /** Public key of an account. */
  readonly acc?: string;
  readonly cid?: number;
  /** The most recently active first, those that took least of what waits for them, or those that ended last. */
  readonly sort?: 'last' | 'pending' | 'cid' | 'stop';
  /** Those that are open, unless it says otherwise. */
  readonly state?: (typeof CONNECTION_STATES)[keyof typeof CONNECTION_STATES];
  readonly limit?: number;
  readonly offset?: number;
  /** Also who it is. */
  readonly auth?: boolean;
}

export interface ServerConnection {
  /** Id of the server; with `cid` it names the connection. */
  readonly server: string;
  readonly cid: number;
  /** When the server said this, or the connection ended; on the server's clock. */
  readonly atMs: number;
  /** At that time. */
  readonly ageMs: number;
  /** How long ago it ended; undefined: it is open. */
  readonly endedMs: number | undefined;
  readonly inMsgs: number;
  readonly outMsgs: number;
  readonly inBytes: number;
  readonly pendingBytes: number;
  /** When it was asked for, and there is one. */
  readonly user: { readonly publicKey: string; readonly peel: PeelId } | undefined;
}

export interface ServerConnections {
  readonly server: string;
  /** How many there are, those beyond the limit included. */
  readonly total: number;
  readonly connections: readonly ServerConnection[];
}

type Json = Readonly<Record<string, unknown>>;

/** None when it makes no sense. */
export function connectionsIn(text: string): ServerConnections[] {
  const answer = objectIn(text);
  const data = (answer?.data ?? {}) as Json;
  const server = String(data.server_id ?? '');
  const nowMs = timeIn(data.now);
  if (server === '' || Number.isNaN(nowMs)) return [];
  const listed = Array.isArray(data.connections) ? (data.connections as Json[]) : [];
  return [
    {
      server,
      total: count(data.total),
      connections: listed.map((each) => connectionIn(server, nowMs, each)),
    },
  ];
}

function connectionIn(server: string, nowMs: number, each: Json): ServerConnection {
  const [startMs, stopMs] = [timeIn(each.start), timeIn(each.stop)];
  const atMs = Number.isNaN(stopMs) ? nowMs : stopMs;
  return {
    server,
    cid: count(each.cid),
    atMs,
    ageMs: Number.isNaN(startMs) ? Number.POSITIVE_INFINITY : Math.max(0, atMs - startMs),
    endedMs: Number.isNaN(stopMs) ? undefined : Math.max(0, nowMs - stopMs),
    inMsgs: count(each.in_msgs),
    outMsgs: count(each.out_msgs),
    inBytes: count(each.in_bytes),
    pendingBytes: count(each.pending_bytes),
    user: userIn(each),
  };
}

/** The server has checked the JWT; its name is the peel's id. */
function userIn({ authorized_user: publicKey, jwt }: Json): ServerConnection['user'] {
  if (typeof publicKey !== 'string' || typeof jwt !== 'string') return undefined;
  const claims = objectIn(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const peel = parsePeelId(String(claims?.name ?? ''));
  return peel === undefined ? undefined : { publicKey, peel };
}

function objectIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** NaN when it is none. */
function timeIn(value: unknown): number {
  const nanos = typeof value === 'string' ? parseRfc3339(value) : undefined;
  return nanos === undefined ? Number.NaN : msFromNanos(nanos);
}

function count(value: unknown): number {
  return Number.isFinite(value) ? (value as number) : 0;
}
