/**
 * Ends the commands that a former life of this peel was running when it was killed. Each command of a request has a
 * record in `commands/<jid>.<n>` of the data directory while it runs (system/processes.ts); what is there at the start
 * is left over.
 *
 * What scripts of the job left in /tmp goes with it.
 *
 * Every leftover is ended, its own process group and nothing else. Until all are gone nothing that changes the machine
 * is started: two would work on it at once. Reads go on. Then the rows of the interrupted jobs say what was ended, or
 * what may still run; a record goes when its row is stored, so if the peel dies in between, its next life does it again
 * and says the same or knows less.
 *
 * A command that cannot be ended (it waits for a dead disk, or we may not signal it) is tried again every `RETRY_MS`; its
 * row does not wait for that, and what waits meanwhile ends at its own deadline with this reason. The same goes for a record
 * that cannot be read and for a row that cannot be stored.
 */
import { removeLeftScripts } from '../../modules/cmd/script-state.ts';
import { sleep } from '../../runtime/clock.ts';
import { stopSource } from '../../runtime/signals.ts';
import type { Leftover } from '../../system/processes.ts';
import type { System } from '../../system/system.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { commandsDir } from '../data-dir.ts';
import type { PeelContext } from '../peel-context.ts';
import { endingOfInterrupted, type JobEnding } from '../returns/make-return.ts';

const RETRY_MS = 5_000;

/** The system as one request gets it: each command that it starts is on record. */
export function recordingSystem(system: System, dataDir: string, jid: Jid): System {
  let started = 0;
  const { processes } = system;
  const run: typeof processes.run = (request) =>
    processes.run({ ...request, record: `${commandsDir(dataDir)}/${jid}.${++started}` });
  return { ...system, processes: { ...processes, run } };
}

type LeftoverContext = Pick<PeelContext, 'system' | 'runtime' | 'dataDir' | 'queue'>;

interface OnRecord {
  readonly path: string;
  readonly jid: string;
  /** What became of it; undefined when its record was not read yet. */
  readonly leftover?: Leftover;
}

export class LeftoverCommands {
  private readonly context: LeftoverContext;
  /** Jobs of the former life that have no return. */
  private readonly interrupted: readonly Jid[];
  private readonly finish: (jid: Jid, ending: JobEnding) => Promise<void>;
  private readonly stopped = stopSource();
  private readonly told = new Set<Jid>();

  constructor(
    context: LeftoverContext,
    interrupted: readonly Jid[],
    finish: (jid: Jid, ending: JobEnding) => Promise<void>,
  ) {
    this.context = context;
    this.interrupted = interrupted;
    this.finish = finish;
  }

  /** Resolves when it is known what there is, and jobs without a command have their rows. The others follow. */
  async start(): Promise<void> {
    const { system, dataDir, queue } = this.context;
    const directory = commandsDir(dataDir);
    const names = (await system.files.list(directory)) ?? [];
    const found = names.map((name) => ({ path: `${directory}/${name}`, jid: jidOf(name) }));
    const isOn = (jid: Jid) => found.some((each) => each.jid === jid);
    if (found.length > 0) queue.hold('commands of an interrupted job');
    for (const jid of this.interrupted) {
      if (isOn(jid)) continue;
      await this.removeScripts(jid);
      await this.finish(jid, endingOfInterrupted([]));
    }
    if (found.length > 0) void this.endAll(found);
  }

  stop(): void {
    this.stopped.abort();
  }

  private async endAll(found: readonly OnRecord[]): Promise<void> {
    const { queue } = this.context;
    let left = found;
    while (left.length > 0 && !this.stopped.signal.aborted) {
      left = await this.endOnce(left);
      if (left.length === 0) break;
      queue.hold(left.map(whyHeld).join('; '));
      await this.pause();
    }
    if (left.length === 0) queue.release();
  }

  /** Those that changes still wait for. */
  private async endOnce(found: readonly OnRecord[]): Promise<readonly OnRecord[]> {
    const seen = await Promise.all(found.map((each) => this.endOne(each)));
    const left: OnRecord[] = [];
    for (const jid of new Set(seen.map((each) => each.jid))) {
      if (this.stopped.signal.aborted) return seen;
      const own = seen.filter((each) => each.jid === jid);
      if (own.every(isOver)) await this.removeScripts(jid);
      const isTold = await this.tell(jid, own);
      for (const each of own)
        if (isTold && isOver(each)) await this.removeRecord(each.path);
        else left.push(each);
    }
    return left;
  }

  /** What is known stays known, also when it could not be told at once: an ended one would look as if it had gone by itself. */
  private async endOne(each: OnRecord): Promise<OnRecord> {
    if (isOver(each)) return each;
    const { path, jid } = each;
    const { system, runtime } = this.context;
    try {
      const record = await system.files.read(path);
      const leftover: Leftover =
        record === undefined ? { is: 'gone' } : await system.processes.endLeftover(record);
      runtime.log.warn('a command of an interrupted job', { jid, ...leftover });
      return { path, jid, leftover };
    } catch (error) {
      runtime.log.error('a command of an interrupted job cannot be looked at; changes wait', { jid, error });
      return each;
    }
  }

  /**
   * False when it has to be done again. Once: the first word of a peel on a job is final, so it waits until every record
   * was read. A direct call has no row.
   */
  private async tell(jid: string, own: readonly OnRecord[]): Promise<boolean> {
    const { runtime } = this.context;
    const job = this.interrupted.find((each) => each === jid);
    if (job === undefined || this.told.has(job)) return true;
    const commands = own.flatMap(({ leftover }) => (leftover === undefined ? [] : [leftover]));
    if (commands.length < own.length) return false;
    try {
      await this.finish(job, endingOfInterrupted(commands));
    } catch (error) {
      runtime.log.error('the return of an interrupted job cannot be stored; changes wait', { jid, error });
      return false;
    }
    this.told.add(job);
    return true;
  }

  private async removeRecord(path: string): Promise<void> {
    try {
      await this.context.system.files.removeFile(path);
    } catch (error) {
      // Found at the next start, it names a process that is no more.
      this.context.runtime.log.warn('the record of a command that is gone cannot be removed', {
        path,
        error,
      });
    }
  }

  private async removeScripts(jid: string): Promise<void> {
    try {
      await removeLeftScripts(this.context.system.files, jid);
    } catch (error) {
      this.context.runtime.log.warn('scripts of an interrupted job cannot be removed', { jid, error });
    }
  }

  /** Ends early at the stop. */
  private async pause(): Promise<void> {
    await sleep(this.context.runtime.clock, RETRY_MS, this.stopped.signal).catch(() => undefined);
  }
}

function isOver({ leftover }: OnRecord): boolean {
  return leftover !== undefined && leftover.is !== 'alive';
}

function whyHeld({ jid, leftover }: OnRecord): string {
  if (leftover === undefined) return `a command of interrupted job ${jid}, which cannot be looked at`;
  if (leftover.is === 'alive')
    return `a command of interrupted job ${jid} (pid ${leftover.pid}), which cannot be ended`;
  return `interrupted job ${jid}, whose return cannot be stored`;
}

function jidOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}
