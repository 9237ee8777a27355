/**
 * `SimClient` is operators at work: jobs at random moments for random peels, some of them cancelled, some that fail or
 * answer at length; questions (sim-questions.ts) between them. All of it goes through the client room, as the command
 * line's does. Its line is good: what is tested is the fleet.
 */
import { openBus } from '../../bus/bus.ts';
import { cancelJob } from '../../client/jobs/cancel-job.ts';
import { newJob } from '../../client/jobs/new-job.ts';
import { submitJob } from '../../client/jobs/submit-job.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { jsonLog } from '../../runtime/log.ts';
import type { Random } from '../../runtime/random.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { stopSource } from '../../runtime/signals.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import { BOX_IDS } from '../enroll/sim-registrar.ts';
import {
  isStampedCall,
  newStateCall,
  STORIES,
  type StateCall,
  stampedCall,
  storyCall,
} from '../states/sim-state-jobs.ts';
import { ACT, LOOK, MARK } from './sim-functions.ts';
import { SimQuestions } from './sim-questions.ts';
import type { SimWorld } from './sim-world.ts';

/** Most take a moment, some take long. */
const RUN_MS_MAX = 15_000;
const LASTING = 0.2;
const LASTING_MS_MAX = 60_000;
const TIMEOUTS_MS = [10_000, 30_000, 60_000, 180_000, 600_000];
/** Jobs that run states. */
const STATES = 0.4;
/** And those that several others follow. */
const STORY = 0.12;
const STORY_STEP_MS_MAX = 20_000;
const STORY_TIMEOUT_MS = 60_000;
/** Longer than any clock of a peel is off. */
const PROBE_TIMEOUT_MS = 4 * 3_600_000;
const JOINED = 0.4;
const JOINED_TIMEOUT_MS = 60_000;
const CANCELED = 0.1;
/** Operators who close their laptop right after they asked. */
const ABANDONED = 0.2;
/** One that no peel has; one that ends with an error; one whose answer is longer than a message may be. */
const UNKNOWN = 'sim.unknown';
const FAILING = 0.05;
const LONG = 0.005;
const LONG_BYTES = 1_200_000;
/** Work for one peel at once: its queue has 64 places. */
const BURST_RUN_MS_MAX = 500;

export class SimClient {
  readonly asked: Job[] = [];
  /** When. */
  readonly askedMs = new Map<Jid, number>();
  /** Those that a master has confirmed. */
  readonly confirmed = new Set<Jid>();
  private readonly world: SimWorld;
  private readonly random: Random;
  readonly questions: SimQuestions;
  private open = 0;
  private lastStateJob: Jid | undefined;

  constructor(world: SimWorld, random: Random) {
    this.world = world;
    this.random = random;
    const log = jsonLog({ clock: world.clock, write: (line) => world.logged('client', line), level: 'warn' });
    const runtime: Runtime = { clock: world.clock, random, log };
    const bus = openBus(world.server.connect({ role: 'admin', name: 'client' }), runtime);
    this.questions = new SimQuestions(world, runtime, bus);
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
      const job = this.newJob();
      this.dispatch(job);
      const story = STORIES[Math.floor((this.random.fraction() / STORY) * STORIES.length)];
      if (story !== undefined) this.tell(story, job.targets);
      this.questions.perhapsAsk();
      this.workUntil(untilMs, everyMs);
    });
  }

  /** More at once than one peel takes. */
  burst(peel: PeelId, jobs: number): void {
    for (let i = 0; i < jobs; i++) {
      const ms = Math.floor(this.random.fraction() * BURST_RUN_MS_MAX);
      this.dispatch(this.jobFor([peel], ACT, { ms }, 60_000));
    }
  }

  /** Stamped states on every peel. */
  probe(): Jid {
    const everyone = this.world.peels.map(({ id }) => id);
    const job = this.jobOf(everyone, (jid) => stampedCall(jid, 0), PROBE_TIMEOUT_MS);
    this.asked.push(job);
    this.open += 1;
    this.askUntilAnswered(job);
    return job.jid;
  }

  /** A question to every machine that joined and is in; undefined when there is none. */
  probeJoined(machines: readonly PeelId[]): Jid | undefined {
    if (machines.length === 0) return undefined;
    const job = this.jobFor(machines, LOOK, {}, JOINED_TIMEOUT_MS);
    this.asked.push(job);
    this.open += 1;
    this.askUntilAnswered(job);
    return job.jid;
  }

  /** `zester files publish`. */
  askToPublish(force: boolean): void {
    this.world.note('client', `asks to publish${force ? ', by force' : ''}`);
    this.questions.watched(this.questions.publish(force));
  }

  askToSeal(): void {
    this.questions.watched(this.questions.sealAnew());
  }

  lookAtFiles(): void {
    this.questions.watched(this.questions.lookAtFiles());
  }

  private newJob(): Job {
    const { random, world } = this;
    const share = random.fraction() ** 2;
    const targets = world.peels.map(({ id }) => id).filter(() => random.fraction() < share);
    const one = world.peels[Math.floor(random.fraction() * world.peels.length)];
    const timeoutMs = TIMEOUTS_MS[Math.floor(random.fraction() * TIMEOUTS_MS.length)] ?? 10_000;
    const shortMs = random.fraction() ** 3 * RUN_MS_MAX;
    const ms = Math.floor(random.fraction() < LASTING ? random.fraction() * LASTING_MS_MAX : shortMs);
    const args = {
      ms,
      ...(random.fraction() < FAILING ? { fail: true } : {}),
      ...(random.fraction() < LONG ? { bytes: LONG_BYTES } : {}),
    };
    const those = targets.length > 0 || one === undefined ? targets : [one.id];
    if (random.fraction() < STATES) return this.stateJob(those, timeoutMs);
    const joined = this.joined();
    // One that was revoked does not answer, and the job waits for it.
    const patienceMs = joined.length === 0 ? timeoutMs : Math.min(timeoutMs, JOINED_TIMEOUT_MS);
    return this.jobFor([...those, ...joined], this.functionName(), args, patienceMs);
  }

  /** Some of the machines that joined, also of those that are gone again. */
  private joined(): readonly PeelId[] {
    const { book } = this.world.enroll;
    return BOX_IDS.filter((id) => this.random.fraction() < JOINED && book.index.has(id));
  }

  private stateJob(targets: readonly PeelId[], timeoutMs: number): Job {
    const call = (jid: Jid) => newStateCall(jid, () => this.random.fraction(), this.lastStateJob);
    const job = this.jobOf(targets, call, timeoutMs);
    if (!isStampedCall(job)) this.lastStateJob = job.jid;
    return job;
  }

  private tell(story: (typeof STORIES)[number], targets: readonly PeelId[]): void {
    let atMs = 0;
    const told: Jid[] = [];
    for (const step of story) {
      atMs += this.random.fraction() * STORY_STEP_MS_MAX;
      this.world.clock.after(atMs, () => {
        const job = this.jobOf(targets, (jid) => storyCall(step, jid, told), STORY_TIMEOUT_MS);
        told.push(job.jid);
        this.dispatch(job);
      });
    }
  }

  private jobOf(targets: readonly PeelId[], call: (jid: Jid) => StateCall, timeoutMs: number): Job {
    const job = this.jobFor(targets, '', {}, timeoutMs);
    return { ...job, ...call(job.jid) };
  }

  private functionName(): string {
    const draw = this.random.fraction();
    if (draw < 0.45) return ACT;
    if (draw < 0.9) return LOOK;
    return draw < 0.98 ? MARK : UNKNOWN;
  }

  private jobFor(targets: readonly PeelId[], name: string, args: WireMap, timeoutMs: number): Job {
    const call = { functionName: name, id: '', args, timeoutMs };
    const job = newJob(this.questions.client, { ...call, targets, targetExpr: '' });
    return { ...job, args: { jid: job.jid, ...args } };
  }

  private dispatch(job: Job): void {
    this.asked.push(job);
    this.askedMs.set(job.jid, this.world.clock.monotonicMs());
    this.open += 1;
    this.world.note('client', `asks for ${job.jid}, ${job.function} on ${job.targets.length}`);
    if (this.random.fraction() < CANCELED)
      this.world.clock.after(this.random.fraction() * 20_000, () => this.cancel(job.jid));
    if (this.random.fraction() < ABANDONED) this.askOnce(job);
    else this.askUntilAnswered(job);
  }

  private askUntilAnswered(job: Job): void {
    submitJob(this.questions.client, job)
      .then(() => this.confirmed.add(job.jid))
      .catch((error: unknown) => {
        this.world.note('client', `${job.jid}: ${(error as Error).message}`);
        if (!isZesterError(error)) this.world.observer.break('nothing breaks', String(error));
      })
      .finally(() => {
        this.open -= 1;
      });
  }

  /** It is sent, and nobody is there any more to hear the answer or to ask again. */
  private askOnce(job: Job): void {
    this.open -= 1;
    const gone = stopSource();
    // Rejects with the abort and nothing else.
    submitJob({ ...this.questions.client, signal: gone.signal }, job).catch(() => undefined);
    gone.abort();
  }

  private cancel(jid: Jid): void {
    this.world.note('client', `cancels ${jid}`);
    this.questions.watched(cancelJob(this.questions.client, jid));
  }
}
