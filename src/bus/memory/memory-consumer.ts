/**
 * A memory consumer is one consumer of the memory server: it knows which message is next, who waits for it, who holds one
 * unanswered. Pulls wait in
 * order; a message that is not answered within the ack wait goes first when it comes again.
 */
import type { Clock, Timer } from '../../runtime/clock.ts';
import { ACK, STATUS } from '../../wire/names/jetstream.ts';
import { subjectMatches } from '../../wire/names/subjects.ts';
import type { StoredMessage } from '../port.ts';
import type { MemoryStream } from './memory-stream.ts';

/** The settings we use, under the names of the JetStream API. Durations are nanoseconds. */
export interface ConsumerConfig {
  readonly name?: string;
  readonly durable_name?: string;
  readonly deliver_policy?: 'all' | 'new';
  readonly ack_wait?: number;
  readonly max_deliver?: number;
  readonly max_ack_pending?: number;
  readonly filter_subject?: string;
}

export interface ConsumerOutput {
  message(to: string, message: StoredMessage, ackSubject: string): void;
  status(to: string, code: number, text: string): void;
}

interface Pull {
  readonly reply: string;
  left: number;
  timers: Timer[];
}

interface Held {
  readonly message: StoredMessage;
  readonly deliveries: number;
  timer: Timer;
}

const NANOS_PER_MS = 1_000_000;
const DEFAULT_ACK_WAIT_MS = 30_000;
const ACK_PENDING_DEFAULT = 1_000;

export class MemoryConsumer {
  readonly config: ConsumerConfig;
  private readonly stream: MemoryStream;
  private readonly clock: Clock;
  private readonly output: ConsumerOutput;
  private readonly prefix: string;
  private readonly pulls: Pull[] = [];
  private readonly held = new Map<number, Held>();
  private redeliveries: { readonly message: StoredMessage; readonly deliveries: number }[] = [];
  private next: number;
  private consumerSequence = 0;
  /** Matching messages not given out yet; counted once and kept, because counting walks the stream. */
  private left: number;

  constructor(
    name: string,
    config: ConsumerConfig,
    stream: MemoryStream,
    clock: Clock,
    output: ConsumerOutput,
  ) {
    this.config = config;
    this.stream = stream;
    this.clock = clock;
    this.output = output;
    this.prefix = `$JS.ACK.${stream.config.name}.${name}`;
    this.next = config.deliver_policy === 'new' ? stream.state().last_seq + 1 : 1;
    this.left = stream.countUnder(this.filter, this.next);
  }

  /** Where it stands now; the returned function takes it back there. What was held then comes again. */
  snapshot(): () => void {
    const { next, left } = this;
    const redeliveries = [
      ...this.redeliveries,
      ...[...this.held.values()].map(({ message, deliveries }) => ({ message, deliveries })),
    ];
    return () => {
      for (const held of this.held.values()) held.timer.cancel();
      this.held.clear();
      this.next = next;
      this.left = left;
      this.redeliveries = [...redeliveries];
    };
  }

  pending(): number {
    return this.left;
  }

  /** The stream took a message in. */
  stored(subject: string): void {
    if (!subjectMatches(this.filter, subject)) return;
    this.left += 1;
    this.serve();
  }

  pull(reply: string, batch: number, options: { expiresMs: number; heartbeatMs: number }): void {
    const pull: Pull = { reply, left: batch, timers: [] };
    this.pulls.push(pull);
    if (options.expiresMs > 0) {
      pull.timers.push(
        this.clock.after(options.expiresMs, () => this.end(pull, STATUS.requestTimeout, 'Request Timeout')),
      );
    }
    if (options.heartbeatMs > 0) this.beat(pull, options.heartbeatMs);
    this.serve();
  }

  /** Gives out what can be given out. Called whenever something was stored, answered or asked for. */
  serve(): void {
    while (this.pulls.length > 0 && this.held.size < (this.config.max_ack_pending ?? ACK_PENDING_DEFAULT)) {
      const upcoming = this.take();
      if (upcoming === undefined) return;
      this.give(upcoming.message, upcoming.deliveries + 1);
    }
  }

  answer(streamSequence: number, text: string): void {
    const held = this.held.get(streamSequence);
    if (held === undefined) return;
    held.timer.cancel();
    if (text.startsWith(ACK.working)) {
      held.timer = this.clock.after(this.ackWaitMs, () => this.comeAgain(streamSequence));
      return;
    }
    if (text.startsWith(ACK.nak)) {
      const delay = (JSON.parse(text.slice(ACK.nak.length).trim() || '{}') as { delay?: number }).delay ?? 0;
      held.timer = this.clock.after(delay / NANOS_PER_MS, () => this.comeAgain(streamSequence));
      return;
    }
    this.held.delete(streamSequence);
    this.serve();
  }

  close(code: number, text: string): void {
    for (const pull of [...this.pulls]) this.end(pull, code, text);
    for (const held of this.held.values()) held.timer.cancel();
  }

  /** Nobody is connected any more to get what they asked for. */
  dropPulls(replies: (reply: string) => boolean): void {
    for (const pull of this.pulls.filter((each) => replies(each.reply))) this.forget(pull);
  }

  private get filter(): string {
    return this.config.filter_subject ?? '>';
  }

  private get ackWaitMs(): number {
    return this.config.ack_wait === undefined ? DEFAULT_ACK_WAIT_MS : this.config.ack_wait / NANOS_PER_MS;
  }

  private take(): { readonly message: StoredMessage; readonly deliveries: number } | undefined {
    const returned = this.redeliveries.shift();
    if (returned !== undefined) return returned;
    const message = this.stream.nextUnder(this.filter, this.next);
    if (message === undefined) return undefined;
    this.next = message.sequence + 1;
    this.left = Math.max(0, this.left - 1);
    return { message, deliveries: 0 };
  }

  private give(message: StoredMessage, deliveries: number): void {
    const pull = this.pulls[0] as Pull;
    const sequence = message.sequence;
    const place = `${deliveries}.${sequence}.${++this.consumerSequence}.${BigInt(Math.trunc(message.publishedMs)) * BigInt(NANOS_PER_MS)}`;
    const timer = this.clock.after(this.ackWaitMs, () => this.comeAgain(sequence));
    this.held.set(sequence, { message, deliveries, timer });
    this.output.message(pull.reply, message, `${this.prefix}.${place}.${this.pending()}`);
    pull.left -= 1;
    if (pull.left === 0) this.forget(pull);
  }

  private comeAgain(sequence: number): void {
    const held = this.held.get(sequence);
    if (held === undefined) return;
    this.held.delete(sequence);
    const max = this.config.max_deliver ?? -1;
    if (max <= 0 || held.deliveries < max)
      this.redeliveries.push({ message: held.message, deliveries: held.deliveries });
    this.serve();
  }

  private beat(pull: Pull, everyMs: number): void {
    const timer = this.clock.after(everyMs, () => {
      this.output.status(pull.reply, STATUS.idleHeartbeat, 'Idle Heartbeat');
      if (this.pulls.includes(pull)) this.beat(pull, everyMs);
    });
    pull.timers.push(timer);
  }

  private end(pull: Pull, code: number, text: string): void {
    if (!this.pulls.includes(pull)) return;
    this.forget(pull);
    this.output.status(pull.reply, code, text);
  }

  private forget(pull: Pull): void {
    this.pulls.splice(this.pulls.indexOf(pull), 1);
    for (const timer of pull.timers) timer.cancel();
  }
}
