/**
 * A node is a place where a process can run, die and run again: what masters and peels of the simulation have in
 * common. One life at a time; each gets fresh ports, and the ports of a dead one never answer again.
 */
import type { MemoryUser } from '../../bus/memory/memory-server.ts';
import { jsonLog } from '../../runtime/log.ts';
import type { Random } from '../../runtime/random.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Life } from './life.ts';
import { SimLink } from './sim-link.ts';
import type { SimWorld } from './sim-world.ts';

/** Where a process dies: at its n-th port call from now, before the effect or after it. */
export interface CrashPlan {
  readonly calls: number;
  readonly when: 'before' | 'after';
  readonly how: 'kill' | 'power';
  /** Whether a call counts now; not given: each does. */
  readonly counts?: () => boolean;
}

export abstract class SimNode {
  readonly name: string;
  protected readonly world: SimWorld;
  protected life: Life = new Life();
  protected link: SimLink | undefined;
  /** What this life draws: ids, jitter, keys. */
  protected chance: Random;
  private lives = 0;
  private skewMs = 0;
  private crash: { left: number; readonly plan: CrashPlan } | undefined;

  constructor(world: SimWorld, name: string) {
    this.world = world;
    this.name = name;
    this.chance = world.chanceOf(name);
    this.life.end();
  }

  get alive(): boolean {
    return this.life.alive;
  }

  start(): void {
    if (this.life.alive) return;
    this.life = new Life();
    this.chance = this.world.chanceOf(`${this.name} ${++this.lives}`);
    this.crash = undefined;
    this.world.note(this.name, 'starts');
    this.boot();
  }

  kill(how: 'kill' | 'power' = 'kill'): void {
    if (!this.life.alive) return;
    this.world.note(this.name, how === 'kill' ? 'is killed' : 'loses power');
    this.life.end();
    this.link?.die();
    this.died(how);
  }

  freeze(): void {
    if (this.life.alive) this.world.note(this.name, 'freezes');
    this.life.freeze();
  }

  thaw(): void {
    if (!this.life.frozen) return;
    this.world.note(this.name, 'thaws');
    this.life.thaw();
  }

  cut(): void {
    this.link?.cut();
  }

  partition(): void {
    this.link?.partition();
  }

  heal(): void {
    this.link?.heal();
  }

  jumpClock(byMs: number): void {
    this.skewMs += byMs;
  }

  crashSoon(plan: CrashPlan): void {
    if (this.life.alive) this.crash = { left: plan.calls, plan };
  }

  protected abstract boot(): void;
  protected abstract died(how: 'kill' | 'power'): void;

  protected connect(user: MemoryUser): SimLink {
    const { life } = this;
    this.link = new SimLink({
      server: this.world.server,
      user,
      world: this.world.clock,
      random: this.chance,
      life,
      weather: (direction, subject) => this.world.weather(this.name, direction, subject),
      publishCall: (name, effect) => this.publishCall(life, name, effect),
    });
    return this.link;
  }

  /** Counts a port call. Undefined: it goes through. Otherwise the process dies at it. */
  protected deathAt(name: string): CrashPlan | undefined {
    const { crash } = this;
    if (crash === undefined || crash.plan.counts?.() === false || --crash.left > 0) return undefined;
    this.crash = undefined;
    this.world.note(this.name, `dies ${crash.plan.when} ${name}`);
    return crash.plan;
  }

  private publishCall(life: Life, name: string, effect: () => void): void {
    if (!life.alive) return;
    const death = this.deathAt(name);
    if (death?.when !== 'before') effect();
    if (death !== undefined) this.kill(death.how);
  }

  protected runtime(): Runtime {
    const { life } = this;
    const clock = life.clock(this.world.clock, () => this.skewMs);
    const write = (line: string) => {
      if (life.alive) this.world.logged(this.name, line);
    };
    return { clock, random: this.chance, log: jsonLog({ clock, write, level: this.world.logLevel }) };
  }
}
