/** `examine` runs one check: whatever it does, there is a finding in time. */
import { type Finding, type Judgement, unknown } from '../../core/doctor/finding.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { within } from '../../runtime/abortable-wait.ts';
import type { Clock } from '../../runtime/clock.ts';

export interface Check {
  readonly name: string;
  run(): Promise<Judgement>;
}

export const CHECK_MS_MAX = 10_000;
const TRY_AGAIN = 'try again; if it stays, see the log of the server';

export async function examine({ name, run }: Check, clock: Clock): Promise<Finding> {
  const judgement = await within(clock, CHECK_MS_MAX, run().catch(notLearned));
  return {
    check: name,
    ...(judgement ?? unknown(`no answer within ${CHECK_MS_MAX / 1_000} s`, TRY_AGAIN)),
  };
}

/** One check that cannot be made is no reason to keep the others from people in trouble. */
function notLearned(error: unknown): Judgement {
  if (isZesterError(error)) return unknown(error.message, error.hint);
  return unknown(`this check is broken: ${(error as Error).message}`, 'please report this bug');
}
