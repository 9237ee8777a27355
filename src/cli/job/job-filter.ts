/** Which jobs `job list` shows: its options as one test on a record. Pure. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { compileGlob, isGlobFault } from '../../core/target/glob.ts';
import { nanosFromMs, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { Job } from '../../wire/records/job.ts';
import { JOB_STATUSES } from '../../wire/records/job-status.ts';
import type { GivenOptions, OptionSpec } from '../program/command.ts';
import { durationOf } from '../program/common-options.ts';

export const FILTER_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'state',
    value: 'STATE',
    choices: JOB_STATUSES,
    doc: `only jobs that are ${JOB_STATUSES.join(', ')}; those that wait in queues are running`,
  },
  { name: 'function', value: 'GLOB', doc: "only of this function; 'state.*' for all of a family" },
  { name: 'user', value: 'NAME', doc: 'only of this user' },
  {
    name: 'target',
    value: 'TARGET',
    doc: 'only with a target of this name, a glob, or with exactly this target expression',
  },
  { name: 'since', value: 'DURATION', doc: 'only those made in this time, up to now: 30m, 24h' },
  { name: 'older', value: 'DURATION', doc: 'only those made before that: 24h' },
];

export interface JobFilter {
  readonly accepts: (job: Job) => boolean;
  /** No job that was made before this is wanted. */
  readonly since: UnixNanos | undefined;
}

export function jobFilterOf(given: GivenOptions, nowMs: number): JobFilter {
  const tests: ((job: Job) => boolean)[] = [];
  const state = given.text('state');
  if (state !== undefined) tests.push(({ status }) => status === state);
  const ofFunction = globOf(given, 'function');
  if (ofFunction !== undefined) tests.push((job) => ofFunction(job.function));
  const user = given.text('user');
  if (user !== undefined) tests.push((job) => job.user === user);
  const target = given.text('target');
  const ofTarget = globOf(given, 'target', (text) => text.replaceAll('.', '_'));
  if (ofTarget !== undefined)
    tests.push(({ targetExpr, targets }) => targetExpr === target || targets.some(ofTarget));
  const older = timeAgo(given, 'older', nowMs);
  if (older !== undefined) tests.push(({ created }) => created <= older);
  return { accepts: (job) => tests.every((test) => test(job)), since: timeAgo(given, 'since', nowMs) };
}

function timeAgo(given: GivenOptions, name: string, nowMs: number): UnixNanos | undefined {
  if (given.text(name) === undefined) return undefined;
  return nanosFromMs(nowMs - durationOf(given, name, 0));
}

/** A target expression that is no glob is still one that can be looked for as it was written. */
function globOf(
  given: GivenOptions,
  name: 'function' | 'target',
  spelled: (text: string) => string = (text) => text,
): ((text: string) => boolean) | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  const glob = compileGlob(spelled(text));
  if (!isGlobFault(glob)) return glob;
  if (name === 'target') return () => false;
  throw zesterError('CLI_OPTION_VALUE', { option: `--${name}`, problem: `cannot be used: ${glob.problem}` });
}
