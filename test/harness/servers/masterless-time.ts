/**
 * `MasterlessJobs` is a time without any master, with jobs in every stage: at work, done meanwhile, over their deadline
 * meanwhile, on a machine that is away. When masters are back every job must end with true rows.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sleep } from '../../../src/runtime/clock.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { ANY, jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import type { Job } from '../../../src/wire/records/job.ts';
import type { ProcessFleet } from '../programs/process-fleet.ts';
import { until } from '../until.ts';

export interface MasterlessTime {
  readonly downMs: number;
  /** Of the jobs that end while nobody watches; shorter than `downMs`. */
  readonly shortMs: number;
  /** Of the others: long enough to see the masters come back. */
  readonly longMs: number;
}

const STARTED_MS_MAX = 30_000;

export class MasterlessJobs {
  private readonly fleet: ProcessFleet;
  private readonly gate: string;
  readonly atWork: Job;
  readonly doneMeanwhile: Job;
  readonly overMeanwhile: Job;
  readonly away: Job;

  /** The first of the peels is there; the second must be stopped. */
  constructor(
    fleet: ProcessFleet,
    [there, away]: readonly [string, string],
    { shortMs, longMs }: MasterlessTime,
  ) {
    this.fleet = fleet;
    this.gate = join(fleet.dir, 'masters-are-back');
    const timeout = nanosFromMs(longMs);
    const short = nanosFromMs(shortMs);
    // A peel does one thing after another: what is done meanwhile comes first, what is at work last.
    this.doneMeanwhile = fleet.markingJob([there], 'sleep 2', { timeout });
    this.overMeanwhile = fleet.markingJob([there], 'sleep 86400', { timeout: short });
    this.atWork = fleet.markingJob([there], `until [ -e ${this.gate} ]; do sleep 0.1; done`, { timeout });
    this.away = fleet.markingJob([away], 'true', { timeout: short });
  }

  get all(): readonly Job[] {
    return [this.doneMeanwhile, this.overMeanwhile, this.atWork, this.away];
  }

  /** Every master is killed while the first job is at work, and started again after the time. */
  async run({ downMs }: MasterlessTime): Promise<void> {
    for (const job of this.all) await this.fleet.dispatch(job);
    await this.hasBegun(this.doneMeanwhile);
    await Promise.all(this.fleet.masters.map((master) => master.kill9()));
    const killedMs = systemClock.monotonicMs();
    for (const { jid } of [this.doneMeanwhile, this.overMeanwhile])
      await until(
        async () => (await this.fleet.storedOn(jobReturnSubject(jid, ANY))) === 1,
        `${jid}`,
        downMs,
      );
    await this.hasBegun(this.atWork);
    await sleep(systemClock, Math.max(0, killedMs + downMs - systemClock.monotonicMs()));
    await Promise.all(this.fleet.masters.map((master) => master.start()));
  }

  /** Those that came to their end meanwhile end within this time, the one at work when it is done. */
  async expectTrueRows(endedMsMax: number): Promise<void> {
    const { fleet } = this;
    await this.expectEnd(this.doneMeanwhile, 'complete', 'returned', endedMsMax);
    await this.expectEnd(this.overMeanwhile, 'failed', 'failed', endedMsMax);
    await this.expectEnd(this.away, 'timeout', 'unreachable', endedMsMax);
    expect(await fleet.record(this.atWork)).toMatchObject({ status: 'running' });
    writeFileSync(this.gate, '');
    await this.expectEnd(this.atWork, 'complete', 'returned', endedMsMax);
    const ran = ({ jid, targets }: Job) => fleet.effects(targets[0] ?? '').get(jid) ?? 0;
    expect(this.all.map(ran)).toEqual([1, 1, 1, 0]);
  }

  private async expectEnd(job: Job, status: string, outcome: string, msMax: number): Promise<void> {
    expect(await this.fleet.ended(job, msMax)).toMatchObject({ status });
    expect(await this.fleet.outcomes(job)).toEqual({ [job.targets[0] ?? '']: outcome });
  }

  private async hasBegun({ jid, targets }: Job): Promise<void> {
    const hasMark = () => targets.every((peel) => this.fleet.effects(peel).get(jid) === 1);
    await until(hasMark, `the work of ${jid} to begin`, STARTED_MS_MAX);
  }
}
