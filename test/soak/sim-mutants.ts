/**
 * Mutants are broken versions of single functions of the product, each of which breaks one promise. Given to the
 * simulator through the module loader of the tests: the product has no switch for them.
 */
import type { Bucket } from '../../src/bus/port.ts';

export interface Mutant {
  /** What is broken, in the words of the issue. */
  readonly name: string;
  readonly module: string;
  /** The module's exports with one of them broken. */
  readonly broken: (real: Record<string, never>) => object;
}

// biome-ignore lint/suspicious/noExplicitAny: a mutant takes functions of many modules in its hands.
type Any = any;

/** The bucket of job records with one method replaced. */
function withJobs(change: (jobs: Bucket) => Partial<Bucket>) {
  return (real: Record<string, never>): object => ({
    ...real,
    masterContext: (...args: unknown[]) => {
      const context = (real.masterContext as Any)(...args);
      return { ...context, jobs: { ...context.jobs, ...change(context.jobs) } };
    },
  });
}

const put = async (jobs: Bucket, key: string, value: Uint8Array) => ({
  won: true as const,
  revision: await jobs.put(key, value),
});

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'ownership-epoch fence on record writes',
    module: 'src/master/master-context.ts',
    broken: withJobs((jobs) => ({ update: (key, value) => put(jobs, key, value) as Any })),
  },
  {
    name: 'CAS on claim',
    module: 'src/master/master-context.ts',
    broken: withJobs((jobs) => ({
      create: (key, value) => (key.includes('.') ? jobs.create(key, value) : (put(jobs, key, value) as Any)),
    })),
  },
  {
    name: 'proof check',
    module: 'src/trust/command-proof.ts',
    broken: (real) => ({ ...real, verifyCommandProof: () => ({ ok: true }) }),
  },
  {
    name: 'dedup flush before run',
    module: 'src/peel/intake/job-book.ts',
    broken: (real) => {
      const { JobBook } = real as Any;
      const write = JobBook.prototype.write;
      JobBook.prototype.write = function (this: Any, job: Any) {
        return job.returned.length > 1 ? write.call(this, job) : Promise.resolve();
      };
      return real;
    },
  },
  {
    name: 'running before publish',
    module: 'src/master/dispatch/mark-running.ts',
    broken: (real) => ({
      ...real,
      markRunning: async (_: unknown, claim: Any) => ({
        job: { ...claim.job, status: 'running', epoch: claim.revision },
        revision: claim.revision,
        execEpoch: claim.revision,
      }),
    }),
  },
  {
    name: 'two-miss rule',
    module: 'src/core/jobs/dead-owners.ts',
    broken: (real) => ({
      ...real,
      judgeOwners: (look: Any) => {
        const misses = new Map([...new Set<Any>(look.owners)].map((owner) => [owner, 1]));
        return (real.judgeOwners as Any)({ ...look, misses });
      },
    }),
  },
  {
    name: 'replay after subscribe',
    module: 'src/master/watch/job-history.ts',
    broken: (real) => ({ ...real, readHistory: async () => undefined }),
  },
  {
    name: 'read error is not absence',
    module: 'src/master/takeover/master-signs.ts',
    broken: (real) => ({
      ...real,
      masterSigns: (context: Any) => {
        const signs = (real.masterSigns as Any)(context);
        return { ...signs, read: () => signs.read().catch(() => new Map()) };
      },
    }),
  },
  {
    name: 'target check on returns',
    module: 'src/core/jobs/job-tally.ts',
    broken: (real) => {
      const { JobTally } = real as Any;
      JobTally.prototype.isTarget = () => true;
      return real;
    },
  },
  {
    name: 'preserved exec epoch',
    module: 'src/core/jobs/adoption.ts',
    broken: (real) => ({
      ...real,
      adoptedJob: (...args: unknown[]) => ({ ...(real.adoptedJob as Any)(...args), execEpoch: 0 }),
    }),
  },
  {
    name: 'sweep of unindexed jobs',
    module: 'src/master/takeover/sweep-jobs.ts',
    broken: (real) => {
      const { JobSweep } = real as Any;
      JobSweep.prototype.start = () => undefined;
      return real;
    },
  },
  {
    name: 'spool until PubAck',
    module: 'src/peel/returns/outbox.ts',
    broken: (real) => {
      const { Outbox } = real as Any;
      Outbox.prototype.postpone = function (this: Any, entry: Any) {
        this.entries.delete(entry.letter.key);
      };
      return real;
    },
  },
];
