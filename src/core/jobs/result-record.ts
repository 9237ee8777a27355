/**
 * `stateResultRecord` says for programs what one state, or one function, did: the same from `zester`, which asks peels,
 * and from a masterless call. A result has every field, but for `state`, which only states have. Numbers, lists and maps
 * are what they are.
 */

import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import type { StateResult } from '../../wire/records/exec.ts';

export function stateResultRecord(result: StateResult): object {
  const { name, changed, duration, diff, error, skipped, skipReason } = result;
  const state = stateRecord(result);
  return {
    name,
    ...(state === undefined ? {} : { state }),
    changed,
    skipped,
    skip_reason: skipReason,
    duration_ms: msFromNanos(duration),
    diff,
    error,
    details: detailsRecord(result),
  };
}

/** Undefined for a function. Where the peel does not say which state it is, its name does: `family.function:id`. */
function stateRecord({ name, state }: StateResult): object | undefined {
  const colon = name.indexOf(':');
  if (colon < 0) return undefined;
  const { id = name.slice(colon + 1), sls = '', file = '', line = 0 } = state ?? {};
  return {
    function: name.slice(0, colon),
    id,
    ...(sls === '' ? {} : { sls }),
    ...(file === '' ? {} : { file }),
    ...(line > 0 ? { line } : {}),
  };
}

/** Data in place of the text that tells the same. An exit code that is no number is none. */
function detailsRecord({ details, data }: StateResult): Readonly<Record<string, WireValue>> {
  const { exitcode, ...rest } = { ...details, ...data };
  const code = typeof exitcode === 'string' && /^-?\d{1,9}$/.test(exitcode) ? Number(exitcode) : exitcode;
  return { ...rest, ...(Number.isInteger(code) ? { exitcode: code as number } : {}) };
}
