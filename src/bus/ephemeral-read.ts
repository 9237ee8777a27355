/**
 * Reads what a stream holds, in order, through a consumer that lives only as long as the reading.
 *
 * The consumer sits on one node; when that node dies in mid-read nothing more comes, the pull runs into its timeout
 * and the whole read throws: the caller repeats it. Left-over consumers go by themselves after the inactive threshold.
 * Bound: one batch is in memory at a time.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import {
  consumerCreateSubject,
  consumerDeleteSubject,
  consumerNextSubject,
  parseDeliverySubject,
  STATUS,
} from '../wire/jetstream.ts';
import type { BusParts } from './bus-parts.ts';
import type { RawMessage } from './connection.ts';
import type { ReplayOptions, StoredMessage } from './port.ts';

/** With messages of 1 MiB, a batch stays below what a server holds back for one client before it cuts it off. */
const BATCH_MESSAGES = 32;
const PULL_TIMEOUT_MS = 3_000;
const INACTIVE_MS = 10_000;
const NANOS_PER_MS = 1_000_000;

/** Visits every message that is stored when it asks; returns the sequence of the last one, 0 when there was none. */
export async function readStream(
  parts: BusParts,
  stream: string,
  options: ReplayOptions,
  visit: (message: StoredMessage) => void,
): Promise<number> {
  const name = `zester-read-${Buffer.from(parts.runtime.random.bytes(12)).toString('hex')}`;
  const created = await parts.api.call(consumerCreateSubject(stream, name), {
    stream_name: stream,
    config: readerConfig(name, options),
    action: 'create',
  });
  const puller = batchPuller(parts, stream, name);
  // What is written while we read is not ours to chase: as many as there were at the start, no more.
  let left = Number(created.num_pending ?? 0);
  let last = 0;
  try {
    while (left > 0) {
      const batch = await puller.pull(Math.min(left, BATCH_MESSAGES));
      if (batch.length === 0) break;
      for (const message of batch) {
        const stored = storedIn(message, stream);
        visit(stored);
        last = stored.sequence;
      }
      left -= batch.length;
    }
  } finally {
    puller.close();
    dropReader(parts, stream, name);
  }
  return last;
}

function readerConfig(name: string, options: ReplayOptions): object {
  const policy = options.lastPerSubject
    ? { deliver_policy: 'last_per_subject' }
    : options.fromSequence === undefined
      ? { deliver_policy: 'all' }
      : { deliver_policy: 'by_start_sequence', opt_start_seq: options.fromSequence };
  return {
    name,
    ...policy,
    ack_policy: 'none',
    replay_policy: 'instant',
    filter_subject: options.filter,
    inactive_threshold: INACTIVE_MS * NANOS_PER_MS,
    headers_only: options.headersOnly === true,
    mem_storage: true,
    num_replicas: 1,
  };
}

function storedIn(message: RawMessage, stream: string): StoredMessage {
  const at = message.reply === undefined ? undefined : parseDeliverySubject(message.reply);
  if (at === undefined)
    throw zesterError('BUS_BAD_DATA', { what: stream, problem: 'a delivery without its place' });
  const { subject, data, headers } = message;
  return { subject, data, headers, sequence: at.streamSequence, publishedMs: at.publishedMs };
}

/** One reply subject for the whole reading; `pull` asks for a batch and waits for it. */
function batchPuller(parts: BusParts, stream: string, consumer: string) {
  const subject = consumerNextSubject(stream, consumer);
  let onMessage: (message: RawMessage) => void = () => undefined;
  const channel = parts.requests.open((message) => onMessage(message));

  /** Fewer than `count` come when limits or a purge took some away since they were counted. */
  function pull(count: number): Promise<RawMessage[]> {
    return new Promise((resolve, reject) => {
      const got: RawMessage[] = [];
      const end = (finish: () => void) => {
        onMessage = () => undefined;
        timer.cancel();
        statuses.unsubscribe();
        finish();
      };
      const fail = (error: Error) => end(() => reject(error));
      const arm = () =>
        parts.runtime.clock.after(PULL_TIMEOUT_MS, () =>
          fail(zesterError('BUS_TIMEOUT', { what: subject, ms: PULL_TIMEOUT_MS })),
        );
      let timer = arm();
      const statuses = parts.connection.onStatus((status) => {
        if (status !== 'connected') fail(zesterError('BUS_INTERRUPTED', { what: subject }));
      });
      onMessage = (message) => {
        const { status, statusText: reason } = message;
        if (status === undefined) {
          timer.cancel();
          if (got.push(message) === count) end(() => resolve(got));
          else timer = arm();
        } else if (status === STATUS.notFound || status === STATUS.requestTimeout) {
          end(() => resolve(got));
        } else if (status === STATUS.noResponders) {
          fail(zesterError('BUS_NO_RESPONDERS', { what: subject }));
        } else {
          fail(zesterError('BUS_STORE_UNAVAILABLE', { what: subject, reason }));
        }
      };
      try {
        const body = Buffer.from(JSON.stringify({ batch: count, no_wait: true }));
        parts.connection.publish(subject, body, { reply: channel.newReply() });
      } catch (error) {
        fail(error as Error);
      }
    });
  }

  return { pull, close: () => channel.close() };
}

/** Best effort: the server drops the consumer by itself after a while. */
function dropReader(parts: BusParts, stream: string, name: string): void {
  parts.api.call(consumerDeleteSubject(stream, name), {}).catch((error: unknown) => {
    parts.runtime.log.debug('reader not deleted; it expires by itself', { stream, name, error });
  });
}
