/** Why a job is not on its way yet, for people who wait. */
import { DISPATCH_ANSWER_MS, type DispatchDelay } from '../../client/jobs/dispatch-job.ts';

export function delayText(delay: DispatchDelay): string {
  return `${whyText(delay)}; trying again for up to ${delay.patienceMs / 1_000} s`;
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
      return `the job is not sent yet: ${said}`;
  }
}
