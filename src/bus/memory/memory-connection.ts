/** A memory connection is a client's end of the memory server. */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Connection, Denial, RawMessage } from '../connection.ts';
import { NO_HEADERS } from '../connection.ts';
import { headerBytes } from '../header-block.ts';
import { addListener } from '../listeners.ts';
import type {
  ConnectionStatus,
  PublishOptions,
  ServerFacts,
  SubjectSubscription,
  Subscription,
} from '../port.ts';
import type { Client, Interest, MemoryServer, MemoryUser } from './memory-server.ts';

interface Subscribed extends Interest {
  readonly receive: (message: RawMessage) => void;
}

export class MemoryConnection implements Connection {
  readonly inbox: string;
  readonly client: Client;
  private readonly server_: MemoryServer;
  private readonly subscriptions = new Set<Subscribed>();
  private readonly statusListeners = new Set<(status: ConnectionStatus) => void>();
  private readonly denialListeners = new Set<(denial: Denial) => void>();
  private current: ConnectionStatus = 'connecting';

  constructor(server: MemoryServer, user: MemoryUser, inbox: string) {
    this.server_ = server;
    this.inbox = inbox;
    this.client = {
      user,
      inbox,
      deliver: (interest, message) => this.deliver(interest, message),
      denied: (operation, subject) => {
        for (const listener of this.denialListeners) listener({ operation, subject });
      },
      cut: () => {
        if (this.current !== 'connecting') this.become('disconnected');
      },
      restored: () => this.restored(),
    };
  }

  status = (): ConnectionStatus => this.current;
  failure = (): undefined => undefined;
  server = (): ServerFacts | undefined => (this.current === 'connecting' ? undefined : this.server_.facts);
  onStatus = (listener: (status: ConnectionStatus) => void): Subscription =>
    addListener(this.statusListeners, listener);
  onDenied = (listener: (denial: Denial) => void): Subscription =>
    addListener(this.denialListeners, listener);

  publish(subject: string, data: Uint8Array, options: PublishOptions = {}): void {
    if (this.current === 'closed') throw zesterError('BUS_CLOSED', { what: subject });
    if (!this.usable()) throw zesterError('BUS_DISCONNECTED', { what: subject });
    const max = this.server_.facts.payloadBytesMax;
    const bytes = data.length + headerBytes(options.headers);
    if (bytes > max) throw zesterError('BUS_TOO_LARGE', { bytes, what: subject, max });
    // The bytes are copied as a socket would: the sender may use its buffer again.
    this.server_.publish(this.client, subject, data.slice(), options.headers ?? NO_HEADERS, options.reply);
  }

  subscribe(
    subject: string,
    queue: string | undefined,
    receive: (message: RawMessage) => void,
  ): SubjectSubscription {
    const subscribed: Subscribed = { client: this.client, subject, queue, receive };
    this.subscriptions.add(subscribed);
    if (this.usable()) this.server_.subscribe(subscribed);
    const unsubscribe = () => {
      this.subscriptions.delete(subscribed);
      this.server_.unsubscribe(subscribed);
    };
    return {
      unsubscribe,
      drain: async () => {
        this.server_.unsubscribe(subscribed);
        // Cut off: nothing is on its way any more.
        await this.flush().catch(() => undefined);
        unsubscribe();
      },
    };
  }

  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.usable()) reject(zesterError('BUS_DISCONNECTED', { what: 'flush' }));
      else this.server_.later(resolve);
    });
  }

  async close(): Promise<void> {
    if (this.current === 'closed') return;
    this.server_.leave(this.client);
    this.subscriptions.clear();
    this.become('closed');
  }

  private usable(): boolean {
    return this.current === 'connected' && this.server_.serves(this.client.user);
  }

  private restored(): void {
    if (this.current === 'closed' || this.current === 'connected') return;
    if (!this.server_.admits(this.client.user)) return;
    for (const subscribed of this.subscriptions) this.server_.subscribe(subscribed);
    this.become('connected');
  }

  private deliver(interest: Interest, message: RawMessage): void {
    const subscribed = interest as Subscribed;
    if (this.subscriptions.has(subscribed)) subscribed.receive(message);
  }

  private become(status: ConnectionStatus): void {
    if (this.current === status || this.current === 'closed') return;
    this.current = status;
    for (const listener of [...this.statusListeners]) listener(status);
  }
}
