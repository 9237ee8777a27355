/**
 * Asks the guards `onlyif` and `unless` whether a state is wanted. Shell commands among them run in a dry run too,
 * one of the two exceptions of decision 19, and are all that a dry run can start: it gets this function instead of the
 * programs.
 *
 * What a command exits with is its answer. That it could not be started, or did not come to an end, is none: the state
 * fails, because nobody knows whether it was wanted.
 */
import { formatDuration } from '../../core/duration.ts';
import type { Attributes } from '../../core/states/compiled-state.ts';
import type { GuardSurroundings } from '../../modules/state-contract.ts';
import type { Processes } from '../../system/processes.ts';
import { shortened, stateErrorText } from './error-text.ts';

const GUARD_TIMEOUT_MS = 60_000;
/** Of a command, in an error. */
const COMMAND_CHARS_MAX = 200;
/** Nobody reads it. */
const OUTPUT_BYTES_MAX = 0;

export type RunGuard = (
  command: string,
  around: GuardSurroundings,
  signal: AbortSignal,
) => Promise<GuardAnswer>;

export type GuardAnswer = { readonly holds: boolean } | { readonly error: string };

export function guardRunner(processes: Processes): RunGuard {
  return async (command, around, signal) => {
    try {
      const ended = await processes.run({
        ...around,
        shell: command,
        timeoutMs: GUARD_TIMEOUT_MS,
        signal,
        stdoutBytesMax: OUTPUT_BYTES_MAX,
        stderrBytesMax: OUTPUT_BYTES_MAX,
      });
      if (ended.endedBy === 'timeout')
        return { error: `timed out after ${formatDuration(GUARD_TIMEOUT_MS)}, killed` };
      if (ended.endedBy === 'abort') return { error: 'killed' };
      return { holds: ended.exitCode === 0 };
    } catch (error) {
      return { error: stateErrorText(error) };
    }
  };
}

/** One after another, and none after the first that decides. */
export async function askGuards(
  { onlyif, unless }: Pick<Attributes, 'onlyif' | 'unless'>,
  around: GuardSurroundings,
  runGuard: RunGuard,
  signal: AbortSignal,
): Promise<{ readonly wanted: boolean } | { readonly error: string }> {
  const guards = [
    ...onlyif.map((guard) => ({ kind: 'onlyif', guard, wanted: true })),
    ...unless.map((guard) => ({ kind: 'unless', guard, wanted: false })),
  ];
  for (const { kind, guard, wanted } of guards) {
    const answer = typeof guard === 'boolean' ? { holds: guard } : await runGuard(guard, around, signal);
    if ('error' in answer)
      return { error: `${kind} "${shortened(String(guard), COMMAND_CHARS_MAX)}": ${answer.error}` };
    if (answer.holds !== wanted) return { wanted: false };
  }
  return { wanted: true };
}

/** Whether a command has the say: only running it tells. */
export function isGuarded({ onlyif, unless }: Attributes): boolean {
  return [...onlyif, ...unless].some((guard) => typeof guard === 'string');
}
