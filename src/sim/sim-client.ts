/**
 * Operators at work: jobs at random moments for random peels, some of them cancelled, handed in as the command line does
 * it. Its line is good: what is tested is the fleet.
 */
import { openBus } from '../bus/bus.ts';
import type { Bus } from '../bus/port.ts';
import { dispatchJob } from '../cli/exec/dispatch-job.ts';
import { isZesterError } from '../core/errors/zester-error.ts';
import { newKsuid } from '../runtime/ids.ts';
import { jsonLog } from '../runtime/log.ts';
import type { Random } from '../runtime/random.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Jid } from '../wire/ids.ts';
import { type Job, jobCodec } from '../wire/job.ts';
import { DISPATCH_SUBJECT, jobCancelSubject } from '../wire/subjects.ts';
import { nanosFromMs } from '../wire/time.ts';
import { ACT, LOOK } from './sim-functions.ts';
import type { SimWorld } from './sim-world.ts';

const RUN_MS_MAX = 15_000;
const TIMEOUTS_MS = [10_000, 30_000, 60_000, 180_000];
const CANCELED = 0.1;
/** Operators who close their laptop right after they asked. */
const ABANDONED = 0.2;

export class SimClient {
  readonly asked: Job[] = [];
  /** Those that a master has confirmed. */
  readonly confirmed = new Set<Jid>();
  private readonly world: SimWorld;
  private readonly random: Random;
  private readonly runtime: Runtime;
  private readonly bus: Bus;
  private open = 0;

  constructor(world: SimWorld, random: Random) {
    this.world = world;
    this.random = random;
    const log = jsonLog({ clock: world.clock, write: (line) => world.logged('client', line), level: 'warn' });
    this.runtime = { clock: world.clock, random, log };
    this.bus = openBus(world.server.connect({ role: 'admin', name: 'client' }), this.runtime);
  }

  /** Dispatches that have no answer yet. */
  get waiting(): number {
    return this.open;
  }

  /** Hands in jobs until then, `everyMs` apart on average. */
  workUntil(untilMs: number, everyMs: number): void {
    const pauseMs = -Math.log(1 - this.random.fraction()) * everyMs;
    this.world.clock.after(pauseMs, () => {
      if (this.world.clock.monotonicMs() > untilMs) return;
      this.dispatch(this.newJob());
      this.workUntil(untilMs, everyMs);
    });
  }

  private newJob(): Job {
    const { random, world } = this;
    const jid = newKsuid(world.clock, random) as Jid;
    const share = random.fraction() ** 2;
    const targets = world.peels.map(({ id }) => id).filter(() => random.fraction() < share);
    const one = world.peels[Math.floor(random.fraction() * world.peels.length)];
    const timeoutMs = TIMEOUTS_MS[Math.floor(random.fraction() * TIMEOUTS_MS.length)] ?? 10_000;
    const now = nanosFromMs(world.clock.nowMs());
    const ms = Math.floor(random.fraction() ** 3 * RUN_MS_MAX);
    return jobCodec.create({
      jid,
      function: random.fraction() < 0.5 ? ACT : LOOK,
      args: { jid, ms },
      targets: targets.length > 0 || one === undefined ? targets : [one.id],
      status: 'pending',
      created: now,
      updated: now,
      user: 'sim',
      timeout: nanosFromMs(timeoutMs),
      protocol: 1,
    });
  }

  private dispatch(job: Job): void {
    this.asked.push(job);
    this.open += 1;
    this.world.note('client', `asks for ${job.jid} on ${job.targets.length}`);
    if (this.random.fraction() < CANCELED)
      this.world.clock.after(this.random.fraction() * 20_000, () => this.cancel(job.jid));
    if (this.random.fraction() < ABANDONED) this.askOnce(job);
    else this.askUntilAnswered(job);
  }

  private askUntilAnswered(job: Job): void {
    dispatchJob(this.bus, this.runtime, job)
      .then(() => this.confirmed.add(job.jid))
      .catch((error: unknown) => {
        this.world.note('client', `${job.jid}: ${(error as Error).message}`);
        if (!isZesterError(error)) this.world.observer.break('nothing breaks', String(error));
      })
      .finally(() => {
        this.open -= 1;
      });
  }

  private askOnce(job: Job): void {
    this.open -= 1;
    if (this.bus.status() === 'connected') this.bus.publish(DISPATCH_SUBJECT, jobCodec.encode(job));
  }

  private cancel(jid: Jid): void {
    if (this.bus.status() !== 'connected') return;
    this.world.note('client', `cancels ${jid}`);
    this.bus.publish(jobCancelSubject(jid), new Uint8Array(0));
  }
}
