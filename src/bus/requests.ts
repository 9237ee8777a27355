/**
 * This file multiplexes requests over one wildcard subscription per connection, with one token per request. Building on
 * the client's own request() costs an Error with a stack and an iterator for each call; this costs a Map entry and a
 * timer.
 *
 * Safety: the inbox has a random part that only this connection knows, so nobody can slip in an answer. An answer that
 * comes after its question was given up finds no entry and is dropped. A lost connection fails every open question at
 * once, because its answer can no longer come. Bound: a question lives at most its own timeout.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Timer } from '../runtime/clock.ts';
import { guarded } from '../runtime/guarded.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { STATUS } from '../wire/names/jetstream.ts';
import type { Connection, RawMessage } from './connection.ts';
import type { Headers } from './port.ts';

export interface Channel {
  /** A reply subject of this channel; what the server says about one question comes under the one it was asked with. */
  newReply(): string;
  close(): void;
}

export interface Requests {
  /** The first answer, whatever it says, except "no responders", which throws. */
  ask(
    subject: string,
    data: Uint8Array,
    options: { timeoutMs: number; headers?: Headers },
  ): Promise<RawMessage>;
  /**
   * Reply subjects with a subscription of their own, for many answers. Messages of a consumer need that: they come under
   * the subject they were stored with, so that a token in the subject could not be found again.
   */
  open(deliver: (message: RawMessage) => void): Channel;
  stop(): void;
}

interface Question {
  readonly subject: string;
  readonly resolve: (message: RawMessage) => void;
  readonly reject: (error: Error) => void;
  readonly timer: Timer;
}

export function multiplexRequests(connection: Connection, runtime: Runtime): Requests {
  const questions = new Map<string, Question>();
  const tokenStart = connection.inbox.length + 1;
  let counter = 0;

  const settle = (token: string): Question | undefined => {
    const question = questions.get(token);
    if (question === undefined) return undefined;
    questions.delete(token);
    question.timer.cancel();
    return question;
  };

  const answers = connection.subscribe(`${connection.inbox}.*`, undefined, (message) => {
    const question = settle(message.subject.slice(tokenStart));
    if (question === undefined) return;
    if (message.status === STATUS.noResponders) {
      question.reject(zesterError('BUS_NO_RESPONDERS', { what: question.subject }));
    } else {
      question.resolve(message);
    }
  });

  const failAll = (which: (question: Question) => boolean, why: (question: Question) => Error) => {
    for (const [token, question] of questions) {
      if (which(question)) settle(token)?.reject(why(question));
    }
  };

  const statuses = connection.onStatus((status) => {
    if (status === 'connected') return;
    const code = status === 'closed' ? 'BUS_CLOSED' : 'BUS_INTERRUPTED';
    failAll(
      () => true,
      ({ subject }) => zesterError(code, { what: subject }),
    );
  });
  const denials = connection.onDenied(({ operation, subject }) => {
    if (operation !== 'publish') return;
    failAll(
      (question) => question.subject === subject,
      () => zesterError('BUS_DENIED', { operation, subject }),
    );
  });

  return {
    ask(subject, data, { timeoutMs, headers }) {
      const token = (counter++).toString(36);
      return new Promise((resolve, reject) => {
        const timer = runtime.clock.after(timeoutMs, () => {
          questions.delete(token);
          reject(zesterError('BUS_TIMEOUT', { what: subject, ms: timeoutMs }));
        });
        questions.set(token, { subject, resolve, reject, timer });
        try {
          const reply = `${connection.inbox}.${token}`;
          connection.publish(subject, data, headers === undefined ? { reply } : { reply, headers });
        } catch (error) {
          settle(token);
          reject(error as Error);
        }
      });
    },
    open(deliver) {
      const root = `${connection.inbox}.many.${(counter++).toString(36)}`;
      const subscription = connection.subscribe(`${root}.*`, undefined, (message) =>
        guarded(runtime.log, deliver, message),
      );
      return {
        newReply: () => `${root}.${(counter++).toString(36)}`,
        close: () => subscription.unsubscribe(),
      };
    },
    stop() {
      answers.unsubscribe();
      statuses.unsubscribe();
      denials.unsubscribe();
      failAll(
        () => true,
        ({ subject }) => zesterError('BUS_CLOSED', { what: subject }),
      );
    },
  };
}
