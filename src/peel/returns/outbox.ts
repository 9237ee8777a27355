/**
 * The outbox sends messages into a stream: each until the stream confirms it, under one message id, so that it is
 * stored once. It waits for a connection, and after a failure with backoff and jitter. Order is not kept.
 *
 * What is in here is lost when we die; a return is on disk as well (job-book.ts) and comes here again at the next start.
 * Bounds: `IN_FLIGHT_MAX` at a time, and another one only while less than `IN_FLIGHT_BYTES_MAX` is under way: on a slow line what is begun
 * at the same time arrives at the same time, which for all of them would be too late; returns are bounded by the spool, acks by `COURTESY_MAX` and a number of tries,
 * after which they are dropped: an ack only tells a master what the return will tell it anyway.
 */
import type { AgentBus, Subscription } from '../../bus/port.ts';
import { type Backoff, backoffMs } from '../../core/backoff.ts';
import { within } from '../../runtime/abortable-wait.ts';
import type { Timer } from '../../runtime/clock.ts';
import { jitter } from '../../runtime/random.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { PeelContext } from '../peel-context.ts';
import { messageRoom } from './fit-message.ts';

export interface Letter {
  /** One letter of a key is under way at a time. */
  readonly key: string;
  readonly subject: string;
  readonly messageId: string;
  /** Dropped after a few tries, as against never. */
  readonly courtesy: boolean;
  /** The message, of at most so many bytes: asked at each try, because servers differ in what they take. */
  readonly bytes: (bytesMax: number) => Uint8Array;
  readonly stored?: () => void;
  /** Not sent before this long has passed: something may come that makes it needless (`dropUnsent`). */
  readonly holdMs?: number;
}

const IN_FLIGHT_MAX = 16;
const IN_FLIGHT_BYTES_MAX = 1_048_576;
/** For an answer, and for the letter to get over a line of 400 kbit/s, together with what was begun before it. */
const STORED_MS = 5_000;
const SLOW_BYTES_PER_SECOND = 50_000;
const COURTESY_MAX = 1_024;
const COURTESY_TRIES_MAX = 8;
const RETRIES: Backoff = { firstMs: 250, maxMs: 30_000 };
const SPREAD = 0.5;
/** After a reconnect everybody has something to send. */
const RECONNECT_SPREAD_MS = 500;

interface Entry {
  readonly letter: Letter;
  tries: number;
  dueMs: number;
  busy: boolean;
}

export class Outbox {
  private readonly bus: AgentBus;
  private readonly runtime: Runtime;
  private readonly entries = new Map<string, Entry>();
  private readonly statuses: Subscription;
  private readonly emptied = new Set<() => void>();
  private timer: Timer | undefined;
  private inFlight = 0;
  private bytesInFlight = 0;
  private stopped = false;

  constructor({ bus, runtime }: Pick<PeelContext, 'bus' | 'runtime'>) {
    this.bus = bus;
    this.runtime = runtime;
    this.statuses = bus.onStatus((status) => {
      if (status === 'connected') this.allDueSoon();
    });
  }

  send(letter: Letter): void {
    if (this.stopped || this.entries.has(letter.key)) return;
    if (letter.courtesy && this.entries.size >= COURTESY_MAX) return;
    const dueMs = this.runtime.clock.monotonicMs() + (letter.holdMs ?? 0);
    this.entries.set(letter.key, { letter, tries: 0, dueMs, busy: false });
    this.pump();
  }

  /** Takes a letter back, unless it has been sent and may be stored. */
  dropUnsent(key: string): void {
    const entry = this.entries.get(key);
    if (entry !== undefined && entry.tries === 0 && !entry.busy) this.entries.delete(key);
  }

  drop(key: string): void {
    this.entries.delete(key);
  }

  /** Resolves when nothing is left, or `withinMs` have passed. */
  async flushed(withinMs: number): Promise<void> {
    if (this.entries.size === 0) return;
    let tell = () => {};
    const emptied = new Promise<void>((resolve) => {
      tell = resolve;
    });
    this.emptied.add(tell);
    await within(this.runtime.clock, withinMs, emptied);
    this.emptied.delete(tell);
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
    this.statuses.unsubscribe();
    this.entries.clear();
  }

  private allDueSoon(): void {
    const { clock, random } = this.runtime;
    for (const entry of this.entries.values())
      entry.dueMs = clock.monotonicMs() + random.fraction() * RECONNECT_SPREAD_MS;
    this.pump();
  }

  /** Starts what is due; sets the timer for what is not. */
  private pump(): void {
    this.timer?.cancel();
    if (this.stopped || this.bus.status() !== 'connected') return;
    const nowMs = this.runtime.clock.monotonicMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const entry of this.entries.values()) {
      if (this.inFlight >= IN_FLIGHT_MAX || this.bytesInFlight >= IN_FLIGHT_BYTES_MAX) return;
      if (entry.busy) continue;
      if (entry.dueMs <= nowMs) void this.deliver(entry);
      else nextMs = Math.min(nextMs, entry.dueMs);
    }
    if (nextMs < Number.POSITIVE_INFINITY)
      this.timer = this.runtime.clock.after(nextMs - nowMs, () => this.pump());
  }

  private async deliver(entry: Entry): Promise<void> {
    const { letter } = entry;
    let size = 0;
    entry.busy = true;
    this.inFlight += 1;
    try {
      const bytes = letter.bytes(messageRoom(this.bus.server()?.payloadBytesMax));
      size = bytes.length;
      this.bytesInFlight += size;
      const timeoutMs = STORED_MS + (this.bytesInFlight * 1_000) / SLOW_BYTES_PER_SECOND;
      await this.bus.append(letter.subject, bytes, { messageId: letter.messageId, timeoutMs });
      this.forget(entry);
      letter.stored?.();
    } catch (error) {
      this.postpone(entry, error);
    } finally {
      entry.busy = false;
      this.inFlight -= 1;
      this.bytesInFlight -= size;
      if (this.entries.size === 0) for (const tell of [...this.emptied]) tell();
      this.pump();
    }
  }

  private postpone(entry: Entry, error: unknown): void {
    const { clock, random, log } = this.runtime;
    const { letter } = entry;
    entry.tries += 1;
    log.debug('not stored yet', { subject: letter.subject, tries: entry.tries, error });
    if (letter.courtesy && entry.tries >= COURTESY_TRIES_MAX) this.forget(entry);
    entry.dueMs = clock.monotonicMs() + jitter(random, backoffMs(RETRIES, entry.tries), SPREAD);
  }

  /** While it was under way it may have been dropped, and another one of its key sent: that one stays. */
  private forget(entry: Entry): void {
    const { key } = entry.letter;
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }
}
