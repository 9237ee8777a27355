/** How long to wait when nobody said: states take longer than questions. */
const MINUTE_MS = 60_000;
const RUNS_STATES = ['state.apply', 'state.sls', 'state.single', 'state.revert'];

export function defaultTimeoutMs(functionName: string, id: string): number {
  if (functionName === 'state.highstate' || (functionName === 'state.apply' && id === ''))
    return 10 * MINUTE_MS;
  return RUNS_STATES.includes(functionName) ? 5 * MINUTE_MS : MINUTE_MS;
}
