/**
 * `ChaosLoad` is steady load on a fleet in trouble: jobs of every kind, handed over as the command line does it. What a
 * master has promised is kept apart from what nobody could promise in time; of both it is checked what became of them.
 */

import { submitJob } from '../../../src/client/jobs/submit-job.ts';
import { isZesterError } from '../../../src/core/errors/zester-error.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import type { Random } from '../../../src/runtime/random.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import type { Job } from '../../../src/wire/records/job.ts';
import { clientOf } from '../client-of.ts';
import type { ProcessFleet } from '../programs/process-fleet.ts';
import { testRuntime } from '../servers/trusted-nats.ts';
import { between, type MinMax, pick } from './schedule.ts';

export interface LoadOptions {
  readonly seed: number;
  readonly everyMs: number;
  readonly timeoutMs: MinMax;
}

const TARGETS_MAX = 6;
/** What a job does after it has left its mark. */
const WORKS = ['true', 'true', 'true', 'sleep 0.3', 'sleep 1', 'sleep 3', 'exit 3'];

export class ChaosLoad {
  readonly promised: Job[] = [];
  /** No master answered in time: it may have been taken or not. */
  readonly unknown: Job[] = [];
  readonly refused: string[] = [];
  slowestMs = 0;
  private readonly fleet: ProcessFleet;
  private readonly options: LoadOptions;
  private readonly random: Random;
  private readonly underWay = new Set<Promise<void>>();

  constructor(fleet: ProcessFleet, options: LoadOptions) {
    this.fleet = fleet;
    this.options = options;
    this.random = seededRandom(options.seed);
  }

  /** Until the signal aborts; resolves when every job that was begun is promised or given up. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const handing = this.handOver(this.nextJob()).finally(() => this.underWay.delete(handing));
      this.underWay.add(handing);
      await sleep(systemClock, this.options.everyMs, signal).catch(() => undefined);
    }
    await Promise.all(this.underWay);
  }

  private nextJob(): Job {
    const { random, fleet, options } = this;
    const count = 1 + Math.floor(random.fraction() * TARGETS_MAX);
    const ids = fleet.peels.map(({ name }) => name);
    const targets = new Set(Array.from({ length: count }, () => pick(random, ids)));
    const timeout = nanosFromMs(Math.round(between(random, options.timeoutMs)));
    return fleet.markingJob([...targets], pick(random, WORKS), { timeout });
  }

  private async handOver(job: Job): Promise<void> {
    const begunMs = systemClock.monotonicMs();
    try {
      await submitJob(clientOf(this.fleet.admin, testRuntime), job);
      this.promised.push(job);
      this.slowestMs = Math.max(this.slowestMs, systemClock.monotonicMs() - begunMs);
    } catch (error) {
      if (isZesterError(error, 'CLI_DISPATCH_UNKNOWN')) this.unknown.push(job);
      else this.refused.push(`${job.jid}: ${String(error)}`);
    }
  }
}
