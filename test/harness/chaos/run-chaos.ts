/**
 * A chaos run is a fleet of real processes under steady load, with troubles by a seed, then peace, then the verdict. It
 * is the same code for a minute in `npm test` and for an hour in `npm run soak`.
 */
import { sleep } from '../../../src/runtime/clock.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { until } from '../until.ts';
import { ChaosFleet, SERVER } from './chaos-fleet.ts';
import { ChaosLoad, type LoadOptions } from './load.ts';
import { adoptionsIn, judgeReclaims, type Reclaim } from './reclaim-times.ts';
import { chaosSchedule, type MinMax, scheduleText, type Trouble } from './schedule.ts';
import { findWrong } from './verdict.ts';

export interface ChaosOptions extends LoadOptions {
  readonly masters: number;
  readonly peels: number;
  readonly lengthMs: number;
  readonly pauseMs: MinMax;
  readonly longShare: number;
  /** How long a hand-over may take; on a busy machine longer than the 2 s that virtual time proves. */
  readonly handOverMsMax: number;
  /** The command that does the same again. */
  readonly again: string;
}

const MASTERS_SEE_DEATH_MS_MAX = 55_000;
/** Looks are 20 s apart by the clock, and up to 10 % more by chance. */
const LOOKS_SPREAD_MS = 4_000;
/** The last deadline, the last word after it, a reclaim by the slow way, and the reading of it all. */
const PEACE_MS_MAX = 150_000;
const LINES_SHOWN_MAX = 40;

export class ChaosRun {
  private readonly options: ChaosOptions;
  private readonly chaos = new ChaosFleet();
  private readonly load: ChaosLoad;
  private schedule: readonly Trouble[] = [];
  private reclaims: readonly Reclaim[] = [];

  constructor(options: ChaosOptions) {
    this.options = options;
    this.load = new ChaosLoad(this.chaos.fleet, options);
  }

  async open(): Promise<void> {
    await this.chaos.open(this.options);
    const masters = this.chaos.masters.map(({ name }) => name);
    this.schedule = chaosSchedule({ ...this.options, masters, peels: this.chaos.peelIds, server: SERVER });
  }

  close(): Promise<void> {
    return this.chaos.close();
  }

  /** Resolves to what is wrong. */
  async run(): Promise<string[]> {
    const startMs = systemClock.nowMs();
    const loading = new AbortController();
    const load = this.load.run(loading.signal);
    await this.makeTrouble();
    loading.abort();
    await load;
    let wrong: string[] = ['not looked at yet'];
    const isWell = async () => {
      wrong = await findWrong(this.chaos.fleet, this.load);
      return wrong.length === 0;
    };
    await until(isWell, 'all to be well', PEACE_MS_MAX).catch((error: unknown) => {
      wrong = [...wrong, String((error as Error).cause ?? error)];
    });
    return [...wrong, ...this.wrongTimes(startMs)];
  }

  summary(): string {
    const { load, reclaims } = this;
    const slowest = (kind: Reclaim['kind']) => {
      const times = reclaims.filter((reclaim) => reclaim.kind === kind).map(({ idleMs }) => idleMs);
      return `${times.length} after ${kind} (slowest ${Math.round(Math.max(0, ...times))} ms)`;
    };
    return [
      `seed ${this.options.seed}: ${this.schedule.length} troubles, ${load.promised.length} jobs promised`,
      `${load.unknown.length} unknown, slowest promise ${Math.round(load.slowestMs)} ms`,
      `adopted ${(['kill', 'stop', 'freeze', 'partition'] as const).map(slowest).join(', ')}`,
    ].join('; ');
  }

  /** For whoever has to find out what happened. */
  story(wrong: readonly string[]): string {
    const programs = [...this.chaos.fleet.masters, ...this.chaos.fleet.peels];
    const named = programs.filter(
      ({ name }) => name.startsWith('master') || wrong.some((line) => line.includes(name)),
    );
    return [
      `again with: ${this.options.again}`,
      scheduleText(this.schedule),
      ...named.map((program) => `--- ${program.name}\n${program.logTail(LINES_SHOWN_MAX)}`),
      `--- ${SERVER}\n${this.chaos.fleet.server.log().split('\n').slice(-LINES_SHOWN_MAX).join('\n')}`,
    ].join('\n');
  }

  private async makeTrouble(): Promise<void> {
    const startMs = systemClock.monotonicMs();
    const lasting = (ms: number) => sleep(systemClock, ms);
    const suffering: Promise<void>[] = [];
    for (const trouble of this.schedule) {
      await lasting(Math.max(0, startMs + trouble.atMs - systemClock.monotonicMs()));
      suffering.push(this.chaos.suffer(trouble, lasting));
    }
    await Promise.all(suffering);
  }

  private wrongTimes(startMs: number): string[] {
    const names = this.chaos.masters.map(({ name }) => name);
    const adoptions = adoptionsIn(this.chaos.masters);
    const { reclaims, strange } = judgeReclaims(adoptions, names, this.chaos.troubled, startMs);
    this.reclaims = reclaims;
    return [
      ...strange.map(({ jid, from }) => `${jid}: taken from ${from}, which was well`),
      ...reclaims.flatMap(({ jid, kind, idleMs }) =>
        idleMs > limitMs(kind, this.options.handOverMsMax)
          ? [`${jid}: adopted ${Math.round(idleMs)} ms after ${kind}`]
          : [],
      ),
    ];
  }
}

function limitMs(kind: Reclaim['kind'], handOverMsMax: number): number {
  return kind === 'stop' ? handOverMsMax : MASTERS_SEE_DEATH_MS_MAX + LOOKS_SPREAD_MS;
}
