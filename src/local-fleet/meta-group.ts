/**
 * This file tells whether the servers of a local cluster have come together: one meta group of all of them, in step. It
 * asks in the system account, as masters and `zester doctor` do.
 *
 * Of three servers that start for the first time in the same moment, two sometimes form a group that never takes in the
 * third (2 of 20 trials with nats-server 2.10.27, and none of 20 when the third comes after the first two have a leader).
 * So the last one is started when the others have a leader; and one that is left out all the same, as happens when the
 * machine is busy, is started again, which takes it in (local-servers.ts).
 */
import { collectAnswers } from '../bus/collect-answers.ts';
import type { Connection } from '../bus/connection.ts';
import { isTransient } from '../bus/failed-call.ts';
import { type Clock, sleep } from '../runtime/clock.ts';
import { SERVER_SETTINGS_SUBJECT } from '../wire/names/jetstream.ts';

/** What one server says of the group. */
export interface GroupView {
  readonly server: string;
  /** Empty while there is none. */
  readonly leader: string;
  readonly size: number;
  /** The others that are in step; only the leader knows. */
  readonly inStep: number;
  /** The names of the others; only the leader lists them. */
  readonly others: readonly string[];
}

export interface GroupWanted {
  /** That are running. */
  readonly servers: number;
  readonly msMax: number;
  readonly isThere: (views: readonly GroupView[], servers: number) => boolean;
}

const ANSWER_MS_MAX = 1_000;
const LOOK_MS = 100;
const LOOKS_IN_A_ROW = 3;

export function hasLeader(views: readonly GroupView[]): boolean {
  const leaders = new Set(views.map(({ leader }) => leader));
  return leaders.size === 1 && !leaders.has('');
}

export function isWhole(views: readonly GroupView[], servers: number): boolean {
  return (
    hasLeader(views) &&
    views.length === servers &&
    views.every(({ size }) => size === servers) &&
    views.some(({ server, leader, inStep }) => server === leader && inStep === servers - 1)
  );
}

/** Servers that are there and that the leader does not count: they never join by themselves. */
export function leftOut(views: readonly GroupView[]): string[] {
  const leader = views.find(({ server, leader }) => server === leader);
  if (leader === undefined) return [];
  const members = new Set([leader.server, ...leader.others]);
  return views.map(({ server }) => server).filter((server) => !members.has(server));
}

export interface GroupSeen {
  readonly isThere: boolean;
  /** What the servers said last. */
  readonly views: readonly GroupView[];
}

/** Resolves when it is so and stays so for a moment, or when it is not in time. */
export async function whenGroup(
  connection: Connection,
  clock: Clock,
  { servers, msMax, isThere }: GroupWanted,
  signal: AbortSignal,
): Promise<GroupSeen> {
  const untilMs = clock.monotonicMs() + msMax;
  let views: readonly GroupView[] = [];
  for (let inARow = 0; inARow < LOOKS_IN_A_ROW; ) {
    if (clock.monotonicMs() > untilMs) return { isThere: false, views };
    views = await askGroup(connection, clock, servers);
    inARow = isThere(views, servers) ? inARow + 1 : 0;
    await sleep(clock, LOOK_MS, signal);
  }
  return { isThere: true, views };
}

async function askGroup(connection: Connection, clock: Clock, servers: number): Promise<GroupView[]> {
  const options = { quietMs: ANSWER_MS_MAX, msMax: ANSWER_MS_MAX, answersMax: servers };
  try {
    const answers = await collectAnswers(connection, clock, SERVER_SETTINGS_SUBJECT, options);
    return answers.map(({ message }) => groupView(JSON.parse(Buffer.from(message.data).toString('utf8'))));
  } catch (error) {
    // Not connected yet, or the server we talked to is just being started again.
    if (isTransient(error)) return [];
    throw error;
  }
}

interface Settings {
  readonly server?: { readonly name?: string };
  readonly data?: {
    readonly jetstream?: {
      readonly meta?: {
        readonly leader?: string;
        readonly cluster_size?: number;
        readonly replicas?: readonly {
          readonly name?: string;
          readonly current?: boolean;
          readonly offline?: boolean;
        }[];
      };
    };
  };
}

function groupView({ server, data }: Settings): GroupView {
  const meta = data?.jetstream?.meta;
  return {
    server: server?.name ?? '',
    leader: meta?.leader ?? '',
    size: meta?.cluster_size ?? 0,
    inStep: (meta?.replicas ?? []).filter(({ current, offline }) => current && !offline).length,
    others: (meta?.replicas ?? []).map(({ name = '' }) => name),
  };
}
