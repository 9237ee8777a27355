/**
 * The flood rules decide which connections flood the bus, from what the servers count. Pure: the shell asks the servers about once a
 * second and hands over what they said; the same numbers give the same answer.
 *
 * An honest peel waits for an answer to nearly everything it sends, a few at a time: it takes about as many messages as
 * it sends, whatever it has to catch up with. A spool of 4,096 returns after an outage goes out 16 at a time, a mirror reads
 * 32 files at a time. A flooder sends without waiting, so what it sent and got no answer to grows, and that is exactly
 * what the queues of the store grow by. Who asks and takes the answers harms the servers only by their number, and may
 * do so much longer.
 *
 *   unanswered   messages or bytes without an answer within the window: sends faster than the store can take
 *   asking       messages within the window, answered or not
 *   unread       bytes that wait for it, in three looks: it asks and does not take
 *   crowd        connections of one key: a machine has one, and one more while it comes back
 *
 * Bound: `remembered` keeps the last looks at the connections that were told of within the window.
 */
export interface ConnectionCounts {
  /** Names the connection among all servers. */
  readonly id: string;
  readonly ageMs: number;
  readonly inMsgs: number;
  readonly outMsgs: number;
  readonly inBytes: number;
  readonly pendingBytes: number;
}

interface Look {
  readonly atMs: number;
  readonly counts: ConnectionCounts;
}

/** The looks within the window, oldest first. */
export type FloodMemory = ReadonlyMap<string, readonly Look[]>;
export const NO_FLOOD_MEMORY: FloodMemory = new Map();

export interface Suspect {
  readonly id: string;
  /** For people. */
  readonly reason: string;
}

const WINDOW_MS = 5_000;
/** What an honest peel has under way is below 100. */
export const UNANSWERED_MAX = 8_000;
export const UNANSWERED_BYTES_MAX = 64 * 1_048_576;
/** 40,000 a second, with their answers: several times what a mirror of a large tree asks for. */
export const ASKED_MAX = 200_000;
/** A reader of large files has 32 MiB under way for a moment. */
export const PENDING_BYTES_MAX = 33 * 1_048_576;
const PENDING_LOOKS = 3;
/** Of one user key, on all servers together. */
export const CONNECTIONS_MAX = 16;

/** What is known after a look, and who floods by it. */
export function judgeConnections(
  memory: FloodMemory,
  found: readonly ConnectionCounts[],
  nowMs: number,
): { readonly memory: FloodMemory; readonly suspects: readonly Suspect[] } {
  const next = new Map<string, readonly Look[]>();
  for (const [id, looks] of memory) {
    const kept = looks.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS);
    if (kept.length > 0) next.set(id, kept);
  }
  const suspects: Suspect[] = [];
  for (const counts of found) {
    const looks = [...(next.get(counts.id) ?? firstLooks(counts, nowMs)), { atMs: nowMs, counts }];
    next.set(counts.id, looks);
    const reason = floodOf(looks);
    if (reason !== undefined) suspects.push({ id: counts.id, reason });
  }
  return { memory: next, suspects };
}

/** A connection that is younger than the window began with nothing; of an older one only what comes counts. */
function firstLooks({ id, ageMs }: ConnectionCounts, nowMs: number): Look[] {
  if (ageMs > WINDOW_MS) return [];
  const nothing = { id, ageMs: 0, inMsgs: 0, outMsgs: 0, inBytes: 0, pendingBytes: 0 };
  return [{ atMs: nowMs - ageMs, counts: nothing }];
}

function floodOf(looks: readonly Look[]): string | undefined {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const seconds = Math.max(1, Math.round((last.atMs - first.atMs) / 1_000));
  const sent = Math.max(0, last.counts.inMsgs - first.counts.inMsgs);
  const taken = Math.max(0, last.counts.outMsgs - first.counts.outMsgs);
  const unanswered = Math.max(0, sent - taken);
  const bytes = Math.max(0, last.counts.inBytes - first.counts.inBytes);
  const unansweredBytes = sent === 0 ? 0 : (bytes * unanswered) / sent;
  if (unanswered >= UNANSWERED_MAX || unansweredBytes >= UNANSWERED_BYTES_MAX)
    return `sent ${sent} messages (${mebibytes(bytes)} MiB) in ${seconds} s and waited for no answer`;
  if (sent >= ASKED_MAX) return `asked ${sent} questions in ${seconds} s`;
  const unread = looks.slice(-PENDING_LOOKS).map(({ counts }) => counts.pendingBytes);
  if (unread.length === PENDING_LOOKS && unread.every((pending) => pending >= PENDING_BYTES_MAX))
    return `let ${mebibytes(last.counts.pendingBytes)} MiB wait for it on one connection and did not take them`;
  return undefined;
}

/** Users with too many connections, with their number. */
export function crowdsIn(users: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const user of users) counts.set(user, (counts.get(user) ?? 0) + 1);
  return new Map(
    [...counts]
      .filter(([, count]) => count > CONNECTIONS_MAX)
      .map(([user, count]) => [user, `had ${count} connections at the same time`]),
  );
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

export interface BanTimes {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** 1 for the first one lately. */
  readonly count: number;
}

const MINUTE_MS = 60_000;
const BAN_MS: readonly number[] = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
const LONGEST_MS = 60 * MINUTE_MS;
export const FORGOTTEN_AFTER_MS = 24 * 60 * MINUTE_MS;

/**
 * For how long a peel that floods is kept out: longer each time, and as at first when it was quiet for a day after the last one.
 * Undefined while a ban lasts: what is seen of a peel that was just banned is its past.
 */
export function nextBan(last: BanTimes | undefined, nowMs: number): BanTimes | undefined {
  if (last !== undefined && nowMs < last.untilMs) return undefined;
  const isForgotten = last === undefined || nowMs - last.untilMs >= FORGOTTEN_AFTER_MS;
  const count = isForgotten ? 1 : last.count + 1;
  return { sinceMs: nowMs, untilMs: nowMs + (BAN_MS[count - 1] ?? LONGEST_MS), count };
}
