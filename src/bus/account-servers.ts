/**
 * `openAccountServers` speaks to the NATS servers about accounts, in the system account: it hands them account documents, asks what
 * they have, hears when anybody hands them one, asks who is connected and ends connections. Masters and `zester auth upgrade` use it, on a connection with sys.creds; the
 * memory server answers like real ones.
 *
 * Every server of the cluster answers for itself, and how many there are is not known before: an answer is a list, and a
 * server that is away is not in it. A server takes every document that the operator signed, also an older one than it has, so
 * whoever pushes must know that his is the newest (decision 47). Pushing the same twice changes nothing.
 *
 * Bounds: a question takes `ANSWERS_MS_MAX` at most, and ends `QUIET_MS` after the last answer.
 */
import type { Runtime } from '../runtime/runtime.ts';
import {
  accountLookupSubject,
  accountUpdateSubject,
  CLAIMS_UPDATE_SUBJECT,
  CONNECTIONS_SUBJECT,
  serverConnectionsSubject,
  serverKickSubject,
} from '../wire/names/jetstream.ts';
import { ANY } from '../wire/names/subjects.ts';
import { type Collected, collectAnswers } from './collect-answers.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStatus, Subscription } from './port.ts';
import {
  type ConnectionsQuery,
  connectionsIn,
  type ServerConnection,
  type ServerConnections,
} from './server-connections.ts';
import { readServerSettings, type ServerSettings } from './server-settings.ts';

/** What one server said to a document. */
export interface ServerWord {
  readonly server: string;
  readonly isTaken: boolean;
  readonly message: string;
}

export interface AccountServers {
  status(): ConnectionStatus;
  /** Why there is no connection, as far as it is known. */
  failure(): Error | undefined;
  onStatus(listener: (status: ConnectionStatus) => void): Subscription;
  /** Hands the document to all servers. Rejects when nobody can be asked; an empty list: nobody answered. */
  push(jwt: string): Promise<readonly ServerWord[]>;
  /** The document that each server has of the account with this public key; empty text where it has none. */
  lookup(account: string): Promise<readonly string[]>;
  settings(): Promise<readonly ServerSettings[]>;
  /** What every server says of its connections. */
  connections(query: ConnectionsQuery): Promise<readonly ServerConnections[]>;
  /** Ends a connection at once; whoever may connect comes back. */
  kick(connection: Pick<ServerConnection, 'server' | 'cid'>): Promise<void>;
  /** Somebody handed servers this document, perhaps we. A hint: it may be lost, and may be of anybody in the system account. */
  onPush(listener: (jwt: string) => void): Subscription;
}

const QUIET_MS = 300;
const ANSWERS_MS_MAX = 3_000;
const ANSWERS_MAX = 1_000;
const LIMITS = { quietMs: QUIET_MS, msMax: ANSWERS_MS_MAX, answersMax: ANSWERS_MAX };

export function openAccountServers(
  connection: Connection,
  { clock }: Pick<Runtime, 'clock'>,
): AccountServers {
  let questions = 0;
  const ask = (subject: string, text: string, answersMax = ANSWERS_MAX): Promise<Collected[]> =>
    collectAnswers(connection, clock, subject, {
      ...LIMITS,
      answersMax,
      data: Buffer.from(text),
      token: `accounts.${questions++}`,
    });
  return {
    status: () => connection.status(),
    failure: () => connection.failure(),
    onStatus: (listener) => connection.onStatus(listener),
    async push(jwt) {
      return (await ask(CLAIMS_UPDATE_SUBJECT, jwt)).map(({ message }) => wordOf(textOf(message.data)));
    },
    async lookup(account) {
      return (await ask(accountLookupSubject(account), '')).map(({ message }) => textOf(message.data));
    },
    settings: () => readServerSettings(connection, clock),
    async connections(query) {
      const { server, ...options } = query;
      const subject = server === undefined ? CONNECTIONS_SUBJECT : serverConnectionsSubject(server);
      const answers = await ask(subject, JSON.stringify(options), server === undefined ? ANSWERS_MAX : 1);
      return answers.flatMap(({ message }) => connectionsIn(textOf(message.data)));
    },
    async kick({ server, cid }) {
      await ask(serverKickSubject(server), JSON.stringify({ cid }), 1);
    },
    onPush(listener) {
      const heard = [CLAIMS_UPDATE_SUBJECT, accountUpdateSubject(ANY)].map((subject) =>
        connection.subscribe(subject, undefined, ({ data }) => listener(textOf(data))),
      );
      return { unsubscribe: () => heard.forEach((each) => void each.unsubscribe()) };
    },
  };
}

interface Answer {
  readonly server?: { readonly name?: unknown };
  readonly data?: { readonly code?: unknown; readonly message?: unknown };
  readonly error?: { readonly description?: unknown };
}

/** What cannot be understood is no consent. */
function wordOf(text: string): ServerWord {
  let answer: Answer;
  try {
    answer = JSON.parse(text) as Answer;
  } catch {
    return { server: 'unknown', isTaken: false, message: 'its answer makes no sense' };
  }
  const isTaken = answer.error === undefined && answer.data?.code === 200;
  const message = answer.error?.description ?? answer.data?.message ?? 'it did not say why';
  return { server: String(answer.server?.name ?? 'unknown'), isTaken, message: String(message) };
}

function textOf(data: Uint8Array): string {
  return Buffer.from(data).toString('utf8');
}
