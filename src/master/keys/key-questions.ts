/**
 * `KeyQuestions` answers operators about keys: one master of the queue group answers each question, a refusal is an answer too, and
 * what fails for a reason of ours is in the log. Bound: `QUESTIONS_MAX` at a time; beyond: MASTER_BUSY.
 */
import type { Message, SubjectSubscription } from '../../bus/port.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import type { Codec } from '../../wire/msgpack/codec.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { QUEUES } from '../../wire/names/subjects.ts';
import type { MasterContext } from '../master-context.ts';

const QUESTIONS_MAX = 32;
const REQUEST_CHARS_MAX = 64;

export class KeyQuestions {
  private readonly context: Pick<MasterContext, 'bus' | 'runtime'>;
  private readonly subscriptions: SubjectSubscription[] = [];
  private readonly answering = new Set<Promise<void>>();

  constructor(context: Pick<MasterContext, 'bus' | 'runtime'>) {
    this.context = context;
  }

  async serve<Request, Reply>(
    subject: string,
    asked: Codec<Request>,
    answer: Codec<Reply>,
    refused: (error: unknown) => Reply,
    work: (request: Request) => Promise<Reply>,
  ): Promise<void> {
    const { bus, runtime } = this.context;
    const outcome = async (message: Message): Promise<Reply> => {
      try {
        const request = decoded(asked, message.data);
        if (!request.isReadable)
          throw zesterError('MASTER_QUESTION_UNREADABLE', { problem: request.problem });
        return await work(request.value);
      } catch (error) {
        if (!isZesterError(error)) runtime.log.error('a question about keys failed', { subject, error });
        return refused(error);
      }
    };
    const send = (message: Message, reply: Reply) => {
      if (message.reply === undefined) return;
      try {
        bus.publish(message.reply, answer.encode(reply));
      } catch (error) {
        runtime.log.debug('a question about keys could not be answered', { subject, error });
      }
    };
    const receive = (message: Message) => {
      const count = this.answering.size;
      if (count >= QUESTIONS_MAX) {
        send(message, refused(zesterError('MASTER_BUSY', { count, what: 'questions' })));
        return;
      }
      const answered = outcome(message)
        .then((reply) => send(message, reply))
        .finally(() => this.answering.delete(answered));
      this.answering.add(answered);
    };
    this.subscriptions.push(await bus.subscribe(subject, receive, { queue: QUEUES.admin }));
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
    await Promise.all(this.answering);
  }
}

/** By which a rotation that was asked for twice, because its answer was lost, happens once. */
export function mustHaveId(request: string): void {
  if (request === '' || request.length > REQUEST_CHARS_MAX)
    throw zesterError('MASTER_QUESTION_UNREADABLE', { problem: 'a rotation needs an id' });
}
