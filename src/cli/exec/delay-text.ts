/** These functions word what an execution says on stderr while its job is not on its way yet. */
import { DISPATCH_ANSWER_MS, type DispatchDelay } from '../../client/jobs/submit-job.ts';
import type { ResolveEvent } from '../../client/targets/resolve-targets.ts';
import { unreadableText } from '../terminal/unreadable-text.ts';

/** How masters begin the words of a pending job: our own sentence says it already. */
const PENDING_PREFIX = /^claim pending: /;

/** What happened while the target was resolved. */
export function resolveText(event: ResolveEvent): string {
  return event.kind === 'no-master'
    ? 'no master answers; matching the target against the stored facts'
    : unreadableText(event.record);
}

/** Why the job is not dispatched yet, and how long that is borne. */
export function delayText(delay: DispatchDelay): string {
  return `${whyText(delay)}; trying again for up to ${delay.retryForMs / 1_000} s`;
}

function whyText({ reason, said }: DispatchDelay): string {
  switch (reason) {
    case 'no-master':
      return 'no master is there to take the job';
    case 'no-answer':
      return `no master has answered within ${DISPATCH_ANSWER_MS / 1_000} s`;
    case 'cannot-ask':
      return `no master could be asked: ${said}`;
    case 'refused':
      return `a master cannot take the job now: ${said}`;
    case 'pending':
      return `the job is not sent yet: ${said.replace(PENDING_PREFIX, '')}`;
  }
}
