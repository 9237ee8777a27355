/** A job filter says which jobs a list is to have: a question in words becomes one test on a record. Pure. */
import { compileGlob, type GlobFault, isGlobFault } from '../../core/target/glob.ts';
import type { UnixNanos } from '../../wire/msgpack/time.ts';
import type { Job } from '../../wire/records/job.ts';

/** Everything that is given must hold. */
export interface JobQuery {
  readonly status?: string | undefined;
  /** A glob on the name of the function. */
  readonly function?: string | undefined;
  readonly user?: string | undefined;
  /** A glob on the names of the targets, or exactly the target expression. */
  readonly target?: string | undefined;
  /** Made at this time or later. */
  readonly since?: UnixNanos | undefined;
  /** Made at this time or before. */
  readonly until?: UnixNanos | undefined;
}

export interface JobFilter {
  readonly accepts: (job: Job) => boolean;
  /** No job that was made before this is wanted. */
  readonly since: UnixNanos | undefined;
}

/** What is wrong with the glob of `function`, if something is. */
export function jobFilterOf(query: JobQuery): JobFilter | GlobFault {
  const { status, user, target, until } = query;
  const isFunction = globOf(query.function);
  if (isGlobFault(isFunction)) return isFunction;
  // A dot in a host name travels as `_`. A target expression that is no glob can still be looked for as it was written.
  const isTarget = globOf(target?.replaceAll('.', '_'));
  const isOf = ({ targetExpr, targets }: Job) =>
    targetExpr === target || (!isGlobFault(isTarget) && targets.some(isTarget));
  return {
    accepts: (job) =>
      (status === undefined || job.status === status) &&
      isFunction(job.function) &&
      (user === undefined || job.user === user) &&
      (target === undefined || isOf(job)) &&
      (until === undefined || job.created <= until),
    since: query.since,
  };
}

function globOf(text: string | undefined): ReturnType<typeof compileGlob> {
  return text === undefined ? () => true : compileGlob(text);
}
