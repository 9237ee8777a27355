/** How long to wait when nobody said: states take longer than questions. */
import { formatDuration } from '../../core/duration.ts';

const QUESTION_MS = 60_000;
const STATES_MS = 5 * 60_000;
const HIGHSTATE_MS = 10 * 60_000;
const RUNS_STATES = ['state.apply', 'state.sls', 'state.single', 'state.revert'];

export function defaultTimeoutMs(functionName: string, id: string): number {
  if (functionName === 'state.highstate' || (functionName === 'state.apply' && id === ''))
    return HIGHSTATE_MS;
  return RUNS_STATES.includes(functionName) ? STATES_MS : QUESTION_MS;
}

/** For help. */
export const DEFAULT_TIMEOUTS = `${formatDuration(QUESTION_MS)}, ${formatDuration(STATES_MS)} for states, ${formatDuration(HIGHSTATE_MS)} for all the states of a machine (highstate)`;
