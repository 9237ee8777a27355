/**
 * This file is the connection to a real NATS server, over TLS only.
 *
 * It exists at once and connects in the background, so that a peel boots without NATS. It never gives up by itself
 * unless told to (`giveUpAfterMs`, for commands): also after authorization errors, since credentials are read
 * anew for each try. Nothing is sent while it is down: a publish then throws and had no effect, rather than being kept
 * by the client and arriving when nobody expects it any more.
 */
import {
  type Authenticator,
  connect,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type Subscription as NatsSubscription,
  headers as newHeaders,
  PermissionViolationError,
  type Status,
} from '@nats-io/transport-node';
import { assert } from '../../core/assert.ts';
import { type Backoff, backoffMs } from '../../core/backoff.ts';
import { type ZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { sleep } from '../../runtime/clock.ts';
import { guarded } from '../../runtime/guarded.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { inboxPrefix } from '../../wire/names/store-subjects.ts';
import { type Connection, type Denial, NO_HEADERS, type RawMessage, type Traffic } from '../connection.ts';
import { type HeaderBlock, headerBytes, mayHaveStatus, parseHeaderBlock } from '../header-block.ts';
import { addListener } from '../listeners.ts';
import type { ConnectionStatus, Headers, PublishOptions, ServerFacts, SubjectSubscription } from '../port.ts';
import { checkServerVersion } from '../server-floor.ts';
import { connectError, isRefusal, isWorthAnotherTry } from './connect-failure.ts';
import { type NatsUrl, parseNatsUrl } from './nats-url.ts';
import { tlsOptions } from './tls-options.ts';

export interface NatsOptions {
  /** `tls://host:port` each; anything else is refused. */
  readonly servers: readonly string[];
  /** Shown in the server's connection list. */
  readonly name: string;
  /** First token under `_INBOX`: a peel's id, as its grant wants it; otherwise the role. */
  readonly inboxName: string;
  readonly authenticator: Authenticator;
  /** When what the authenticator says expires, for what is told of a refusal; undefined: never. */
  readonly credentialsEndMs?: () => number | undefined;
  /** Read at every connect, so that a renewed CA is taken up without a restart. */
  readonly caFile: string;
  readonly runtime: Runtime;
  /**
   * Commands want an answer: no try is begun later than this, and none at all after a failure that would come again.
   * Daemons leave it out and keep trying.
   */
  readonly giveUpAfterMs?: number;
  /** Longest pause between two tries; large fleets want more. */
  readonly retryMsMax?: number;
}

/** For one server. Doubled with each try: on a busy machine, or when a whole fleet comes back at once, a handshake that is
 * cut short and begun again is more load; on a quiet one a server that says nothing is soon left for the next. */
const CONNECT_TIMEOUTS: Backoff = { firstMs: 5_000, maxMs: 20_000 };
const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 2_000;
const FLUSH_MS = 5_000;
const DRAIN_MS = 3_000;
const PING_MS = 10_000;
const PINGS_UNANSWERED_MAX = 2;
const INBOX_RANDOM_BYTES = 16;
const decoder = new TextDecoder();
const CONTROL_CHARACTER = /[\r\n\0]/;

interface Subscribed {
  readonly subject: string;
  readonly queue: string | undefined;
  readonly deliver: (message: RawMessage) => void;
  live?: NatsSubscription;
}

export interface NatsLine extends Connection {
  traffic(): Traffic;
  /** Logs in again, with what the authenticator says then. Subscriptions stay; what was asked meanwhile fails. */
  reconnect(): void;
  /** Other addresses of the same servers, from the next try on. Throws when one is no `tls://` address. */
  useServers(servers: readonly string[]): void;
}

export function connectNats(options: NatsOptions): NatsLine {
  const servers = options.servers.map((server) => parseNatsUrl(server));
  return new NodeNatsConnection(options, servers);
}

class NodeNatsConnection implements NatsLine {
  readonly inbox: string;
  private readonly options: NatsOptions;
  private servers: readonly NatsUrl[];
  private readonly statusListeners = new Set<(status: ConnectionStatus) => void>();
  private readonly denialListeners = new Set<(denial: Denial) => void>();
  private readonly subscriptions = new Set<Subscribed>();
  private readonly closing = new AbortController();
  private current: ConnectionStatus = 'connecting';
  private client: NatsConnection | undefined;
  private lastFailure: Error | undefined;
  private failures = 0;
  private toldFailure = '';
  private readonly connecting: Promise<void>;

  constructor(options: NatsOptions, servers: readonly NatsUrl[]) {
    this.options = options;
    this.servers = servers;
    const random = Buffer.from(options.runtime.random.bytes(INBOX_RANDOM_BYTES)).toString('hex');
    this.inbox = `${inboxPrefix(options.inboxName)}.${random}`;
    this.connecting = this.connectFirst();
  }

  status = () => this.current;
  failure = () => this.lastFailure;
  onStatus = (listener: (status: ConnectionStatus) => void) => addListener(this.statusListeners, listener);
  onDenied = (listener: (denial: Denial) => void) => addListener(this.denialListeners, listener);

  server(): ServerFacts | undefined {
    const info = this.client?.info;
    return info && { name: info.server_name, version: info.version, payloadBytesMax: info.max_payload };
  }

  traffic(): Traffic {
    const stats = this.client?.stats();
    return {
      messagesIn: stats?.inMsgs ?? 0,
      bytesIn: stats?.inBytes ?? 0,
      messagesOut: stats?.outMsgs ?? 0,
      bytesOut: stats?.outBytes ?? 0,
    };
  }

  reconnect(): void {
    this.client?.reconnect().catch((error: unknown) => {
      this.options.runtime.log.debug('NATS connection not made anew', { error });
    });
  }

  useServers(servers: readonly string[]): void {
    this.servers = servers.map((server) => parseNatsUrl(server));
    this.client?.setServers(this.servers.map(({ url }) => url));
  }

  publish(subject: string, data: Uint8Array, options: PublishOptions = {}): void {
    const client = this.client;
    if (client === undefined || this.current !== 'connected') {
      throw zesterError(this.current === 'closed' ? 'BUS_CLOSED' : 'BUS_DISCONNECTED', { what: subject });
    }
    const max = client.info?.max_payload ?? Number.POSITIVE_INFINITY;
    const { reply, headers } = options;
    const bytes = data.length + headerBytes(headers);
    if (bytes > max) throw zesterError('BUS_TOO_LARGE', { bytes, what: subject, max });
    client.publish(subject, data, {
      ...(reply === undefined ? {} : { reply }),
      ...(headers === undefined || headers.size === 0 ? {} : { headers: natsHeaders(headers) }),
    });
  }

  subscribe(
    subject: string,
    queue: string | undefined,
    deliver: (message: RawMessage) => void,
  ): SubjectSubscription {
    const subscribed: Subscribed = { subject, queue, deliver };
    this.subscriptions.add(subscribed);
    if (this.client !== undefined && this.current !== 'closed') this.activate(this.client, subscribed);
    const unsubscribe = () => {
      this.subscriptions.delete(subscribed);
      if (this.current !== 'closed') subscribed.live?.unsubscribe();
    };
    return {
      unsubscribe,
      drain: async () => {
        const { live } = subscribed;
        if (live === undefined || this.current !== 'connected') return unsubscribe();
        this.subscriptions.delete(subscribed);
        await this.within(FLUSH_MS, live.drain()).catch((error: unknown) => {
          this.options.runtime.log.debug('subscription not drained', { subject, error });
        });
      },
    };
  }

  async flush(): Promise<void> {
    if (this.client === undefined || this.current !== 'connected')
      throw zesterError('BUS_DISCONNECTED', { what: 'flush' });
    await this.within(FLUSH_MS, this.client.flush()).catch((cause: unknown) => {
      throw zesterError('BUS_INTERRUPTED', { what: 'flush' }, { cause });
    });
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.connecting;
    // Drain sends what is still in the buffer; when there is no server to send it to, closing is all that is left.
    if (this.current === 'connected' && this.client !== undefined) {
      await this.within(DRAIN_MS, this.client.drain()).catch((error: unknown) => {
        this.options.runtime.log.debug('NATS connection not drained', { error });
      });
    }
    await this.client?.close();
    this.become('closed');
  }

  /** A server that is frozen must not freeze us: what it does not answer in time is given up. */
  private within(limitMs: number, work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.options.runtime.clock.after(limitMs, () =>
        reject(zesterError('BUS_TIMEOUT', { what: 'the server', ms: limitMs })),
      );
      work.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  /** Tries until it succeeds, is closed, or may not try again. */
  private async connectFirst(): Promise<void> {
    const { clock } = this.options.runtime;
    const { giveUpAfterMs } = this.options;
    const startMs = clock.monotonicMs();
    while (!this.closing.signal.aborted) {
      try {
        const client = await connect(this.clientOptions());
        this.failures = 0;
        await this.adopt(client);
        return;
      } catch (cause) {
        const failure = this.failureOf(cause);
        this.lastFailure = failure;
        this.tellFailure('cannot connect to NATS', failure, giveUpAfterMs === undefined ? 'warn' : 'debug');
        const triedMs = clock.monotonicMs() - startMs;
        if (giveUpAfterMs !== undefined && !isWorthAnotherTry(failure, triedMs, giveUpAfterMs))
          return this.become('closed');
        await sleep(clock, this.nextDelayMs(), this.closing.signal).catch(() => undefined);
      }
    }
  }

  private async adopt(client: NatsConnection): Promise<void> {
    try {
      checkServerVersion(client.info?.version ?? '');
    } catch (error) {
      await client.close();
      throw error;
    }
    this.client = client;
    for (const subscribed of this.subscriptions) this.activate(client, subscribed);
    void this.follow(client.status());
    void client.closed().then((error) => {
      if (error instanceof Error) this.lastFailure = error;
      this.become('closed');
    });
    this.become('connected');
  }

  private clientOptions() {
    return {
      servers: this.servers.map(({ url }) => url),
      name: this.options.name,
      inboxPrefix: this.inbox,
      authenticator: this.options.authenticator,
      tls: tlsOptions(this.options.caFile, () => this.servers),
      timeout: backoffMs(CONNECT_TIMEOUTS, this.failures + 1),
      pingInterval: PING_MS,
      maxPingOut: PINGS_UNANSWERED_MAX,
      reconnect: true,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
      noAsyncTraces: true,
      reconnectDelayHandler: () => this.nextDelayMs(),
    };
  }

  /** Doubling with full jitter: a fleet that lost its server must not come back in one instant. */
  private nextDelayMs(): number {
    const maxMs = this.options.retryMsMax ?? RETRY_MS_MAX;
    this.failures += 1;
    const ceilingMs = backoffMs({ firstMs: RETRY_MS_MIN, maxMs }, this.failures);
    // The client has one time limit for all tries; it looks at it when a try begins.
    const client = this.client as unknown as { readonly options: { timeout?: number } } | undefined;
    if (client !== undefined) client.options.timeout = backoffMs(CONNECT_TIMEOUTS, this.failures);
    return RETRY_MS_MIN + this.options.runtime.random.fraction() * ceilingMs;
  }

  private async follow(statuses: AsyncIterable<Status>): Promise<void> {
    for await (const status of statuses) {
      if (status.type === 'disconnect') this.become('disconnected');
      else if (status.type === 'reconnect') this.becomeConnectedAgain();
      else if (status.type === 'error') this.noteError(status.error);
    }
  }

  private becomeConnectedAgain(): void {
    this.failures = 0;
    // Credentials may have been renewed: what was refused before is asked for again.
    for (const subscribed of this.subscriptions) {
      if (subscribed.live === undefined && this.client !== undefined) this.activate(this.client, subscribed);
    }
    this.become('connected');
  }

  private noteError(error: Error): void {
    const isOut = isRefusal(error);
    this.lastFailure = isOut ? this.failureOf(error) : error;
    const what = isOut ? 'NATS keeps us out; we go on trying' : 'NATS reports an error';
    if (!(error instanceof PermissionViolationError)) this.tellFailure(what, this.lastFailure, 'warn');
    else if (error.operation === 'publish') this.tellDenied({ operation: 'publish', subject: error.subject });
  }

  private failureOf(cause: unknown): ZesterError {
    const { caFile, credentialsEndMs, runtime } = this.options;
    const servers = this.servers.map(({ url }) => url).join(', ');
    return connectError(cause, {
      servers,
      caFile,
      nowMs: runtime.clock.nowMs(),
      credentialsEndMs: credentialsEndMs?.(),
    });
  }

  /** Once for each reason while it is down: it tries for days. */
  private tellFailure(what: string, error: Error, level: 'warn' | 'debug'): void {
    const { log } = this.options.runtime;
    const { code } = error as { readonly code?: string };
    const reason = code ?? error.message;
    log[this.toldFailure === reason ? 'debug' : level](what, { error });
    this.toldFailure = reason;
  }

  private tellDenied(denial: Denial): void {
    const { log } = this.options.runtime;
    log.warn('NATS refused', { ...denial });
    for (const listener of this.denialListeners) guarded(log, listener, denial);
  }

  private become(status: ConnectionStatus): void {
    if (this.current === status || this.current === 'closed') return;
    this.current = status;
    if (status === 'connected') this.toldFailure = '';
    const { log } = this.options.runtime;
    log.debug('NATS connection', { status, server: this.client?.getServer() });
    for (const listener of [...this.statusListeners]) guarded(log, listener, status);
  }

  private activate(client: NatsConnection, subscribed: Subscribed): void {
    const { subject, queue, deliver } = subscribed;
    const { log } = this.options.runtime;
    subscribed.live = client.subscribe(subject, {
      ...(queue === undefined ? {} : { queue }),
      // A refusal comes here before the answer to a flush, and again as a status, which may be after it.
      callback: (error, message) => {
        if (error === null) guarded(log, deliver, rawMessage(message));
        else if (error instanceof PermissionViolationError) {
          // Not live any more; asked for again on the next connect.
          delete subscribed.live;
          this.tellDenied({ operation: 'subscription', subject });
        }
      },
    });
  }
}

/**
 * What the client keeps of a message as it came. Its own header parser throws on names it does not like, inside the loop
 * that reads the socket, and would leave the connection deaf: any peel could do that to everyone. So we parse ourselves.
 */
interface ReceivedBytes {
  readonly _rdata?: Uint8Array;
  readonly _msg: { readonly hdr: number };
}

function rawMessage(message: Msg): RawMessage {
  const { _rdata: bytes, _msg: received } = message as unknown as ReceivedBytes;
  const reply = message.reply === '' ? undefined : message.reply;
  const { subject, data } = message;
  if (bytes === undefined || received.hdr <= 0) {
    return { subject, data, reply, headers: NO_HEADERS, status: undefined, statusText: '' };
  }
  return new MessageWithHeaders(subject, data, reply, bytes.subarray(0, received.hdr));
}

/** Its headers are parsed when somebody asks: of the thousands of returns that a master hears, nobody does. */
class MessageWithHeaders implements RawMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly reply: string | undefined;
  private readonly bytes: Uint8Array;
  private block: HeaderBlock | undefined;

  constructor(subject: string, data: Uint8Array, reply: string | undefined, bytes: Uint8Array) {
    this.subject = subject;
    this.data = data;
    this.reply = reply;
    this.bytes = bytes;
  }

  get headers(): Headers {
    return this.parsed().headers;
  }

  get status(): number | undefined {
    return mayHaveStatus(this.bytes) ? this.parsed().status : undefined;
  }

  get statusText(): string {
    return mayHaveStatus(this.bytes) ? this.parsed().statusText : '';
  }

  private parsed(): HeaderBlock {
    this.block ??= parseHeaderBlock(decoder.decode(this.bytes), this.reply);
    return this.block;
  }
}

function natsHeaders(headers: Headers): MsgHdrs {
  const built = newHeaders();
  for (const [name, value] of headers) {
    assert(!CONTROL_CHARACTER.test(name + value), 'a header must not contain line ends');
    built.set(name, value);
  }
  return built;
}
