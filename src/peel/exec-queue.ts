/**
 * Two lanes of work. The worker runs what changes the machine, one at a time and in order of arrival; the readers run
 * what only looks, several at a time, so that `test.ping` answers while a long state runs.
 *
 * Each lane has its own waiting room of `slots`; who finds it full must not add (`hasRoom`). The worker can be held: then
 * nothing that changes the machine is started, and there is a reason.
 */
import { assert } from '../core/assert.ts';
import type { Log } from '../runtime/log.ts';

export type LaneName = 'worker' | 'readers';

export interface Task {
  readonly lane: LaneName;
  run(): Promise<void>;
  /** Instead of `run`: the peel stops. */
  dismiss(): Promise<void>;
}

interface Lane {
  readonly width: number;
  readonly waiting: Task[];
  running: number;
}

export class ExecQueue {
  private readonly slots: number;
  private readonly log: Log;
  private readonly lanes: Readonly<Record<LaneName, Lane>>;
  private readonly idlers = new Set<() => void>();
  private reason: string | undefined;

  constructor(limits: { readonly slots: number; readonly readers: number }, log: Log) {
    this.slots = limits.slots;
    this.log = log;
    this.lanes = {
      worker: { width: 1, waiting: [], running: 0 },
      readers: { width: limits.readers, waiting: [], running: 0 },
    };
  }

  hasRoom(name: LaneName): boolean {
    const lane = this.lanes[name];
    return (lane.running < lane.width && !this.isHeld(name)) || lane.waiting.length < this.slots;
  }

  /** The worker starts nothing more until `release`. */
  hold(reason: string): void {
    this.reason = reason;
  }

  release(): void {
    this.reason = undefined;
    this.startNext('worker');
  }

  /** Why the worker starts nothing; undefined when it does. */
  heldBecause(): string | undefined {
    return this.reason;
  }

  add(task: Task): void {
    assert(this.hasRoom(task.lane), 'room is checked before a task is added');
    this.lanes[task.lane].waiting.push(task);
    this.startNext(task.lane);
  }

  /** Takes a task back; false when it has been started. */
  withdraw(task: Task): boolean {
    const { waiting } = this.lanes[task.lane];
    const index = waiting.indexOf(task);
    if (index < 0) return false;
    waiting.splice(index, 1);
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
      running: worker.running + readers.running,
    };
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    if (this.counts().running === 0) return Promise.resolve();
    return new Promise((resolve) => this.idlers.add(resolve));
  }

  private startNext(name: LaneName): void {
    const lane = this.lanes[name];
    if (lane.running >= lane.width || this.isHeld(name)) return;
    const task = lane.waiting.shift();
    if (task === undefined) return;
    lane.running += 1;
    void this.runOne(task);
  }

  private isHeld(name: LaneName): boolean {
    return name === 'worker' && this.reason !== undefined;
  }

  private async runOne(task: Task): Promise<void> {
    try {
      await task.run();
    } catch (error) {
      this.log.error('a task of the queue threw', { error });
    }
    this.lanes[task.lane].running -= 1;
    if (this.counts().running === 0) {
      for (const tell of this.idlers) tell();
      this.idlers.clear();
    }
    this.startNext(task.lane);
  }
}
