/**
 * The flood guard finds the peel that floods the bus, cuts it off and keeps it out for a while. One peel with good credentials can
 * send more than any store can take; what it does to others until then is bounded elsewhere (decision 123).
 *
 * About once a second, on the master that looks after the accounts, it asks the servers for their busiest connections, and what
 * `core/guard` takes for a flood has its user looked up. Then, in this order: the connection is ended; the ban is written
 * (`flood-guard/<peel>`, compare-and-set: of two masters one writes it); the account documents are settled, which shuts the
 * key out on every server and ends its other connections; what it has in line and in the streams is taken away; it is told
 * (log, event, metric, doctor). Dying in between costs the steps after it: the record alone makes every master shut the key
 * out, and a queue that is still long is emptied at the next look (`emptiesMs`).
 *
 * A ban ends by itself. Bounds: `ASKED_AT_ONCE` connections of each server in a look; who is connected is read whole only when there are more
 * connections than peels; one ban at a time.
 */
import type { AccountServers } from '../../bus/account-servers.ts';
import { openTable } from '../../bus/kv/table.ts';
import type { ServerConnection } from '../../bus/server-connections.ts';
import {
  type BanTimes,
  crowdsIn,
  judgeConnections,
  NO_FLOOD_MEMORY,
  nextBan,
} from '../../core/guard/flood-rules.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { msFromNanos, nanosFromMs } from '../../wire/msgpack/time.ts';
import { masterEventSubject } from '../../wire/names/event-subjects.ts';
import { type PeelId, parseEventTag } from '../../wire/names/ids.ts';
import type { FloodBan } from '../../wire/records/enroll/flood-ban.ts';
import { eventCodec } from '../../wire/records/event.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { connectedUsers } from '../accounts/connected-users.ts';
import type { MasterContext } from '../master-context.ts';
import { emptyQueues, purgeWords } from './peel-queues.ts';

const LOOK_MS = 1_000;
const SPREAD = 0.1;
const ASKED_AT_ONCE = 256;
const PENDING_ASKED = 32;
/** Every so many looks it is counted how many are connected. */
const CROWD_EVERY = 3;
/** So many more than peels with a heartbeat are no reason to look closer. */
const CROWD_SLACK = 64;
/** What came in while the flooder was being cut off is in line, too: looked at again for this long. */
const AFTERMATH_MS = 10_000;
const PROTOCOL = 1;

export interface FloodGuard {
  start(isLeader: () => boolean): void;
  stop(): Promise<void>;
}

interface Flooder {
  readonly peel: PeelId;
  readonly publicKey: string;
  readonly reason: string;
}

type Ground = Pick<
  MasterContext,
  'bus' | 'runtime' | 'identity' | 'accounts' | 'presence' | 'metrics' | 'keys' | 'now'
>;

/** `agents`: public key of the account that peels are in. */
export function floodGuard(context: Ground, servers: AccountServers, agents: string): FloodGuard {
  const { bus, runtime, identity, accounts, presence, metrics } = context;
  const { clock, log } = runtime;
  const bans = openTable(bus, TABLES.floodBans);
  let memory = NO_FLOOD_MEMORY;
  let looks = 0;
  let aftermathUntilMs = Number.NEGATIVE_INFINITY;
  let timer: Periodic | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    if (servers.status() !== 'connected') return;
    for (const flooder of await findFlooders()) await cutOff(flooder);
    if (clock.monotonicMs() < aftermathUntilMs) await tidy();
  }

  async function findFlooders(): Promise<Flooder[]> {
    const [busy, unread] = await Promise.all([
      servers.connections({ acc: agents, sort: 'last', limit: ASKED_AT_ONCE }),
      servers.connections({ acc: agents, sort: 'pending', limit: PENDING_ASKED }),
    ]);
    const found = new Map<string, ServerConnection>();
    for (const { connections } of [...unread, ...busy])
      for (const each of connections) found.set(`${each.server} ${each.cid}`, each);
    const counts = [...found].map(([id, each]) => ({ ...each, id }));
    const judged = judgeConnections(memory, counts, clock.monotonicMs());
    ({ memory } = judged);
    const flooders = await Promise.all(
      judged.suspects.map(async ({ id, reason }) => {
        const { server, cid } = found.get(id) as ServerConnection;
        const [told] = await servers.connections({ server, cid, auth: true });
        const user = told?.connections.find((each) => each.cid === cid)?.user;
        await servers.kick({ server, cid });
        return user === undefined ? [] : [{ ...user, reason }];
      }),
    );
    looks += 1;
    const connected = busy.reduce((sum, { total }) => sum + total, 0);
    const isCrowded = looks % CROWD_EVERY === 0 && connected > presence.online() + CROWD_SLACK;
    return [...flooders.flat(), ...(isCrowded ? await findCrowds() : [])];
  }

  /** Users with many connections. */
  async function findCrowds(): Promise<Flooder[]> {
    const users = await connectedUsers(servers, agents);
    const crowds = crowdsIn(users.map(({ publicKey }) => publicKey));
    return users.flatMap(({ peel, publicKey }) => {
      const reason = crowds.get(publicKey);
      return reason === undefined ? [] : [{ peel, publicKey, reason }];
    });
  }

  async function cutOff({ peel, publicKey, reason }: Flooder): Promise<void> {
    const nowMs = clock.nowMs();
    const there = await bans.getLatest(peel);
    const before = there.is === 'found' ? timesOf(there.value) : undefined;
    const times = nextBan(before, nowMs);
    // What is seen of it is what it did before it was cut off; unless it floods with another key.
    const isSame = there.is === 'found' && there.value.publicKey === publicKey;
    if (times === undefined && isSame) return;
    const { sinceMs, untilMs, count } = times ?? (before as BanTimes);
    const ban: FloodBan = {
      peelId: peel,
      publicKey,
      since: nanosFromMs(sinceMs),
      until: nanosFromMs(untilMs),
      count,
      reason,
      noticedBy: identity.masterId,
    };
    const written =
      there.revision === 0 ? await bans.create(peel, ban) : await bans.update(peel, ban, there.revision);
    // Another master was faster, and does the rest.
    if (!written.won) return;
    const seconds = Math.round((untilMs - nowMs) / 1_000);
    log.error('a peel floods the bus and is kept out', { peel, reason, seconds, count });
    metrics.peelBanned(peel);
    await accounts.settle();
    aftermathUntilMs = clock.monotonicMs() + AFTERMATH_MS;
    await tidy();
    await purgeWords(context, peel);
    await tell(ban, seconds);
  }

  async function tidy(): Promise<void> {
    const emptied = await emptyQueues(context);
    if (emptied.length > 0) log.warn('what a flood had left in line was dropped', { assets: emptied });
  }

  async function tell({ peelId, since, count, reason }: FloodBan, seconds: number): Promise<void> {
    const tag = parseEventTag(`guard/banned/${peelId}`);
    if (tag === undefined) return;
    const id = `ban.${peelId}.${since}`;
    const data = { peel_id: peelId, reason, seconds, count, noticed_by: identity.masterId };
    const event = eventCodec.create({ id, tag, data, timestamp: context.now(), protocol: PROTOCOL });
    const messageId = context.keys.messageId(`guard-event:${id}`);
    await bus.append(masterEventSubject(tag), eventCodec.encode(event), { messageId });
  }

  return {
    start(isLeader) {
      timer = periodic(runtime, { what: 'flood guard', everyMs: LOOK_MS, spread: SPREAD }, async () => {
        if (!isLeader()) return;
        looking = look();
        await looking;
      });
    },
    async stop() {
      timer?.stop();
      await looking.catch((error: unknown) => log.debug('a look for floods was stopped', { error }));
    },
  };
}

function timesOf({ since, until, count }: FloodBan): BanTimes {
  return { sinceMs: msFromNanos(since), untilMs: msFromNanos(until), count };
}
