/**
 * `consume` works off a durable pull consumer that all masters share.
 *
 * Safety: a delivery is answered by its handler or comes again after the ack wait, here or at another master; the
 * handler must be idempotent. Only as many messages are pulled as there are free slots, so that nothing waits here
 * while its ack wait runs.
 * Acks go out together, at most `ACKS_GATHERED_MS` after the first of them; if we die before that, the messages come again.
 * Liveness: a pull that is lost (node died, election, reconnect) is noticed by missing heartbeats and sent again; a
 * consumer that is gone is made again. Only then: making it needs the meta leader of the cluster, pulling does not.
 * Bound: `slots` handlers at a time; one pull counts, older ones run out.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Timer } from '../../runtime/clock.ts';
import { type Gathering, gathering } from '../../runtime/gather.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import {
  ACK,
  consumerCreateSubject,
  consumerNextSubject,
  type DeliveryTokens,
  parseDeliverySubject,
  STATUS,
} from '../../wire/names/jetstream.ts';
import type { ConsumerSpec } from '../../wire/names/streams.ts';
import type { BusParts } from '../bus-parts.ts';
import type { RawMessage } from '../connection.ts';
import type { Consumption, Delivery } from '../port.ts';

const PULL_MS = 30_000;
const HEARTBEAT_MS = 1_000;
/** Two heartbeats missed and some slack for a busy machine. */
const SILENCE_MS = 2_500;
const NANOS_PER_MS = 1_000_000;
/** Far below every ack wait. */
const ACKS_GATHERED_MS = 20;
const MAKE_MS = 2_000;
/** Pulls in a row of which nothing is heard before the consumer itself is looked after. */
const SILENT_PULLS_MAX = 2;
const DELETED = /deleted/i;
const NO_LIMIT = -1;
const encoder = new TextEncoder();

export function consume(
  parts: BusParts,
  spec: ConsumerSpec,
  options: { readonly slots: number; readonly trouble?: (error: Error) => void },
  handle: (delivery: Delivery) => Promise<void>,
): Consumption {
  const { connection, runtime } = parts;
  const running = new Set<Promise<void>>();
  /** Came for a pull that was given up and sent again; at most `ackPendingMax`, as the server holds back the rest. */
  const waiting: RawMessage[] = [];
  let consumerMade = false;
  /** Messages the server may still send for the outstanding pull, and the reply subject that tells it from older ones. */
  let asked = 0;
  let pullReply = '';
  let silentPulls = 0;
  let silence: Timer | undefined;
  let stopping = false;
  const gather = gathering(runtime.clock, ACKS_GATHERED_MS);

  const channel = parts.requests.open(onMessage);
  const loop = wakeLoop(runtime, pull, options.trouble);
  const statuses = connection.onStatus((status) => {
    if (status === 'connected') pullAgain();
  });
  loop.wake();

  async function pull(): Promise<void> {
    if (stopping || asked > 0) return;
    if (!consumerMade) {
      await makeConsumer(parts, spec);
      consumerMade = true;
      if (stopping) return;
    }
    const batch = options.slots - running.size - waiting.length;
    if (batch <= 0) return;
    const body = { batch, expires: PULL_MS * NANOS_PER_MS, idle_heartbeat: HEARTBEAT_MS * NANOS_PER_MS };
    pullReply = channel.newReply();
    connection.publish(consumerNextSubject(spec.stream, spec.name), encoder.encode(JSON.stringify(body)), {
      reply: pullReply,
    });
    asked = batch;
    listenFor();
  }

  function onMessage(message: RawMessage): void {
    // What the server says about a pull that was given up says nothing about the one after it.
    if (message.status !== undefined && message.subject !== pullReply) return;
    silentPulls = 0;
    if (message.status === undefined) {
      asked = Math.max(0, asked - 1);
      waiting.push(message);
      startWaiting();
    } else if (message.status !== STATUS.idleHeartbeat) {
      asked = 0;
      onPullEnded(message);
    }
    if (asked > 0) listenFor();
    else silence?.cancel();
  }

  function onPullEnded(message: RawMessage): void {
    if (message.status === STATUS.requestTimeout) {
      loop.wake();
    } else {
      // A conflict is mostly a new leader of the consumer; nobody there may be an election, or the consumer is gone.
      if (message.status !== STATUS.conflict || DELETED.test(message.statusText)) consumerMade = false;
      const reason = `${message.status} ${message.statusText}`;
      options.trouble?.(zesterError('BUS_STORE_UNAVAILABLE', { what: `consumer ${spec.name}`, reason }));
      loop.wakeAfter(HEARTBEAT_MS);
    }
  }

  /** Heartbeats come while a pull is outstanding; when they stop, nobody is serving it any more. */
  function listenFor(): void {
    silence?.cancel();
    if (!stopping) silence = runtime.clock.after(SILENCE_MS, onSilence);
  }

  function onSilence(): void {
    silentPulls += 1;
    // Whatever hosted the consumer may be gone; making it again is idempotent and tells us when it is not there.
    if (silentPulls >= SILENT_PULLS_MAX) consumerMade = false;
    pullAgain();
  }

  function pullAgain(): void {
    asked = 0;
    loop.wake();
  }

  function startWaiting(): void {
    if (stopping) {
      giveBack();
      return;
    }
    for (let next = waiting[0]; next !== undefined && running.size < options.slots; next = waiting[0]) {
      waiting.shift();
      start(next);
    }
    loop.wake();
  }

  /** Came too late to be started here: somebody else may have it at once. */
  function giveBack(): void {
    for (const message of waiting.splice(0)) {
      const at = message.reply === undefined ? undefined : parseDeliverySubject(message.reply);
      if (at !== undefined) delivery(parts, message, at, gather).nak(0);
    }
  }

  function start(message: RawMessage): void {
    const at = message.reply === undefined ? undefined : parseDeliverySubject(message.reply);
    if (at === undefined) {
      runtime.log.warn('a delivery without its place was dropped', {
        consumer: spec.name,
        subject: message.subject,
      });
      return;
    }
    const work = handle(delivery(parts, message, at, gather))
      .catch((error: unknown) => {
        runtime.log.error('a consumer handler failed; the message comes again', {
          consumer: spec.name,
          error,
        });
      })
      .finally(() => {
        running.delete(work);
        startWaiting();
      });
    running.add(work);
  }

  return {
    async stop() {
      stopping = true;
      giveBack();
      loop.stop();
      statuses.unsubscribe();
      silence?.cancel();
      await Promise.allSettled(running);
      await gather();
      channel.close();
    },
  };
}

/** One try: the loop goes on by itself, and tells why it waits. */
async function makeConsumer(parts: BusParts, spec: ConsumerSpec): Promise<void> {
  const settings = {
    stream_name: spec.stream,
    config: {
      durable_name: spec.name,
      name: spec.name,
      deliver_policy: spec.deliver,
      ack_policy: 'explicit',
      replay_policy: 'instant',
      filter_subject: spec.filter,
      ack_wait: spec.ackWaitMs * NANOS_PER_MS,
      max_deliver: spec.deliveriesMax === 0 ? NO_LIMIT : spec.deliveriesMax,
      max_ack_pending: spec.ackPendingMax,
    },
  };
  await parts.api.call(consumerCreateSubject(spec.stream, spec.name), settings, MAKE_MS);
}

function delivery(parts: BusParts, message: RawMessage, at: DeliveryTokens, gather: Gathering): Delivery {
  const reply = message.reply as string;
  const answer = (text: string) => {
    try {
      parts.connection.publish(reply, encoder.encode(text));
    } catch (error) {
      // Cut off: the answer is lost, as it could have been on the way, and the message comes again.
      parts.runtime.log.debug('delivery not answered', { subject: message.subject, error });
    }
  };
  return {
    subject: message.subject,
    data: message.data,
    get headers() {
      return message.headers;
    },
    sequence: at.streamSequence,
    publishedMs: at.publishedMs,
    deliveryCount: at.deliveryCount,
    ack: () => void gather().then(() => answer(ACK.ack)),
    nak: (delayMs) => answer(`${ACK.nak} ${JSON.stringify({ delay: Math.round(delayMs * NANOS_PER_MS) })}`),
    working: () => answer(ACK.working),
    term: (reason) => answer(`${ACK.term} ${reason}`),
  };
}
