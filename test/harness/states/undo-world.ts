/** `UndoWorld` is a machine in memory with an undo journal on it: steps are applied as the runner applies them. */

import type { RunOnRecord } from '../../../src/core/states/revert-choice.ts';
import { openUndoJournal } from '../../../src/peel/undo/open-undo-journal.ts';
import { UNDO_BOUNDS, type UndoBounds } from '../../../src/peel/undo/undo-bounds.ts';
import type { RevertOutcome, UndoJournal, UndoRecord } from '../../../src/peel/undo/undo-journal.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import { type FileStep, performFileStep } from '../../../src/system/file-steps.ts';
import type { Files } from '../../../src/system/files.ts';
import type { SystemCall } from '../../../src/system/memory/memory-gate.ts';
import { type MemoryMachine, memoryMachine } from '../../../src/system/memory/memory-machine.ts';
import type { PlannedFiles } from '../../../src/system/planned-files.ts';
import { undoKeyFrom } from '../../../src/trust/undo-key.ts';

/** What `revert` gives for a state of which the journal has nothing. */
export const NOT_ON_RECORD: Omit<RevertOutcome, 'end'> = {
  changed: false,
  diff: 'not on record',
  kept: [],
  error: undefined,
};

export const UNDO_DATA_DIR = '/var/zester';
const WORK_DIR = '/srv';

export interface UndoWorldOptions {
  readonly bounds?: Partial<UndoBounds>;
  readonly seed?: number;
}

export class UndoWorld {
  readonly clock = virtualClock();
  readonly machine: MemoryMachine;
  private readonly bounds: UndoBounds;
  private readonly random;
  private jobs = 0;
  /** Asked at every call; true: we are dead from this call on. */
  dieAt: (call: SystemCall) => boolean = () => false;
  onCall: (call: SystemCall) => void = () => undefined;
  secretByte = 7;
  files!: Files;
  journal!: UndoJournal;

  private constructor({ bounds, seed = 1 }: UndoWorldOptions) {
    this.bounds = { ...UNDO_BOUNDS, ...bounds };
    this.random = seededRandom(seed);
    this.machine = memoryMachine({
      clock: this.clock,
      random: this.random,
      fault: (call) => {
        this.onCall(call);
        return this.dieAt(call) ? 'hang' : undefined;
      },
    });
  }

  static async make(options: UndoWorldOptions = {}): Promise<UndoWorld> {
    const world = new UndoWorld(options);
    world.start();
    await world.files.makeDirectory(WORK_DIR);
    await world.files.makeDirectory(UNDO_DATA_DIR);
    return world;
  }

  /** A new process. */
  start(): void {
    this.files = this.machine.boot().files;
    this.journal = openUndoJournal({
      files: this.files,
      dataDir: UNDO_DATA_DIR,
      key: async () => undoKeyFrom(new Uint8Array(32).fill(this.secretByte), this.random),
      clock: this.clock,
      random: this.random,
      bounds: this.bounds,
    });
  }

  restart(): void {
    this.machine.crash();
    this.start();
  }

  /** Steps of one state in a run of its own, or in the run `jid`. */
  async apply(state: string, steps: readonly FileStep[], jid = `job-${++this.jobs}`): Promise<void> {
    const record = this.record(state, jid);
    for (const step of steps) {
      await record.before(step);
      await performFileStep(this.files, step, this.clock.nowMs());
    }
  }

  record(state: string, jid: string): UndoRecord {
    return this.journal.open(state, { jid, atMs: this.clock.nowMs() }, () => []);
  }

  /** Of the last run that has the state on record, or of the run `jid`. */
  async revert(state: string, { jid, view }: { jid?: string; view?: PlannedFiles } = {}) {
    const run = jid ?? (await this.lastRunOf(state));
    if (run === undefined) return { ...NOT_ON_RECORD };
    const { end: _, ...told } = await this.journal.revert(
      { jid: run, state },
      { by: 'undo', isLastTry: true, view },
    );
    return told;
  }

  private async lastRunOf(state: string): Promise<string | undefined> {
    const has = ({ states }: RunOnRecord) => states.some(({ name }) => name === state);
    return (await this.journal.runs()).findLast(has)?.jid;
  }

  /** Everything in the work directory: kind, mode, owner, and content or target. */
  async tree(): Promise<Record<string, string>> {
    return this.treeAt(WORK_DIR);
  }

  async treeAt(directory: string): Promise<Record<string, string>> {
    const rows: Record<string, string> = {};
    for (const { path, stat } of (await this.files.walk(directory)) ?? []) {
      const at = `${directory}/${path}`;
      const content = stat.kind === 'file' ? Buffer.from((await this.files.read(at)) ?? []).toString() : '';
      const target = stat.kind === 'symlink' ? await this.files.readLink(at) : '';
      rows[path] = `${stat.kind} ${stat.mode.toString(8)} ${stat.uid}:${stat.gid} ${content}${target}`;
    }
    return rows;
  }
}

export const at = (path: string): string => `${WORK_DIR}/${path}`;

export function write(
  path: string,
  text: string,
  more: { mode?: number; owner?: { uid?: number } } = {},
): FileStep {
  return { kind: 'write', path: at(path), bytes: Buffer.from(text), ...more };
}

/** Runs `work` to its end, or until we are dead and nothing of it goes on. */
export async function untilDead(work: Promise<unknown>, isDead: () => boolean): Promise<void> {
  let over = false;
  const end = () => {
    over = true;
  };
  work.then(end, end);
  while (!over && !isDead()) await new Promise((resolve) => setImmediate(resolve));
  if (over) await work;
}
