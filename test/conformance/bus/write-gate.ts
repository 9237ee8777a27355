/**
 * A write gate stands before a connection and counts what would change a store: values, objects, purges. A test makes
 * it fail or wait at any of them. What is only asked passes.
 */
import type { Connection } from '../../../src/bus/connection.ts';
import { zesterError } from '../../../src/core/errors/zester-error.ts';

const WRITE = /^(?:\$KV\.|\$O\.|\$JS\.API\.STREAM\.PURGE\.)/;

type Verdict = 'pass' | 'refuse' | 'pass and fail' | 'hold';
type Judge = (write: { readonly number: number; readonly subject: string }) => Verdict;

export interface WriteGate {
  readonly wrap: (connection: Connection) => Connection;
  /** Writes since the last call of `judge`. */
  writes(): number;
  judge(by: Judge): void;
  /** Resolves when a write is held. */
  readonly held: () => Promise<void>;
  /** Lets go what is held, and everything after it. */
  release(): void;
}

export function writeGate(): WriteGate {
  let judge: Judge = () => 'pass';
  let count = 0;
  let isHolding = false;
  let waiting: (() => void)[] = [];
  let tellHeld: () => void = () => undefined;
  let held = new Promise<void>((resolve) => (tellHeld = resolve));
  const failure = (what: string) => zesterError('BUS_INTERRUPTED', { what });
  return {
    wrap: (connection) => ({
      ...bound(connection),
      publish(subject, data, options) {
        const send = () => connection.publish(subject, data, options);
        if (!WRITE.test(subject)) return send();
        count += 1;
        const verdict = isHolding ? 'hold' : judge({ number: count, subject });
        if (verdict === 'refuse') throw failure(subject);
        if (verdict === 'hold') {
          isHolding = true;
          waiting.push(send);
          tellHeld();
          return undefined;
        }
        send();
        if (verdict === 'pass and fail') throw failure(subject);
        return undefined;
      },
    }),
    writes: () => count,
    judge(by) {
      judge = by;
      count = 0;
      held = new Promise((resolve) => (tellHeld = resolve));
    },
    held: () => held,
    release() {
      judge = () => 'pass';
      isHolding = false;
      const queue = waiting;
      waiting = [];
      for (const send of queue) send();
    },
  };
}

/** From write `number` on nothing is sent: the process was killed before it. */
export const diesBefore =
  (number: number): Judge =>
  (write) =>
    write.number < number ? 'pass' : 'refuse';

/** Write `number` arrives, and its answer does not. */
export const losesAnswerTo =
  (number: number): Judge =>
  (write) =>
    write.number === number ? 'pass and fail' : 'pass';

/** Methods of a class do not survive a spread. */
function bound(connection: Connection): Connection {
  return {
    inbox: connection.inbox,
    status: () => connection.status(),
    onStatus: (listener) => connection.onStatus(listener),
    onDenied: (listener) => connection.onDenied(listener),
    server: () => connection.server(),
    failure: () => connection.failure(),
    publish: (...args) => connection.publish(...args),
    subscribe: (...args) => connection.subscribe(...args),
    flush: () => connection.flush(),
    close: () => connection.close(),
  };
}
