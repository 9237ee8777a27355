/**
 * The server limits are what a nats-server, and the account of the peels, must be told to bound what one client can cost. Written
 * into the configuration of `zester up` (trust/server-config.ts) and into the account documents (trust/accounts), compared by `zester doctor`
 * with what servers say of themselves. The guide `nats.md` has the same values and the arithmetic.
 *
 * What the server does at a limit: a connection, a subscription too many is refused; a message that is too long ends its connection, and
 * so does more than is allowed to wait for a client. All but `max_connections` count for one connection, so nobody
 * else notices. That one is for all clients together: peels have a limit of their own below it, so however many connections they open,
 * masters, admins and the system user still get in, and the flood guard can do its work.
 */

/** In the unit of the name. Also of masters and admins: a server has no limits by account. */
export interface ServerLimits {
  readonly payloadBytes: number;
  readonly pendingBytes: number;
  readonly connections: number;
  readonly subscriptions: number;
  readonly writeDeadlineMs: number;
}

/** Of all peels, on all servers together: three times 10,000, which may count twice while a server that died is still counted with. */
export const AGENT_CONNECTIONS_MAX = 32_768;
/** Of one connection of a peel, which needs about twenty. */
export const PEEL_SUBSCRIPTIONS_MAX = 1_024;
/**
 * Of one connection of a peel, which the server tells it when it connects. Not more than `max_payload`: a server that takes less than this writes an
 * error into its log for every peel that connects.
 */
export const PEEL_PAYLOAD_BYTES_MAX = 1_048_576;
/** What stays free for masters, admins and the system user on each server when all peels are on it. */
const TRUSTED_CONNECTIONS = 1_024;
/** A process of the guide's unit may have 65,536 files and sockets; the stores need some of them. */
const SOCKETS_MAX = 65_536 - 4_096;
const MIB = 1_048_576;

/** One setting: its name for the server, what to write, and between which values it is as good. */
export interface LimitRule {
  readonly limit: keyof ServerLimits;
  readonly setting: string;
  readonly wanted: number;
  readonly least: number;
  readonly most: number;
}

export const SERVER_LIMIT_RULES: readonly LimitRule[] = [
  // Published files are values of half a MiB and objects in pieces; nothing of Zester is longer than 8 MiB.
  {
    limit: 'payloadBytes',
    setting: 'max_payload',
    wanted: MIB,
    least: PEEL_PAYLOAD_BYTES_MAX,
    most: 8 * MIB,
  },
  // A reader of large files has 32 MiB under way, the flood guard cuts off at 33: less would cut off who is honest.
  { limit: 'pendingBytes', setting: 'max_pending', wanted: 64 * MIB, least: 40 * MIB, most: 64 * MIB },
  {
    limit: 'connections',
    setting: 'max_connections',
    wanted: 40_960,
    least: AGENT_CONNECTIONS_MAX + TRUSTED_CONNECTIONS,
    most: SOCKETS_MAX,
  },
  // A master listens on two subjects for each of 10,000 jobs that it watches.
  {
    limit: 'subscriptions',
    setting: 'max_subscriptions',
    wanted: 65_536,
    least: 32_768,
    most: 262_144,
  },
  // Who takes nothing for so long is let go. More than 10 s helps slow lines; routes between servers wait as long.
  { limit: 'writeDeadlineMs', setting: 'write_deadline', wanted: 10_000, least: 5_000, most: 30_000 },
];

/** As the configuration of a server spells it. */
export function limitText(limit: keyof ServerLimits, value: number): string {
  return limit === 'writeDeadlineMs' ? `"${value / 1_000}s"` : String(value);
}
