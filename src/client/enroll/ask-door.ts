/**
 * `askDoor` asks a master about enrollments, join tokens or tags. Any master answers, and to ask the same twice changes nothing
 * the second time; so a question is sent again for `KEEP_ASKING_MS` while none answers. Then ENROLL_UNANSWERED: whether it was
 * done is not known. What a master refuses is ENROLL_COMMAND_REFUSED, with the code of its reason.
 */
import { isTransient } from '../../bus/failed-call.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { sleep } from '../../runtime/clock.ts';
import { ask, type Question } from '../ask.ts';
import type { ClientContext } from '../client-context.ts';

/** A revocation is told to every server before it is answered. */
const ANSWER_MS = 15_000;
const KEEP_ASKING_MS = 20_000;
const RETRY_MS = 500;

/** `what` stands behind "what became of". */
export async function askDoor<Asked, Answer extends { readonly error: string; readonly code: string }>(
  { bus, runtime, signal }: ClientContext,
  question: Question<Asked, Answer>,
  value: Asked,
  what: string,
): Promise<Answer> {
  const { clock } = runtime;
  const untilMs = clock.monotonicMs() + KEEP_ASKING_MS;
  for (;;) {
    try {
      const reply = await unlessAborted(ask(bus, question, value, ANSWER_MS), signal);
      if (reply.error === '') return reply;
      throw zesterError('ENROLL_COMMAND_REFUSED', { reason: reply.error }, { reasonCode: reply.code });
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      if (clock.monotonicMs() >= untilMs) throw zesterError('ENROLL_UNANSWERED', { what }, { cause: error });
    }
    await sleep(clock, RETRY_MS, signal);
  }
}
