/**
 * A link is the line between a simulated process and the memory server: it does to messages what TCP and a busy server do.
 *
 * Messages of one subscription stay in order; those of different ones may overtake each other. What is under way when
 * the line is cut is lost, both ways. A partition is not noticed at once: messages are held, and if it heals in time they
 * arrive late; otherwise both ends give the connection up and all of it is lost. Every publish is a port call at which
 * the process may die, before the message leaves or right after.
 */

import type { Connection, Denial, RawMessage } from '../../bus/connection.ts';
import { addListener } from '../../bus/listeners.ts';
import type { MemoryConnection } from '../../bus/memory/memory-connection.ts';
import type { MemoryServer, MemoryUser } from '../../bus/memory/memory-server.ts';
import type {
  ConnectionStatus,
  PublishOptions,
  ServerFacts,
  SubjectSubscription,
  Subscription,
} from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { Life } from './life.ts';

/** What the weather of the moment does to one message. */
export interface Weather {
  readonly delayMs: number;
  readonly isLost: boolean;
  readonly isDoubled: boolean;
}

export interface LinkParts {
  readonly server: MemoryServer;
  /** As whom it connects, asked at each attempt: credentials may be others by then. */
  readonly user: () => MemoryUser;
  readonly world: Clock;
  readonly random: Random;
  readonly life: Life;
  readonly weather: (direction: 'out' | 'in', subject: string) => Weather;
  /** A port call: the process may die before its effect or right after. */
  readonly publishCall: (name: string, effect: () => void) => void;
  /** A message has come to the process. */
  readonly heard?: ((message: RawMessage) => void) | undefined;
}

/** Until a partition is noticed. */
const NOTICE_MS = 12_000;
const RECONNECT_MS = 200;
const RECONNECT_SPREAD_MS = 2_000;

interface Subscribed {
  readonly subject: string;
  readonly queue: string | undefined;
  readonly deliver: (message: RawMessage) => void;
  inner: Subscription | undefined;
  lastDueMs: number;
}

export class SimLink implements Connection {
  readonly inbox: string;
  private readonly parts: LinkParts;
  private readonly subscriptions = new Set<Subscribed>();
  private readonly statusListeners = new Set<(status: ConnectionStatus) => void>();
  private readonly denialListeners = new Set<(denial: Denial) => void>();
  private inner: MemoryConnection;
  private current: ConnectionStatus = 'connecting';
  /** Grows with every cut: what was under way before one is lost. */
  private epoch = 0;
  private partitioned = false;
  private held: (() => void)[] = [];
  private lastOutMs = 0;

  constructor(parts: LinkParts) {
    this.parts = parts;
    this.inner = this.attach();
    this.inbox = this.inner.inbox;
  }

  status = (): ConnectionStatus => this.current;
  failure = (): undefined => undefined;
  server = (): ServerFacts | undefined => this.inner.server();
  onStatus = (listener: (status: ConnectionStatus) => void): Subscription =>
    addListener(this.statusListeners, listener);
  onDenied = (listener: (denial: Denial) => void): Subscription =>
    addListener(this.denialListeners, listener);

  publish(subject: string, data: Uint8Array, options: PublishOptions = {}): void {
    if (this.current === 'closed') throw zesterError('BUS_CLOSED', { what: subject });
    if (this.current !== 'connected') throw zesterError('BUS_DISCONNECTED', { what: subject });
    const max = this.parts.server.facts.payloadBytesMax;
    if (data.length > max) throw zesterError('BUS_TOO_LARGE', { bytes: data.length, what: subject, max });
    const copy = data.slice();
    this.parts.publishCall(`publish ${subject}`, () => this.leave(subject, copy, options));
  }

  subscribe(
    subject: string,
    queue: string | undefined,
    deliver: (message: RawMessage) => void,
  ): SubjectSubscription {
    const subscribed: Subscribed = { subject, queue, deliver, inner: undefined, lastDueMs: 0 };
    this.subscriptions.add(subscribed);
    if (this.current === 'connected') this.carry(() => this.subscribeInner(subscribed));
    const unsubscribe = () => {
      this.subscriptions.delete(subscribed);
      subscribed.inner?.unsubscribe();
    };
    return {
      unsubscribe,
      drain: async () => {
        subscribed.inner?.unsubscribe();
        // Cut off: nothing is on its way any more.
        await this.flush().catch(() => undefined);
        unsubscribe();
      },
    };
  }

  /** Rejects when the line goes before the answer is here, whichever of the two ways is lost. */
  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(zesterError('BUS_DISCONNECTED', { what: 'flush' }));
      if (this.current !== 'connected') return fail();
      const { epoch } = this;
      const line = this.onStatus(() => {
        line.unsubscribe();
        fail();
      });
      const answered = () => {
        line.unsubscribe();
        resolve();
      };
      this.carry(() => this.arrive(epoch, '', answered));
    });
  }

  close(): Promise<void> {
    this.epoch += 1;
    this.become('closed');
    void this.inner.close();
    return Promise.resolve();
  }

  /** The process is dead: what it had sent still leaves, nothing comes in any more. */
  die(): void {
    const { world } = this.parts;
    const { inner } = this;
    this.become('closed');
    world.after(Math.max(0, this.lastOutMs - world.monotonicMs()), () => void inner.close());
  }

  /** The connection breaks; it comes back by itself. */
  cut(): void {
    if (this.current !== 'connected') return;
    this.epoch += 1;
    this.partitioned = false;
    this.held = [];
    void this.inner.close();
    this.become('disconnected');
    this.reconnectSoon();
  }

  partition(): void {
    if (this.current !== 'connected' || this.partitioned) return;
    this.partitioned = true;
    const { epoch } = this;
    this.parts.world.after(NOTICE_MS, () => {
      if (this.epoch !== epoch || !this.partitioned) return;
      this.epoch += 1;
      this.held = [];
      void this.inner.close();
      this.become('disconnected');
    });
  }

  heal(): void {
    if (!this.partitioned) return;
    this.partitioned = false;
    if (this.current === 'disconnected') this.reconnectSoon();
    for (const go of this.held.splice(0)) go();
  }

  private attach(): MemoryConnection {
    const inner = this.parts.server.connect(this.parts.user(), this.inbox);
    inner.onStatus((status) => {
      if (this.inner !== inner || this.current === 'closed') return;
      if (status === 'connected') this.connected();
      else if (status === 'disconnected') {
        // The server went; the memory connection comes back with it.
        this.epoch += 1;
        this.become('disconnected');
      }
    });
    inner.onDenied((denial) => {
      this.parts.life.run(() => {
        for (const listener of this.denialListeners) listener(denial);
      });
    });
    return inner;
  }

  private connected(): void {
    this.epoch += 1;
    for (const subscribed of this.subscriptions) {
      subscribed.inner?.unsubscribe();
      this.subscribeInner(subscribed);
    }
    this.become('connected');
  }

  private reconnectSoon(): void {
    const { world, random } = this.parts;
    world.after(RECONNECT_MS + random.fraction() * RECONNECT_SPREAD_MS, () => {
      if (this.current !== 'disconnected' || this.partitioned) return;
      this.inner = this.attach();
    });
  }

  private subscribeInner(subscribed: Subscribed): void {
    if (!this.subscriptions.has(subscribed)) return;
    const { epoch } = this;
    subscribed.inner = this.inner.subscribe(subscribed.subject, subscribed.queue, (message) =>
      this.receive(epoch, subscribed, message),
    );
  }

  private receive(epoch: number, subscribed: Subscribed, message: RawMessage): void {
    const { delayMs, isLost, isDoubled } = this.parts.weather('in', message.subject);
    if (isLost) return;
    const { world } = this.parts;
    const dueMs = Math.max(subscribed.lastDueMs, world.monotonicMs() + delayMs);
    subscribed.lastDueMs = dueMs;
    const deliver = () => {
      if (!this.subscriptions.has(subscribed)) return;
      this.parts.heard?.(message);
      subscribed.deliver(message);
    };
    for (let copies = isDoubled ? 2 : 1; copies > 0; copies--)
      this.arriveAt(dueMs, epoch, () => this.parts.life.run(deliver));
  }

  private arrive(epoch: number, subject: string, run: () => void): void {
    const { world, weather, life } = this.parts;
    const { delayMs } = weather('in', subject);
    this.arriveAt(world.monotonicMs() + delayMs, epoch, () => life.run(run));
  }

  private arriveAt(dueMs: number, epoch: number, run: () => void): void {
    const { world } = this.parts;
    world.after(dueMs - world.monotonicMs(), () => {
      if (this.epoch !== epoch) return;
      if (this.partitioned) this.held.push(run);
      else run();
    });
  }

  private leave(subject: string, data: Uint8Array, options: PublishOptions): void {
    const { isLost, isDoubled } = this.parts.weather('out', subject);
    if (isLost) return;
    this.carry(() => this.inner.publish(subject, data, options));
    if (isDoubled) this.carry(() => this.inner.publish(subject, data, options));
  }

  /** To the server, in order. */
  private carry(arrives: () => void): void {
    const { world, weather } = this.parts;
    const { epoch } = this;
    const { delayMs } = weather('out', '');
    this.lastOutMs = Math.max(this.lastOutMs, world.monotonicMs() + delayMs);
    const go = () => {
      if (this.epoch !== epoch || this.inner.status() !== 'connected') return;
      if (this.partitioned) this.held.push(go);
      else arrives();
    };
    world.after(this.lastOutMs - world.monotonicMs(), go);
  }

  private become(status: ConnectionStatus): void {
    if (this.current === status || this.current === 'closed') return;
    this.current = status;
    this.parts.life.run(() => {
      for (const listener of [...this.statusListeners]) listener(status);
    });
  }
}
