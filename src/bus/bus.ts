/** `openBus` puts the parts of a bus together on a connection. It is the same for a real server and for the memory one. */
import { zesterError } from '../core/errors/zester-error.ts';
import { guarded } from '../runtime/guarded.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { BusParts } from './bus-parts.ts';
import type { Connection } from './connection.ts';
import { jetStreamApi, type RetryCall } from './jetstream-api.ts';
import { openBucket } from './kv/kv.ts';
import { addListener } from './listeners.ts';
import { openObjects } from './objects.ts';
import { pacedRequests } from './paced-requests.ts';
import type { AgentBus, Bus, Message } from './port.ts';
import { multiplexRequests } from './requests.ts';
import { NO_RETRIES, type RetryBudget, withRetries } from './retry-budget.ts';
import { appendHeaders, openStream } from './stream/stream.ts';
import { checkFilter, checkLiteral } from './subject.ts';

/** Masters look for themselves this often; see decision 23c. */
const MASTER_RESYNC_MS = 1_500;
const PEEL_RESYNC_MS = 60_000;

export interface BusOptions {
  readonly resyncMs?: number;
  /** For how long a call that may be repeated is; without it everything is tried once. */
  readonly retryBudget?: RetryBudget;
  /** Sends no more than a peel may. */
  readonly isPaced?: boolean;
}

/** For masters and admins. */
export function openBus(connection: Connection, runtime: Runtime, options: BusOptions = {}): Bus {
  const { resyncMs = MASTER_RESYNC_MS, retryBudget = NO_RETRIES, isPaced = false } = options;
  const multiplexed = multiplexRequests(connection, runtime);
  const requests = isPaced ? pacedRequests(multiplexed, runtime.clock) : multiplexed;
  const repeatListeners = new Set<(subject: string) => void>();
  const retry: RetryCall = (what, attempt) => {
    const repeated = () => {
      for (const listener of repeatListeners) listener(what);
    };
    return withRetries(runtime, { ...retryBudget, repeated }, what, attempt);
  };
  const parts: BusParts = { connection, requests, api: jetStreamApi(requests, retry), runtime, resyncMs };

  return {
    status: () => connection.status(),
    onStatus: (listener) => connection.onStatus(listener),
    server: () => connection.server(),
    connected: (signal) => whenConnected(connection, signal),
    publish(subject, data, options) {
      checkLiteral(subject);
      connection.publish(subject, data, options);
    },
    subscribe: (subject, deliver, options = {}) => subscribe(parts, subject, options.queue, deliver),
    async request(subject, data, options) {
      checkLiteral(subject);
      return requests.ask(subject, data, options);
    },
    async append(subject, data, options) {
      checkLiteral(subject);
      const { messageId, timeoutMs } = options;
      const once = () => parts.api.store(subject, data, appendHeaders(options), timeoutMs);
      // With an id it is stored once, however often it is sent.
      return messageId === undefined || timeoutMs !== undefined ? once() : retry(subject, once);
    },
    bucket: (name) => openBucket(parts, name),
    stream: (name) => openStream(parts, name),
    objects: (store) => openObjects(parts, store),
    api: (subject, body) => parts.api.call(subject, body),
    tryApi: (subject, body) => parts.api.tryCall(subject, body),
    onRepeat: (listener) => addListener(repeatListeners, listener),
    async close() {
      requests.stop();
      await connection.close();
    },
  };
}

/** For peels: the same, seen through the narrower interface, looking for itself less often, at the honest pace. */
export function openAgentBus(connection: Connection, runtime: Runtime, resyncMs = PEEL_RESYNC_MS): AgentBus {
  return openBus(connection, runtime, { resyncMs, isPaced: true });
}

/** Waits until the server has the subscription, so that what is published afterwards cannot be missed. */
async function subscribe(
  { connection, runtime }: BusParts,
  subject: string,
  queue: string | undefined,
  deliver: (message: Message) => void,
) {
  checkFilter(subject);
  let denied: Error | undefined;
  const denials = connection.onDenied((denial) => {
    if (denial.operation === 'subscription' && denial.subject === subject)
      denied = zesterError('BUS_DENIED', denial);
  });
  const subscription = connection.subscribe(subject, queue, (message) =>
    guarded(runtime.log, deliver, message),
  );
  try {
    if (connection.status() === 'connected') await connection.flush();
  } catch (error) {
    // Cut off while asking: the subscription stands and is made again on connect.
    runtime.log.debug('subscription not confirmed yet', { subject, error });
  } finally {
    denials.unsubscribe();
  }
  if (denied !== undefined) {
    subscription.unsubscribe();
    throw denied;
  }
  return subscription;
}

function whenConnected(connection: Connection, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      statuses.unsubscribe();
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const onAbort = () => end(() => reject(signal?.reason as Error));
    const look = () => {
      const status = connection.status();
      if (status === 'connected') end(resolve);
      if (status === 'closed')
        end(() =>
          reject(connection.failure() ?? zesterError('BUS_CLOSED', { what: 'the wait for a connection' })),
        );
    };
    const statuses = connection.onStatus(look);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    else look();
  });
}
