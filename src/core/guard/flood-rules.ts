/**
 * The flood rules decide who floods the bus, from what the servers count of their connections. Pure: the shell asks the servers about
 * once a second and hands over what they said; the same numbers give the same answer.
 *
 * An honest peel keeps to the honest pace (honest-pace.ts), and waits for an answer to nearly everything it sends, a few at a time:
 * it takes about as many messages as it sends. The one thing it sends without, the answer to a direct call, comes after a
 * command that it took. A flooder sends without waiting, and what it got no answer to is what the queues of the store grow by.
 *
 *   unanswered   messages or bytes without an answer within the window. Noticed first; but who wants to hide takes more than was
 *                sent to it: by many subscriptions to one subject, by reads that have many answers, by listening where much is said
 *   sent         messages or bytes within the window, answered or not: nothing hides these
 *   unread       bytes that wait for it, in two looks: it asks and does not take
 *   crowd        connections of one key: a machine has one, and those of before that the server has not noticed to be dead
 *
 * All connections of a user count together, those that ended within the window too: neither many lines nor short ones hide it. Who
 * the user is, is looked up for connections that send more than a 64th of the limits (`isNotable`), as many as one user may have.
 *
 * Time is that of the server that counts, because what it has counted meanwhile is what it says: a master that slept would
 * take an hour for a second. A clock that is put back begins a new window.
 *
 * Bound: the memory has the looks within the window at connections that were told of within it.
 */
export interface ConnectionCounts {
  /** Names the connection among all servers. */
  readonly id: string;
  /** When the server counted; of one that has ended, when it ended. On the clock of the server. */
  readonly atMs: number;
  /** At that time. */
  readonly ageMs: number;
  /** How long ago it ended; undefined: it has not. */
  readonly endedMs: number | undefined;
  readonly inMsgs: number;
  readonly outMsgs: number;
  readonly inBytes: number;
  readonly pendingBytes: number;
}

interface Seen {
  /** When it was last told of, on the clock of whoever looks. */
  readonly toldMs: number;
  /** Within the window, oldest first; at least one. */
  readonly looks: readonly ConnectionCounts[];
}

export type FloodMemory = ReadonlyMap<string, Seen>;
export const NO_FLOOD_MEMORY: FloodMemory = new Map();

export interface Suspect {
  /** Its connections, those that have ended too. */
  readonly ids: readonly string[];
  /** Those that have not. */
  readonly open: readonly string[];
  /** For people. */
  readonly reason: string;
}

export const WINDOW_MS = 5_000;
/** What an honest peel has under way is below 100, and 16 MiB; one that dies every second with all of it leaves five times that. */
export const UNANSWERED_MAX = 8_000;
export const UNANSWERED_BYTES_MAX = 128 * 1_048_576;
/** 10,000 and 51 MiB a second: an honest pace allows half of it in five seconds, and not all of it to one that begins anew every second. */
export const SENT_MAX = 50_000;
export const SENT_BYTES_MAX = 256 * 1_048_576;
/** Of one connection. A mirror has 8 files of half a MiB under way, in each of two sets. */
export const PENDING_BYTES_MAX = 33 * 1_048_576;
/** Of a user: connections that died while files came are there until the server could not write to them for ten seconds. */
export const USER_PENDING_BYTES_MAX = 128 * 1_048_576;
const PENDING_LOOKS = 2;
/**
 * Of one user key, on all servers together. A server notices after six minutes that a machine without power is gone: one that loses it every
 * ten seconds has 36.
 */
export const CONNECTIONS_MAX = 64;

/** What is known after a look. */
export function remember(
  memory: FloodMemory,
  found: readonly ConnectionCounts[],
  nowMs: number,
): FloodMemory {
  const next = new Map([...memory].filter(([, { toldMs }]) => nowMs - toldMs <= WINDOW_MS));
  for (const counts of found) {
    const nowAtMs = counts.atMs + (counts.endedMs ?? 0);
    const before = next.get(counts.id)?.looks ?? firstLooks(counts);
    const isWithin = ({ atMs }: ConnectionCounts) => atMs < counts.atMs && nowAtMs - atMs <= WINDOW_MS;
    next.set(counts.id, { toldMs: nowMs, looks: [...before.filter(isWithin), counts] });
  }
  return next;
}

/** A connection that is younger than the window began with nothing; of an older one only what comes counts. */
function firstLooks(counts: ConnectionCounts): ConnectionCounts[] {
  const { id, atMs, ageMs } = counts;
  if (ageMs > WINDOW_MS) return [];
  const nothing = { inMsgs: 0, outMsgs: 0, inBytes: 0, pendingBytes: 0 };
  return [{ id, atMs: atMs - Math.max(1, ageMs), ageMs: 0, endedMs: undefined, ...nothing }];
}

interface Deeds {
  readonly sent: number;
  readonly taken: number;
  readonly bytes: number;
  /** Each for its connection: what one takes answers nothing that another sent. */
  readonly unanswered: number;
  readonly unansweredBytes: number;
  readonly ms: number;
  /** What waited for it in every one of the last looks. */
  readonly unreadBytes: number;
}

/** Connections that are worth asking for their user: the busiest first. */
export function notable(memory: FloodMemory): readonly string[] {
  return [...memory]
    .map(([id, { looks }]) => ({ id, deeds: deedsOf(looks) }))
    .filter(({ deeds }) => isNotable(deeds))
    .toSorted((a, b) => weight(b.deeds) - weight(a.deeds))
    .map(({ id }) => id);
}

function isNotable(deeds: Deeds): boolean {
  return weight(deeds) * CONNECTIONS_MAX >= 1;
}

/** How much of what is allowed, by whichever rule it is most. */
function weight({ sent, bytes, unanswered, unansweredBytes, unreadBytes }: Deeds): number {
  return Math.max(
    unanswered / UNANSWERED_MAX,
    unansweredBytes / UNANSWERED_BYTES_MAX,
    sent / SENT_MAX,
    bytes / SENT_BYTES_MAX,
    unreadBytes / PENDING_BYTES_MAX,
  );
}

/** Who floods. `userOf` names the user of a connection; those without one count for themselves. */
export function floodsIn(
  memory: FloodMemory,
  userOf: (id: string) => string | undefined,
): readonly Suspect[] {
  const users = new Map<string, string[]>();
  for (const id of memory.keys()) {
    const user = userOf(id) ?? id;
    users.set(user, [...(users.get(user) ?? []), id]);
  }
  return [...users.values()].flatMap((ids) => {
    const reason = floodOf(ids.map((id) => deedsOf(memory.get(id)?.looks ?? [])));
    return reason === undefined ? [] : [{ ids, open: ids.filter((id) => !isEnded(memory, id)), reason }];
  });
}

export function isEnded(memory: FloodMemory, id: string): boolean {
  return memory.get(id)?.looks.at(-1)?.endedMs !== undefined;
}

function deedsOf(looks: readonly ConnectionCounts[]): Deeds {
  const last = looks.at(-1);
  const first = looks[0] ?? last;
  const grown = (of: (counts: ConnectionCounts) => number) =>
    first === undefined || last === undefined ? 0 : Math.max(0, of(last) - of(first));
  const [sent, taken, bytes] = [grown((c) => c.inMsgs), grown((c) => c.outMsgs), grown((c) => c.inBytes)];
  const unanswered = Math.max(0, sent - taken);
  const unread = last?.endedMs === undefined ? looks.slice(-PENDING_LOOKS) : [];
  return {
    sent,
    taken,
    bytes,
    unanswered,
    unansweredBytes: sent === 0 ? 0 : (bytes * unanswered) / sent,
    ms: grown(({ atMs }) => atMs),
    unreadBytes:
      unread.length < PENDING_LOOKS ? 0 : Math.min(...unread.map(({ pendingBytes }) => pendingBytes)),
  };
}

/** Of the connections of one user. */
function floodOf(all: readonly Deeds[]): string | undefined {
  const sum = (of: (deeds: Deeds) => number) => all.reduce((total, deeds) => total + of(deeds), 0);
  const [sent, bytes, unreadBytes] = [
    sum((one) => one.sent),
    sum((one) => one.bytes),
    sum((one) => one.unreadBytes),
  ];
  const seconds = Math.max(1, Math.round(Math.max(...all.map(({ ms }) => ms)) / 1_000));
  const told = `sent ${sent} messages (${mebibytes(bytes)} MiB) in ${seconds} s${on(all.filter((one) => one.sent > 0))}`;
  if (
    sum((one) => one.unanswered) >= UNANSWERED_MAX ||
    sum((one) => one.unansweredBytes) >= UNANSWERED_BYTES_MAX
  )
    return `${told} and took ${sum((one) => one.taken)}`;
  if (sent >= SENT_MAX || bytes >= SENT_BYTES_MAX) return `${told}, more than a peel does`;
  if (all.some((one) => one.unreadBytes >= PENDING_BYTES_MAX) || unreadBytes >= USER_PENDING_BYTES_MAX)
    return `let ${mebibytes(unreadBytes)} MiB wait for it${on(all.filter((one) => one.unreadBytes > 0))} and did not take them`;
  return undefined;
}

function on({ length }: readonly Deeds[]): string {
  return length > 1 ? ` on ${length} connections` : '';
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
