/** `asksDryRun` reads the one argument of a job that every program must agree on. */
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { CONVERSIONS } from '../params/param-values.ts';

/** Whether the arguments of a job ask for a dry run. A value that is neither yes nor no runs nowhere. */
export function asksDryRun({ test }: WireMap): boolean {
  return test !== undefined && CONVERSIONS.boolean.convert(test) === true;
}
