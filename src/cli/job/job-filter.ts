/** This file reads the options of `job list` that say which jobs it shows. */
import { type JobFilter, jobFilterOf } from '../../client/jobs/job-filter.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { nanosFromMs, type UnixNanos } from '../../wire/msgpack/time.ts';
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

export function givenJobFilter(given: GivenOptions, nowMs: number): JobFilter {
  const filter = jobFilterOf({
    status: given.text('state'),
    function: given.text('function'),
    user: given.text('user'),
    target: given.text('target'),
    since: timeAgo(given, 'since', nowMs),
    until: timeAgo(given, 'older', nowMs),
  });
  if ('accepts' in filter) return filter;
  throw zesterError('CLI_OPTION_VALUE', {
    option: '--function',
    problem: `cannot be used: ${filter.problem}`,
  });
}

function timeAgo(given: GivenOptions, name: string, nowMs: number): UnixNanos | undefined {
  if (given.text(name) === undefined) return undefined;
  return nanosFromMs(nowMs - durationOf(given, name, 0));
}
