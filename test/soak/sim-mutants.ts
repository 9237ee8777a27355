/**
 * The mutants are broken versions of single functions of the product, each of which breaks one promise. They are given to
 * the simulator through the module loader of the tests: the product has no switch for them. That each of them still
 * reaches what it breaks is checked in `npm test` (test/architecture/sim-mutants.test.ts).
 */
import type { Bucket, Bus } from '../../src/bus/port.ts';
import { BUCKETS } from '../../src/wire/names/buckets.ts';
import { FILE_MUTANTS } from './file-mutants.ts';
import { TRUST_MUTANTS } from './trust-mutants.ts';

// biome-ignore lint/suspicious/noExplicitAny: a mutant takes functions of many modules in its hands.
type Any = any;
type AnyFunction = (this: Any, ...args: Any[]) => Any;

/** One function that is broken. */
export interface Break {
  readonly module: string;
  /** An export of the module that others call, or `Class.method`. */
  readonly replaces: string;
  readonly broken: (real: Any) => AnyFunction;
}

export interface Mutant extends Break {
  /** What is broken, in the words of the issue. */
  readonly name: string;
  /** Where several functions guard the same promise: the others, each in a module of its own. */
  readonly also?: readonly Break[];
}

export function breaksOf(mutant: Mutant): readonly Break[] {
  return [mutant, ...(mutant.also ?? [])];
}

/** The module's exports with one of them broken. The module must be a copy for this one run: methods are replaced in place. */
export function brokenModule({ replaces, broken }: Break, real: object): object {
  const [name = '', method] = replaces.split('.');
  const exported = (real as Any)[name];
  if (method === undefined) return { ...real, [name]: broken(exported) };
  exported.prototype[method] = broken(exported.prototype[method]);
  return real;
}

/**
 * A master whose bucket of job records has methods replaced. Below the table, because all the writes of a table, also those
 * that are repeated until their outcome is known, go through its bucket.
 */
function withJobs(change: (jobs: Bucket) => Partial<Bucket>) {
  const brokenBus = (bus: Bus): Bus => ({
    ...bus,
    bucket(name) {
      const bucket = bus.bucket(name);
      return name === BUCKETS.jobs.name ? { ...bucket, ...change(bucket) } : bucket;
    },
  });
  return (masterContext: AnyFunction): AnyFunction =>
    (ports, ...rest) =>
      masterContext({ ...ports, bus: brokenBus(ports.bus) }, ...rest);
}

const put = async (jobs: Bucket, key: string, value: Uint8Array) => ({
  won: true as const,
  revision: await jobs.put(key, value),
});

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'ownership-epoch fence on record writes',
    module: 'src/master/master-context.ts',
    replaces: 'masterContext',
    broken: withJobs((jobs) => ({ update: (key, value) => put(jobs, key, value) })),
  },
  {
    name: 'CAS on claim',
    module: 'src/master/master-context.ts',
    replaces: 'masterContext',
    broken: withJobs((jobs) => ({
      create: (key, value) => (key.includes('.') ? jobs.create(key, value) : put(jobs, key, value)),
    })),
  },
  {
    name: 'proof check',
    module: 'src/trust/command-proof.ts',
    replaces: 'verifyCommandProof',
    broken: () => () => ({ ok: true }),
  },
  {
    name: 'dedup flush before run',
    module: 'src/peel/intake/job-book.ts',
    replaces: 'JobBook.write',
    broken: (write) =>
      function (job) {
        return job.returned.length > 1 ? write.call(this, job) : Promise.resolve();
      },
  },
  {
    name: 'running before publish',
    module: 'src/master/dispatch/mark-running.ts',
    replaces: 'markRunning',
    broken: () => async (_, claim) => ({
      job: { ...claim.job, status: 'running', epoch: claim.revision },
      revision: claim.revision,
      execEpoch: claim.revision,
    }),
  },
  {
    name: 'two-miss rule',
    module: 'src/core/jobs/dead-owners.ts',
    replaces: 'findOrphans',
    broken: (findOrphans) => (look) => {
      const misses = new Map(look.found.map(({ owner }: Any) => [owner, 1]));
      return findOrphans({ ...look, memory: { ...look.memory, misses } });
    },
  },
  {
    name: 'replay after subscribe',
    module: 'src/master/watch/job-history.ts',
    replaces: 'JobHistory.readStream',
    broken: () => async () => undefined,
  },
  {
    name: 'read error is not absence',
    module: 'src/master/takeover/orphan-scan.ts',
    replaces: 'OrphanScan.read',
    // Without the rule that a reading which had to be repeated counts no miss, and with jobs that are read last: otherwise
    // the mistake is hidden, by that rule or because the jobs end during the half minute that the reading is repeated.
    broken: () =>
      async function () {
        const signs = await this.signs.read().catch(() => new Map());
        return { found: await this.unwatchedJobs(), signs };
      },
  },
  {
    name: 'target check on returns',
    module: 'src/core/jobs/job-tally.ts',
    replaces: 'JobTally.isTarget',
    broken: () => () => true,
  },
  {
    name: 'preserved exec epoch',
    module: 'src/core/jobs/adoption.ts',
    replaces: 'adoptedJob',
    broken:
      (adoptedJob) =>
      (...args) => ({ ...adoptedJob(...args), execEpoch: 0 }),
  },
  {
    name: 'sweep of unindexed jobs',
    module: 'src/master/takeover/sweep-jobs.ts',
    replaces: 'JobSweep.start',
    broken: () => () => undefined,
  },
  {
    name: 'spool until PubAck',
    module: 'src/peel/returns/outbox.ts',
    replaces: 'Outbox.postpone',
    broken: () =>
      function (entry) {
        this.entries.delete(entry.letter.key);
      },
  },
  ...FILE_MUTANTS,
  ...TRUST_MUTANTS,
];
