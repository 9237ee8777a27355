/**
 * `collectAnswers` asks one question and collects the answers of many, until nobody has answered for a while or time is up.
 * It is for questions that every server of a cluster answers, whose number is not known before.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Clock, Timer } from '../runtime/clock.ts';
import { type Connection, NO_BYTES, type RawMessage } from './connection.ts';

export interface Collected {
  readonly message: RawMessage;
  readonly receivedMs: number;
}

export interface CollectOptions {
  /** Without another answer for this long, that was all. */
  readonly quietMs: number;
  readonly msMax: number;
  readonly answersMax: number;
  /** The question itself; nothing by default. */
  readonly data?: Uint8Array;
  /** Keeps the answers of questions apart that are asked at the same time on one connection. */
  readonly token?: string;
}

/** Rejects with BUS_DENIED when the credentials may not ask; resolves to none when nobody answers. */
export function collectAnswers(
  connection: Connection,
  clock: Clock,
  subject: string,
  { quietMs, msMax, answersMax, data = NO_BYTES, token = 'collect' }: CollectOptions,
): Promise<Collected[]> {
  return new Promise((resolve, reject) => {
    const answers: Collected[] = [];
    let quiet: Timer | undefined;
    const reply = `${connection.inbox}.${token}`;
    const end = (finish: () => void) => {
      quiet?.cancel();
      limit.cancel();
      denials.unsubscribe();
      subscription.unsubscribe();
      finish();
    };
    const done = () => end(() => resolve(answers));
    const limit = clock.after(msMax, done);
    const denials = connection.onDenied((denial) => {
      if (denial.subject === subject) end(() => reject(zesterError('BUS_DENIED', denial)));
    });
    const subscription = connection.subscribe(reply, undefined, (message) => {
      // Made by the server we are connected to, because nobody serves the subject.
      if (message.status !== undefined) return done();
      answers.push({ message, receivedMs: clock.nowMs() });
      if (answers.length >= answersMax) return done();
      quiet?.cancel();
      quiet = clock.after(quietMs, done);
    });
    try {
      connection.publish(subject, data, { reply });
    } catch (error) {
      end(() => reject(error as Error));
    }
  });
}
