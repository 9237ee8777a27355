/**
 * The flood guard finds the peel that floods the bus and has it cut off (ban-book.ts). One peel with good credentials can send more
 * than any store can take; what it does to others until then is bounded elsewhere (decision 123).
 *
 * About once a second, on the master that looks after the accounts, it asks the servers for their busiest connections, those that
 * take least of what waits for them, and those that ended last. What `core/guard` takes for notable has its user looked up, because connections of
 * one user count together; what it takes for a flood is ended at once, before anything is written, and banned.
 *
 * If this master dies, the next holder of the lease does what is left of young bans and looks on. A ban ends by itself. Bounds:
 * `ASKED_AT_ONCE` connections of each server in a look, `USERS_ASKED` users; who is connected is read whole only when
 * there are more connections than peels; one look at a time.
 */
import type { AccountServers } from '../../bus/account-servers.ts';
import { CONNECTION_STATES, type ServerConnection } from '../../bus/server-connections.ts';
import {
  crowdsIn,
  floodsIn,
  isEnded,
  NO_FLOOD_MEMORY,
  notable,
  remember,
} from '../../core/guard/flood-rules.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { connectedUsers } from '../accounts/connected-users.ts';
import type { MasterContext } from '../master-context.ts';
import type { FloodBans, Flooder } from './ban-book.ts';
import { findGreedy } from './basket-guard.ts';

const LOOK_MS = 1_000;
const SPREAD = 0.1;
const ASKED_AT_ONCE = 256;
const PENDING_ASKED = 64;
/** In one look; those that send most come first. */
const USERS_ASKED = 128;
const QUESTIONS_AT_ONCE = 16;
/** Every so many looks it is counted how many are connected. */
const CROWD_EVERY = 3;
/** And looked how full the basket is. */
const BASKET_EVERY = 30;
/** So many more than peels with a heartbeat are no reason to look closer. */
const CROWD_SLACK = 64;

export interface FloodGuard {
  start(isLeader: () => boolean): void;
  stop(): Promise<void>;
}

type Ground = Pick<MasterContext, 'bus' | 'runtime' | 'presence' | 'enrollments'>;
type User = NonNullable<ServerConnection['user']>;

interface GuardPorts {
  readonly bans: FloodBans;
  readonly servers: AccountServers;
  /** Public key of the account that peels are in. */
  readonly agents: string;
}

export function floodGuard(context: Ground, { bans, servers, agents }: GuardPorts): FloodGuard {
  const { runtime, presence } = context;
  const { clock, log } = runtime;
  let memory = NO_FLOOD_MEMORY;
  /** Of notable connections, for as long as they are remembered. */
  let users = new Map<string, User>();
  /** On all servers, at the last look. */
  let connected = 0;
  let looks = 0;
  let wasLeader = false;
  let timer: Periodic | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    if (servers.status() !== 'connected') return;
    if (!wasLeader) await bans.resume();
    wasLeader = true;
    looks += 1;
    const greedy = looks % BASKET_EVERY === 0 ? await findGreedy(context) : [];
    await bans.cutOff([...(await findFlooders()), ...(await findCrowds()), ...greedy]);
    // What one flooder left in line must not keep us from seeing the next.
    bans.clean().catch((error: unknown) => log.warn('what a flood left is not taken away yet', { error }));
  }

  async function findFlooders(): Promise<Flooder[]> {
    const [busy, unread, ended] = await Promise.all([
      servers.connections({ acc: agents, sort: 'last', limit: ASKED_AT_ONCE }),
      servers.connections({ acc: agents, sort: 'pending', limit: PENDING_ASKED }),
      servers.connections({
        acc: agents,
        sort: 'stop',
        state: CONNECTION_STATES.ended,
        limit: ASKED_AT_ONCE,
      }),
    ]);
    connected = busy.reduce((sum, { total }) => sum + total, 0);
    const found = [...unread, ...busy, ...ended].flatMap(({ connections }) => connections);
    const counts = new Map(found.map((each) => [idOf(each), { ...each, id: idOf(each) }]));
    memory = remember(memory, [...counts.values()], clock.monotonicMs());
    await lookUp(notable(memory));
    const suspects = floodsIn(memory, (id) => users.get(id)?.publicKey);
    return concurrentMap(suspects, QUESTIONS_AT_ONCE, async ({ ids, open, reason }) => {
      await Promise.all(open.map((id) => servers.kick(placeOf(id))));
      const user = ids.map((id) => users.get(id)).find((each) => each !== undefined);
      return user === undefined ? [] : [{ ...user, reason }];
    }).then((flooders) => flooders.flat());
  }

  async function lookUp(ids: readonly string[]): Promise<void> {
    users = new Map([...users].filter(([id]) => memory.has(id)));
    const unknown = ids.filter((id) => !users.has(id)).slice(0, USERS_ASKED);
    await concurrentMap(unknown, QUESTIONS_AT_ONCE, async (id) => {
      const { server, cid } = placeOf(id);
      // Asked for one of any state, a server looks only among those that have ended.
      const state = isEnded(memory, id) ? CONNECTION_STATES.ended : CONNECTION_STATES.open;
      const [told] = await servers.connections({ server, cid, auth: true, state });
      const user = told?.connections.find((each) => each.cid === cid)?.user;
      if (user !== undefined) users.set(id, user);
    });
  }

  /** Users with many connections. */
  async function findCrowds(): Promise<Flooder[]> {
    if (looks % CROWD_EVERY !== 0 || connected <= presence.online() + CROWD_SLACK) return [];
    const found = await connectedUsers(servers, agents);
    const crowds = crowdsIn(found.map(({ publicKey }) => publicKey));
    const byKey = new Map(found.map((user) => [user.publicKey, user]));
    return [...byKey.values()].flatMap((user) => {
      const reason = crowds.get(user.publicKey);
      return reason === undefined ? [] : [{ ...user, reason }];
    });
  }

  return {
    start(isLeader) {
      timer = periodic(runtime, { what: 'flood guard', everyMs: LOOK_MS, spread: SPREAD }, async () => {
        if (!isLeader()) {
          wasLeader = false;
          return;
        }
        looking = look();
        await looking;
      });
    },
    async stop() {
      timer?.stop();
      await Promise.all([looking, bans.clean()]).catch((error: unknown) =>
        log.debug('a look for floods was stopped', { error }),
      );
    },
  };
}

function idOf({ server, cid }: ServerConnection): string {
  return `${server} ${cid}`;
}

function placeOf(id: string): Pick<ServerConnection, 'server' | 'cid'> {
  const [server = '', cid = ''] = id.split(' ');
  return { server, cid: Number(cid) };
}
