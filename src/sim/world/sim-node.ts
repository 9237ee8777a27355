/**
 * A node is a place where a process can run, die and run again: what masters and peels of the simulation have in
 * common. One life at a time; each gets fresh ports, and the ports of a dead one never answer again.
 */
import type { RawMessage } from '../../bus/connection.ts';
import type { MemoryUser } from '../../bus/memory/memory-server.ts';
import { jsonLog } from '../../runtime/log.ts';
import type { Random } from '../../runtime/random.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Fault, SystemCall } from '../../system/memory/memory-gate.ts';
import { type MemoryMachine, memoryMachine } from '../../system/memory/memory-machine.ts';
import { Life } from './life.ts';
import { SimLink } from './sim-link.ts';
import type { SimWorld } from './sim-world.ts';

/** Where a process dies: at its n-th port call from now, before the effect or after it. */
export interface CrashPlan {
  readonly calls: number;
  readonly when: 'before' | 'after';
  readonly how: 'kill' | 'power';
  /** Whether a call counts, by its name and what it is about (`publish <subject>`, `write <path>`); not given: each does. */
  readonly counts?: (call: string) => boolean;
}

export type DiskFault = (call: SystemCall) => Fault;

export abstract class SimNode {
  readonly name: string;
  protected readonly world: SimWorld;
  protected life: Life = new Life();
  /** Of this life. */
  private links: SimLink[] = [];
  /** What this life draws: ids, jitter, keys. */
  protected chance: Random;
  private lives = 0;
  private skewMs = 0;
  private crash: { left: number; readonly plan: CrashPlan } | undefined;
  /** Its disk outlives every life. */
  protected readonly machine: MemoryMachine;
  private disk: DiskFault | undefined;
  /** Disk faults so far. */
  private diskFaults = 0;

  constructor(world: SimWorld, name: string, files: Readonly<Record<string, string>>) {
    this.world = world;
    this.name = name;
    this.chance = world.chanceOf(name);
    this.life.end();
    this.machine = memoryMachine({
      clock: world.clock,
      random: world.chanceOf(`disk of ${name}`),
      files,
      fault: (call) => this.systemCall(this.life, call),
    });
  }

  /** Undefined: nothing is wrong with its disk. */
  setDisk(disk: DiskFault | undefined): void {
    this.disk = disk;
    if (disk !== undefined) this.diskFaults += 1;
  }

  /** Says whether nothing was wrong with the disk from now until it is asked. */
  protected diskWatch(): () => boolean {
    const { disk, diskFaults } = this;
    return () => disk === undefined && diskFaults === this.diskFaults;
  }

  get alive(): boolean {
    return this.life.alive;
  }

  start(): void {
    if (this.life.alive) return;
    this.life = new Life();
    this.chance = this.world.chanceOf(`${this.name} ${++this.lives}`);
    this.crash = undefined;
    this.links = [];
    this.world.note(this.name, 'starts');
    this.boot();
  }

  kill(how: 'kill' | 'power' = 'kill'): void {
    if (!this.life.alive) return;
    this.world.note(this.name, how === 'kill' ? 'is killed' : 'loses power');
    this.life.end();
    for (const link of this.links) link.die();
    if (how === 'kill') this.machine.crash();
    else this.machine.powerLoss();
    this.died();
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
    for (const link of this.links) link.cut();
  }

  partition(): void {
    for (const link of this.links) link.partition();
  }

  heal(): void {
    for (const link of this.links) link.heal();
  }

  jumpClock(byMs: number): void {
    this.skewMs += byMs;
  }

  crashSoon(plan: CrashPlan): void {
    if (this.life.alive) this.crash = { left: plan.calls, plan };
  }

  /** It does not die where it was planned to. */
  spare(): void {
    this.crash = undefined;
  }

  protected abstract boot(): void;
  protected abstract died(): void;
  /** The process writes to its disk. */
  protected abstract writes(path: string, bytes: Uint8Array): void;

  protected connect(user: () => MemoryUser, heard?: (message: RawMessage) => void): SimLink {
    const { life } = this;
    const link = new SimLink({
      server: this.world.server,
      user,
      heard,
      world: this.world.clock,
      random: this.chance,
      life,
      weather: (direction, subject) => this.world.weather(this.name, direction, subject),
      publishCall: (name, effect) => this.publishCall(life, name, effect),
    });
    this.links.push(link);
    return link;
  }

  /** Counts a port call. Undefined: it goes through. Otherwise the process dies at it. */
  protected deathAt(name: string): CrashPlan | undefined {
    const { crash } = this;
    if (crash === undefined || crash.plan.counts?.(name) === false || --crash.left > 0) return undefined;
    this.crash = undefined;
    this.world.note(this.name, `dies ${crash.plan.when} ${name}`);
    return crash.plan;
  }

  private systemCall(life: Life, call: SystemCall): Fault {
    if (!life.alive) return 'hang';
    const { name, path, bytes } = call;
    if (bytes !== undefined) this.writes(path, bytes);
    const death =
      this.crash === undefined ? undefined : this.deathAt(`${name} ${this.machine.placeOf(path)}`);
    if (death === undefined) return this.disk?.(call) ?? this.refusal(call);
    const die = () => {
      if (this.life === life) this.kill(death.how);
    };
    if (death.when === 'before') {
      die();
      return 'hang';
    }
    // The effect comes in the turn after next, its answer in the one after that: death is between the two.
    queueMicrotask(() => queueMicrotask(die));
    return undefined;
  }

  /** What the machine never lets anybody do. */
  protected refusal(_call: SystemCall): Fault {
    return undefined;
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
