/**
 * Commands that a former life of this peel was running when it was killed. Each command of a request has a record in
 * `commands/<jid>.<n>` of the data directory while it runs (system/processes.ts); what is there at the start is left over.
 *
 * Every leftover is ended, its own process group and nothing else. Until all are gone nothing that changes the machine is
 * started: two would work on it at once. Reads go on. Then the rows of the interrupted jobs say what was ended, or what may
 * still run; a record goes when its row is stored, so who dies in between does it again and says the same or knows less.
 *
 * A command that cannot be ended (it waits for a dead disk, or we may not signal it) is tried again every `RETRY_MS`; its
 * row does not wait for that, and what waits meanwhile ends at its own deadline with this reason.
 */
import { sleep } from '../runtime/clock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { stopSource } from '../runtime/stop-source.ts';
import type { Leftover } from '../system/processes.ts';
import type { System } from '../system/system.ts';
import type { Jid } from '../wire/ids.ts';
import { commandsDir } from './data-dir.ts';
import type { ExecQueue } from './exec-queue.ts';
import { type Ending, endingOfInterrupted } from './make-return.ts';

const RETRY_MS = 5_000;

/** The system as one request gets it: each command that it starts is on record. */
export function recordingSystem(system: System, dataDir: string, jid: Jid): System {
  let started = 0;
  const { processes } = system;
  const run: typeof processes.run = (request) =>
    processes.run({ ...request, record: `${commandsDir(dataDir)}/${jid}.${++started}` });
  return { ...system, processes: { ...processes, run } };
}

export interface LeftoverParts {
  readonly system: System;
  readonly runtime: Runtime;
  readonly dataDir: string;
  readonly queue: ExecQueue;
  /** Jobs of the former life that have no return. */
  readonly interrupted: readonly Jid[];
  readonly finish: (jid: Jid, ending: Ending) => Promise<void>;
}

interface OnRecord {
  readonly path: string;
  readonly jid: string;
  readonly leftover?: Leftover;
}

interface Found extends OnRecord {
  readonly leftover: Leftover;
}

export class LeftoverCommands {
  private readonly parts: LeftoverParts;
  private readonly stopped = stopSource();
  private readonly told = new Set<Jid>();

  constructor(parts: LeftoverParts) {
    this.parts = parts;
  }

  /** Resolves when it is known what there is, and jobs without a command have their rows. The others follow. */
  async start(): Promise<void> {
    const { interrupted, finish, system, dataDir, queue } = this.parts;
    const directory = commandsDir(dataDir);
    const names = (await system.files.list(directory)) ?? [];
    const found = names.map((name) => ({ path: `${directory}/${name}`, jid: jidOf(name) }));
    const isOn = (jid: Jid) => found.some((each) => each.jid === jid);
    if (found.length > 0) queue.hold('commands of an interrupted job');
    for (const jid of interrupted) if (!isOn(jid)) await finish(jid, endingOfInterrupted([]));
    if (found.length > 0) void this.endAll(found);
  }

  stop(): void {
    this.stopped.abort();
  }

  private async endAll(found: readonly OnRecord[]): Promise<void> {
    const { queue, runtime } = this.parts;
    let left = found;
    while (left.length > 0 && !this.stopped.signal.aborted) {
      try {
        left = await this.endOnce(left);
        if (left.length > 0) queue.hold(`${left.map(told).join(', ')}, which cannot be ended`);
      } catch (error) {
        runtime.log.error('commands of interrupted jobs cannot be looked at; changes wait', { error });
        queue.hold('commands of an interrupted job, whose records cannot be read');
      }
      if (left.length > 0) await this.pause();
    }
    if (left.length === 0) queue.release();
  }

  /** Those that still run. */
  private async endOnce(found: readonly OnRecord[]): Promise<readonly OnRecord[]> {
    const seen = await Promise.all(found.map((each) => this.endOne(each)));
    if (this.stopped.signal.aborted) return seen;
    for (const jid of new Set(seen.map((each) => each.jid))) await this.tell(jid, seen);
    const over = seen.filter(({ leftover }) => leftover.is !== 'alive');
    for (const { path } of over) await this.parts.system.files.removeFile(path);
    return seen.filter((each) => !over.includes(each));
  }

  private async endOne({ path, jid }: OnRecord): Promise<Found> {
    const { files, processes } = this.parts.system;
    const record = await files.read(path);
    const leftover: Leftover = record === undefined ? { is: 'gone' } : await processes.endLeftover(record);
    this.parts.runtime.log.warn('a command of an interrupted job', { jid, ...leftover });
    return { path, jid, leftover };
  }

  /** Once: the first word of a peel on a job is final. A direct call has no row. */
  private async tell(jid: string, seen: readonly Found[]): Promise<void> {
    const { interrupted, finish } = this.parts;
    const job = interrupted.find((each) => each === jid);
    if (job === undefined || this.told.has(job)) return;
    this.told.add(job);
    await finish(
      job,
      endingOfInterrupted(seen.filter((each) => each.jid === jid).map(({ leftover }) => leftover)),
    );
  }

  /** Ends early at the stop. */
  private async pause(): Promise<void> {
    await sleep(this.parts.runtime.clock, RETRY_MS, this.stopped.signal).catch(() => undefined);
  }
}

function told({ jid, leftover }: OnRecord): string {
  const pid = leftover !== undefined && 'pid' in leftover ? ` (pid ${leftover.pid})` : '';
  return `a command of interrupted job ${jid}${pid}`;
}

function jidOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}
