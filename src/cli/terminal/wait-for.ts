/**
 * `WaitFor` is a wait that a person can see and leave. After a moment of silence it says what it waits for, and again
 * every now and then; Ctrl-C ends it at once, and tells what is true then and how to go on. What goes on on the bus is
 * not undone.
 *
 * Every wait of a command goes through here, or shows its progress by itself (progress-ticker.ts).
 */
import { type ZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import type { CliContext } from '../program/command.ts';

export interface Wait {
  /** Behind "waiting for": `a master to take the job`. */
  readonly what: string;
  /** What is true if the user leaves now: `nothing was sent`. */
  readonly ifLeft: string;
  /** What the user may do then; a command that can be copied, or words. */
  readonly next: string;
}

/** Most waits are over before anyone wonders. */
const QUIET_MS = 1_000;
const REMIND_MS = 10_000;

export type WaitFor = <T>(wait: Wait, work: Promise<T>) => Promise<T>;

/** `isText`: programs that read the result are not told what it waits for, only why it ended. */
export function waitsOf(
  context: Pick<CliContext, 'runtime' | 'interrupted' | 'say'>,
  options: { readonly isText: boolean },
): WaitFor {
  const { clock } = context.runtime;
  return async (wait, work) => {
    const startedMs = clock.monotonicMs();
    const remind = () => {
      const seconds = Math.round((clock.monotonicMs() - startedMs) / 1_000);
      context.say(`zester: waiting for ${wait.what} (${seconds} s)\n`);
      timer = clock.after(REMIND_MS, remind);
    };
    let timer = options.isText ? clock.after(QUIET_MS, remind) : undefined;
    try {
      return await unlessAborted(work, context.interrupted);
    } catch (error) {
      throw context.interrupted.aborted ? interruption(wait) : error;
    } finally {
      timer?.cancel();
    }
  };
}

export function interruption({ what, ifLeft, next }: Wait): ZesterError {
  return zesterError('CLI_INTERRUPTED', { what, standing: ifLeft, next });
}
