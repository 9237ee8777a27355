/**
 * `SourceWorld` is masters with source directories on one memory server, turn by turn: each on a machine of its own, or two on
 * one. A turn may die at any of its writes, to the store or to the disk, before the effect or after it; the next life of the
 * master starts from what is left.
 */
import { expect } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import { openBus } from '../../../src/bus/bus.ts';
import { fetchFile, readFileSetHead } from '../../../src/bus/file-set/read-file-set.ts';
import { MemoryServer } from '../../../src/bus/memory/memory-server.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../../src/runtime/virtual-clock.ts';
import type { Files } from '../../../src/system/files.ts';
import type { Fault, SystemCall } from '../../../src/system/memory/memory-gate.ts';
import { type MemoryMachine, memoryMachine } from '../../../src/system/memory/memory-machine.ts';
import type { System } from '../../../src/system/system.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { OBJECT_STORES } from '../../../src/wire/names/streams.ts';
import { FILE_SETS, type FileSetSpec } from '../../../src/wire/records/file-set.ts';
import { type BusCall, interceptedBus } from './master-bus.ts';

export type Tree = Readonly<Record<string, string>>;

/** Longer than what others do meanwhile. */
const DISK_PAUSE_MS = 5_000;
const BUS_WRITES = ['put', 'create', 'update', 'delete', 'remove'];
const DISK_WRITES = [
  'rename',
  'unlink',
  'makeDirectory',
  'removeDirectory',
  'write',
  'open',
  'symlink',
  'link',
];

/** Where a turn dies: at its n-th write, counted from 1. */
export interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
  readonly how: 'kill' | 'power';
}

export class SourceWorld {
  readonly clock: VirtualClock = virtualClock();
  readonly lines: string[] = [];
  readonly runtime: Runtime = {
    clock: this.clock,
    random: seededRandom(3),
    log: jsonLog({ clock: this.clock, write: (line) => this.lines.push(line), level: 'debug' }),
  };
  readonly server = new MemoryServer({ clock: this.clock, random: seededRandom(5) });
  /** With a master's rights. */
  readonly hand: Bus = this.connect('hand');
  /** Who holds the lease; the test says so. */
  publisher: SourceMaster<unknown> | undefined;

  async open(): Promise<void> {
    await this.settled(this.hand.connected());
    const buckets = [
      BUCKETS.stateFiles,
      BUCKETS.settingsFiles,
      BUCKETS.reactorFiles,
      BUCKETS.masterSettings,
      BUCKETS.secrets,
      BUCKETS.facts,
    ];
    const assets = { buckets, streams: [], objectStores: [OBJECT_STORES.fileBlobs] };
    await this.settled(ensureAssets(this.hand, assets, 1));
  }

  connect(name: string): Bus {
    return openBus(this.server.connect({ role: 'master', name }), this.runtime);
  }

  machine(files: Tree, fault: (call: SystemCall) => Fault): MemoryMachine {
    return memoryMachine({ clock: this.clock, random: seededRandom(7), files, fault });
  }

  /** What readers of a set get: its files, or why they get nothing. */
  async published(spec: FileSetSpec = FILE_SETS.states): Promise<Tree | string> {
    const head = await this.settled(readFileSetHead(this.hand, spec));
    if (head.is !== 'whole') return head.is;
    const fetched = await this.settled(
      Promise.all(head.files.map((file) => fetchFile(this.hand, spec, file))),
    );
    if (fetched.some(({ is }) => is === 'torn')) return 'torn';
    const texts = fetched.map((each) => (each.is === 'found' ? Buffer.from(each.bytes).toString() : ''));
    return Object.fromEntries(head.files.map(({ path }, index) => [path, texts[index] ?? '']));
  }

  async revision(spec: FileSetSpec = FILE_SETS.states): Promise<number> {
    const head = await this.settled(readFileSetHead(this.hand, spec));
    return head.is === 'whole' ? head.revision : 0;
  }

  /** The result of a promise that may need time to pass; 'died' when nothing comes of it any more. */
  async settled<T>(promise: Promise<T>): Promise<T> {
    const outcome = await this.outcome(promise);
    if (outcome === 'never') throw new Error('waited for what never comes');
    return promise;
  }

  async outcome(promise: Promise<unknown>): Promise<'settled' | 'never'> {
    let isSettled = false;
    const mark = () => {
      isSettled = true;
    };
    promise.then(mark, mark);
    for (let turn = 0; turn < 400 && !isSettled; turn++) await this.clock.advance(turn < 100 ? 0 : 50);
    return isSettled ? 'settled' : 'never';
  }
}

/** What a life of a master is made of. */
export interface SourceLife {
  readonly bus: Bus;
  readonly system: System;
  readonly runtime: Runtime;
  readonly isPublisher: () => boolean;
}

/** One master on its machine; `Part` is the part of it that is tested. */
export class SourceMaster<Part> {
  readonly world: SourceWorld;
  readonly directory: string;
  /** Whoever was frozen believes for a moment that it still has the lease. */
  believesToLead = false;
  private readonly make: (life: SourceLife) => Part;
  private readonly machine: MemoryMachine;
  private death: Death | undefined;
  private pause:
    | { readonly at: number; readonly reach: () => void; readonly over: Promise<void> }
    | undefined;
  private meanwhile:
    | { readonly at: number; readonly changes: Parameters<SourceMaster<Part>['edit']>[0] }
    | undefined;
  private isEditing = false;
  private writes = 0;
  private isDead = false;
  private living: { readonly part: Part; readonly bus: Bus } | undefined;

  constructor(world: SourceWorld, directory: string, files: Tree, make: (life: SourceLife) => Part) {
    this.world = world;
    this.directory = directory;
    this.make = make;
    const placed = Object.entries(files).map(([path, text]) => [`${directory}/${path}`, text]);
    this.machine = world.machine(Object.fromEntries(placed), (call) => this.diskCall(call));
  }

  /** The part in its current life; a new one after a death. */
  async part(): Promise<Part> {
    this.living ??= this.boot();
    await this.world.settled(this.living.bus.connected());
    return this.living.part;
  }

  leads(): void {
    this.world.publisher = this as SourceMaster<unknown>;
  }

  /** Does something with the part, to its end. */
  async run<T>(work: (part: Part) => Promise<T>): Promise<T> {
    const part = await this.part();
    this.writes = 0;
    return this.world.settled(work(part));
  }

  /** How many writes it takes. */
  async writesOf(work: (part: Part) => Promise<unknown>): Promise<number> {
    await this.run(work);
    return this.writes;
  }

  /** Does something and dies on the way; false when it was done before. */
  async dieIn(death: Death, work: (part: Part) => Promise<unknown>): Promise<boolean> {
    const part = await this.part();
    this.death = death;
    this.writes = 0;
    await this.world.outcome(work(part));
    this.death = undefined;
    const hasDied = this.isDead;
    if (hasDied) this.restart(death.how);
    return hasDied;
  }

  /**
   * Its n-th write from now on waits until it is released, as in a process that is frozen there; one to the disk until some
   * seconds have passed.
   */
  pauseAt(at: number): { readonly reached: Promise<void>; release(): void } {
    this.writes = 0;
    let reach: () => void = () => undefined;
    let release: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const over = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.pause = { at, reach, over };
    return { reached, release };
  }

  restart(how: 'kill' | 'power' = 'kill'): void {
    void this.living?.bus.close();
    this.living = undefined;
    if (how === 'kill') this.machine.crash();
    else this.machine.powerLoss();
    this.isDead = false;
  }

  /** At its n-th write from now on, which is one to the disk and takes a moment, a person edits the directory. */
  editAt(at: number, changes: Readonly<Record<string, string | undefined>>): void {
    this.writes = 0;
    this.meanwhile = { at, changes };
  }

  /** As a person would. */
  async edit(changes: Readonly<Record<string, string | undefined>>): Promise<void> {
    const { files } = this.machine.boot();
    this.isEditing = true;
    for (const [path, text] of Object.entries(changes)) {
      const place = `${this.directory}/${path}`;
      if (text === undefined) await this.world.settled(files.removeFile(place));
      else await this.world.settled(this.write(files, place, text));
    }
    this.isEditing = false;
  }

  /** What is in the directory now. */
  tree(): Tree {
    const found = this.machine
      .look(this.directory)
      .filter(({ kind, path }) => kind === 'file' && !path.split('/').some((name) => name.startsWith('.')));
    return Object.fromEntries(found.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
  }

  modeOf(path: string): string | undefined {
    return this.machine
      .look(this.directory)
      .find((each) => each.path === path)
      ?.mode.toString(8);
  }

  /** Every byte of its disk, for whoever looks for what should not be there. */
  disk(directory: string): string {
    return this.machine
      .look(directory)
      .map(({ bytes }) => Buffer.from(bytes).toString('latin1'))
      .join('\n');
  }

  get files(): Files {
    return this.machine.boot().files;
  }

  private async write(files: Files, place: string, text: string): Promise<void> {
    await files.makeDirectory(place.slice(0, place.lastIndexOf('/')), { parents: true });
    await files.writeAtomic(place, Buffer.from(text), { mode: 0o644 });
  }

  private boot(): { readonly part: Part; readonly bus: Bus } {
    const { world } = this;
    const line = world.connect('master');
    const bus = interceptedBus(
      line,
      (call, run) => this.busCall(call, run),
      () => !this.isDead,
    );
    const isPublisher = () => this.believesToLead || world.publisher === this;
    const part = this.make({ bus, system: this.machine.boot(), runtime: world.runtime, isPublisher });
    return { part, bus: line };
  }

  private busCall<T>(call: BusCall, run: () => T): T {
    const never = new Promise(() => undefined) as T;
    if (this.isDead) return never;
    if (!BUS_WRITES.includes(call.op)) return run();
    const death = this.deathNow();
    const pause = this.pauseNow();
    if (pause !== undefined) return pause.then(() => run()) as T;
    if (death === undefined) return run();
    if (death.when === 'after') void Promise.resolve(run()).catch((error: unknown) => error);
    this.isDead = true;
    return never;
  }

  private diskCall({ name, path }: SystemCall): Fault {
    if (this.isEditing) return undefined;
    if (this.isDead) return 'hang';
    if (!DISK_WRITES.includes(name) || (name === 'open' && !path.includes('.zester-'))) return undefined;
    const death = this.deathNow();
    if (this.pauseNow() !== undefined) return { delayMs: DISK_PAUSE_MS };
    if (this.meanwhile?.at === this.writes) {
      void this.edit(this.meanwhile.changes);
      this.meanwhile = undefined;
      return { delayMs: 10 };
    }
    if (death === undefined) return undefined;
    if (death.when === 'before') {
      this.isDead = true;
      return 'hang';
    }
    queueMicrotask(() =>
      queueMicrotask(() => {
        this.isDead = true;
      }),
    );
    return undefined;
  }

  private pauseNow(): Promise<void> | undefined {
    if (this.pause?.at !== this.writes) return undefined;
    const { reach, over } = this.pause;
    this.pause = undefined;
    reach();
    return over;
  }

  private deathNow(): Death | undefined {
    this.writes += 1;
    return this.death?.at === this.writes ? this.death : undefined;
  }
}

/** Every place at which a turn can die: by turns of a kill and of a power loss, beginning with `first`. */
export function everyDeath(writes: number, first: Death['how'] = 'kill'): Death[] {
  expect(writes).toBeGreaterThan(5);
  const other = first === 'kill' ? 'power' : 'kill';
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((at): Death[] => [
    { at, when: 'before', how: at % 2 === 0 ? first : other },
    { at, when: 'after', how: at % 2 === 0 ? other : first },
  ]);
}
