/**
 * `OperatorQuestions` hears questions on the bus and answers them. With a queue any one master answers. Without, every master hears
 * the question and only the one that publishes answers, because the directories that count are its own; where nobody publishes,
 * nobody answers.
 *
 * The same question twice is answered twice: what it asks for must be safe to do again. Bound: `QUESTIONS_MAX` in hand;
 * beyond: MASTER_BUSY. Whoever is not welcome (a peel over its budget) gets no answer: one costs us as much as a question costs him.
 */
import type { Message, SubjectSubscription } from '../bus/port.ts';
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import type { Codec } from '../wire/msgpack/codec.ts';
import { decoded } from '../wire/msgpack/decoded.ts';
import type { MasterContext } from './master-context.ts';

const QUESTIONS_MAX = 64;

export interface OperatorQuestionsParts {
  readonly context: Pick<MasterContext, 'bus' | 'runtime'>;
  /** For the log. */
  readonly about: 'files' | 'secrets' | 'enrollment' | 'bans';
  readonly isPublisher?: () => boolean;
  readonly queue?: string;
  /** False: the question is dropped unread. */
  readonly isWelcome?: (message: Message) => boolean;
  /** The answer to a question whose work has thrown. */
  readonly refusal: (error: unknown) => Uint8Array;
}

export class OperatorQuestions {
  private readonly parts: OperatorQuestionsParts;
  private readonly subscriptions: SubjectSubscription[] = [];
  private readonly answering = new Set<Promise<void>>();

  constructor(parts: OperatorQuestionsParts) {
    this.parts = parts;
  }

  /** `work` gives the encoded answer. */
  async serve<Request>(
    subject: string,
    codec: Codec<Request>,
    work: (request: Request, message: Message) => Promise<Uint8Array>,
  ): Promise<void> {
    const answer = async (message: Message): Promise<void> => {
      try {
        const request = decoded(codec, message.data);
        if (!request.isReadable)
          throw zesterError('MASTER_QUESTION_UNREADABLE', { problem: request.problem });
        this.send(message, await work(request.value, message));
      } catch (error) {
        this.refuse(message, error);
      }
    };
    const receive = (message: Message) => {
      if (this.parts.isPublisher?.() === false) return;
      if (this.parts.isWelcome?.(message) === false) return;
      const count = this.answering.size;
      if (count >= QUESTIONS_MAX) {
        this.refuse(message, zesterError('MASTER_BUSY', { count, what: 'questions' }));
        return;
      }
      const answered = answer(message).finally(() => this.answering.delete(answered));
      this.answering.add(answered);
    };
    const { context, queue } = this.parts;
    const options = queue === undefined ? {} : { queue };
    this.subscriptions.push(await context.bus.subscribe(subject, receive, options));
  }

  /** Takes nothing more; resolves when everything that was taken is answered. */
  async stop(): Promise<void> {
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
    await Promise.all(this.answering);
  }

  private refuse(message: Message, error: unknown): void {
    const { about, context, refusal } = this.parts;
    if (!isZesterError(error)) context.runtime.log.error(`a question about ${about} failed`, { error });
    this.send(message, refusal(error));
  }

  private send(message: Message, data: Uint8Array): void {
    const { about, context } = this.parts;
    if (message.reply === undefined) return;
    try {
      context.bus.publish(message.reply, data);
    } catch (error) {
      context.runtime.log.debug(`a question about ${about} could not be answered`, { error });
    }
  }
}
