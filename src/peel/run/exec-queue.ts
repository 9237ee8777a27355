/**
 * The execution queue has two lanes. The worker runs what changes the machine, one at a time and in order of arrival;
 * the readers run what only looks, several at a time, so that `test.ping` answers while a long state runs.
 *
 * Each lane has its own waiting room of `slots`; whoever finds it full must not add (`hasRoom`). The worker can be
 * held: then nothing that changes the machine is started, and it is known what that waits for.
 */
import { assert } from '../../core/assert.ts';
import type { Log } from '../../runtime/log.ts';

export type LaneName = 'worker' | 'readers';

export interface Task {
  readonly lane: LaneName;
  /** What others see that wait behind it: a job, or other words. */
  readonly name: string;
  run(): Promise<void>;
  /** Instead of `run`: the peel stops. */
  dismiss(): Promise<void>;
  /** What it waited behind was taken back; now it waits behind this. */
  moveUp(behind: string): void;
}

interface Lane {
  readonly width: number;
  readonly waiting: Task[];
  /** The oldest first. */
  readonly running: Task[];
}

export class ExecQueue {
  private readonly slots: number;
  private readonly log: Log;
  private readonly lanes: Readonly<Record<LaneName, Lane>>;
  private readonly idlers = new Set<() => void>();
  private holder: string | undefined;

  constructor(limits: { readonly slots: number; readonly readers: number }, log: Log) {
    this.slots = limits.slots;
    this.log = log;
    this.lanes = {
      worker: { width: 1, waiting: [], running: [] },
      readers: { width: limits.readers, waiting: [], running: [] },
    };
  }

  hasRoom(name: LaneName): boolean {
    return this.isFree(name) || this.lanes[name].waiting.length < this.slots;
  }

  /** Whether a task would be started at once. */
  private isFree(name: LaneName): boolean {
    const lane = this.lanes[name];
    return lane.running.length < lane.width && this.heldBy(name) === undefined;
  }

  /** Behind what one that is added now would wait; undefined when it would start. */
  wouldWaitBehind(name: LaneName): string | undefined {
    if (this.isFree(name)) return undefined;
    return this.aheadOf(name, this.lanes[name].waiting.length);
  }

  /** What the place in the waiting room waits behind. */
  private aheadOf(name: LaneName, place: number): string | undefined {
    const { running, waiting } = this.lanes[name];
    return (waiting[place - 1] ?? running[0])?.name ?? this.heldBy(name);
  }

  /** The worker starts nothing more until `release`; `holder`: what it waits for. */
  hold(holder: string): void {
    this.holder = holder;
  }

  release(): void {
    this.holder = undefined;
    this.startNext('worker');
  }

  /** What a lane waits for before it starts anything; undefined when it is not held. */
  heldBy(name: LaneName): string | undefined {
    return name === 'worker' ? this.holder : undefined;
  }

  add(task: Task): void {
    assert(this.hasRoom(task.lane), 'room is checked before a task is added');
    this.lanes[task.lane].waiting.push(task);
    this.startNext(task.lane);
  }

  /** Takes a task back, and tells the one that waited behind it; false when it has been started. */
  withdraw(task: Task): boolean {
    const { waiting } = this.lanes[task.lane];
    const place = waiting.indexOf(task);
    if (place < 0) return false;
    waiting.splice(place, 1);
    const ahead = this.aheadOf(task.lane, place);
    if (ahead !== undefined) waiting[place]?.moveUp(ahead);
    return true;
  }

  /** Takes back all that wait. */
  withdrawAll(): Task[] {
    return Object.values(this.lanes).flatMap((lane) => lane.waiting.splice(0));
  }

  counts(): { readonly queued: number; readonly running: number } {
    const { worker, readers } = this.lanes;
    return {
      queued: worker.waiting.length + readers.waiting.length,
      running: worker.running.length + readers.running.length,
    };
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    if (this.counts().running === 0) return Promise.resolve();
    return new Promise((resolve) => this.idlers.add(resolve));
  }

  private startNext(name: LaneName): void {
    const lane = this.lanes[name];
    if (!this.isFree(name)) return;
    const task = lane.waiting.shift();
    if (task === undefined) return;
    lane.running.push(task);
    void this.runOne(task);
  }

  private async runOne(task: Task): Promise<void> {
    try {
      await task.run();
    } catch (error) {
      this.log.error('a task of the queue threw', { error });
    }
    const { running } = this.lanes[task.lane];
    running.splice(running.indexOf(task), 1);
    if (this.counts().running === 0) {
      for (const tell of this.idlers) tell();
      this.idlers.clear();
    }
    this.startNext(task.lane);
  }
}
