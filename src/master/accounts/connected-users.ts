/**
 * `connectedUsers` reads who is connected in the account of the peels, from every server and whole: peel id and user key, by the word of
 * the servers, which have checked both. A page of it is a megabyte, because each user comes with its JWT: it is asked when
 * somebody must be found, never from time to time.
 *
 * Bound: `PAGES_MAX` pages; whoever is connected beyond that is not found.
 */
import type { AccountServers } from '../../bus/account-servers.ts';
import type { ServerConnection } from '../../bus/server-connections.ts';

const PAGE = 1_024;
const PAGES_MAX = 16;

export type ConnectedUser = NonNullable<ServerConnection['user']>;

/** One for each connection. `agents`: public key of the account that peels are in. */
export async function connectedUsers(servers: AccountServers, agents: string): Promise<ConnectedUser[]> {
  const users: ConnectedUser[] = [];
  for (let page = 0, more = true; more && page < PAGES_MAX; page++) {
    const query = { acc: agents, sort: 'cid', limit: PAGE, offset: page * PAGE, auth: true } as const;
    const told = await servers.connections(query);
    users.push(...told.flatMap(({ connections }) => connections.flatMap(({ user }) => user ?? [])));
    more = told.some(({ connections }) => connections.length === PAGE);
  }
  return users;
}
