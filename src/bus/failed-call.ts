/** This file says what a failed call of the bus means: whether it may have had its effect, and whether to try again. */
import { type ErrorCode, isZesterError } from '../core/errors/zester-error.ts';

/** The call was sent and no answer came: it may have had its effect all the same. */
const UNKNOWN_OUTCOME: readonly ErrorCode[] = ['BUS_TIMEOUT', 'BUS_INTERRUPTED', 'BUS_CLOSED'];

/** An election, a restart, a cut line: the same call may well succeed later. */
const PASSING: readonly ErrorCode[] = [
  'BUS_TIMEOUT',
  'BUS_INTERRUPTED',
  'BUS_NO_RESPONDERS',
  'BUS_DISCONNECTED',
  'BUS_STORE_UNAVAILABLE',
  'BUS_OBJECT_INCOMPLETE',
];

/** True where a failed call may have had its effect all the same. */
export function mayHaveHappened(error: unknown): boolean {
  return UNKNOWN_OUTCOME.some((code) => isZesterError(error, code));
}

/** True where the same call may well succeed later. */
export function isTransient(error: unknown): boolean {
  return PASSING.some((code) => isZesterError(error, code));
}
