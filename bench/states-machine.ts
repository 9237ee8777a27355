/**
 * A states machine is a peel's state engine on this very machine, without NATS: as `zester-peel call --local` and a job
 * run it.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_SETTINGS } from '../src/core/settings/resolved-settings.ts';
import { NO_WORDS } from '../src/core/target/operator-words.ts';
import { FUNCTIONS } from '../src/modules/registry.ts';
import { STATE_MODULES, stateModuleRegistry } from '../src/modules/state-registry.ts';
import { type RequestContext, runRequest } from '../src/peel/run/run-request.ts';
import { openUndoJournal } from '../src/peel/undo/open-undo-journal.ts';
import { newKsuid } from '../src/runtime/ids.ts';
import type { Log } from '../src/runtime/log.ts';
import { stopSource } from '../src/runtime/signals.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { linuxSystem } from '../src/system/linux/linux-system.ts';
import { undoKeyFrom } from '../src/trust/undo-key.ts';
import { type Jid, peelIdOfName } from '../src/wire/names/ids.ts';
import type { ExecResponse } from '../src/wire/records/exec.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

/** How long each part of a run was under way. Parts of many states at once overlap, so they may add up to more. */
export type Parts = Record<'compile' | 'plan' | 'journal' | 'perform', number>;

export class StatesMachine {
  private readonly dir: string;
  private readonly parts: RequestContext;
  private readonly watches = { plan: new Watch(), journal: new Watch(), perform: new Watch() };

  /** `dir` is empty; states and journal go below it. */
  constructor(dir: string) {
    this.dir = dir;
    mkdirSync(join(dir, 'states'));
    const clock = systemClock;
    const random = systemRandom;
    const { plan, journal, perform } = this.watches;
    const system = linuxSystem({ clock, random });
    const key = async () => undoKeyFrom(random.bytes(32), random);
    const undo = openUndoJournal({ files: system.files, dataDir: join(dir, 'data'), key, clock, random });
    const peelId = peelIdOfName('bench');
    if (peelId === undefined) throw new Error('a bad id');
    this.parts = {
      system: {
        ...system,
        files: {
          ...system.files,
          writeAtomic: (...args) => perform.during(() => system.files.writeAtomic(...args)),
        },
      },
      facts: {
        all: () => ({}),
        words: () => NO_WORDS,
        get: () => undefined,
        setCustom: async () => undefined,
      },
      runtime: { clock, random, log: silent },
      peelId,
      version: 'bench',
      functions: FUNCTIONS,
      states: {
        modules: stateModuleRegistry(
          STATE_MODULES.all.map((module) => ({
            ...module,
            plan: (values, context) => plan.during(() => module.plan(values, context)),
          })),
        ),
        sources: { bakedDir: join(dir, 'states'), mirror: undefined },
        settings: { use: async () => ({ resolved: NO_SETTINGS, revision: 0, note: '' }) },
        journal: {
          ...undo,
          open(...args) {
            const record = undo.open(...args);
            return {
              before: (step) => journal.during(() => record.before(step)),
              cannotUndo: (what) => journal.during(() => record.cannotUndo(what)),
            };
          },
        },
      },
    };
  }

  publish(name: string, text: string): void {
    writeFileSync(join(this.dir, 'states', `${name}.sls`), text);
  }

  /** Throws unless every state went well and `changed` of them changed something. */
  async apply(name: string, changed: number): Promise<Parts> {
    const { plan, journal, perform } = this.watches;
    for (const watch of Object.values(this.watches)) watch.reset();
    const startMs = systemClock.monotonicMs();
    const response = await this.call(name);
    const states = response.results;
    const wrong = states.find(({ error, skipped }) => error !== '' || skipped);
    if (!response.success || wrong !== undefined) throw new Error(wrong?.error ?? response.error);
    const did = states.filter((state) => state.changed).length;
    if (did !== changed) throw new Error(`${did} states changed something, not ${changed}`);
    return {
      compile: (plan.firstMs ?? startMs) - startMs,
      plan: plan.busyMs,
      journal: journal.busyMs,
      perform: perform.busyMs,
    };
  }

  private call(name: string): Promise<ExecResponse> {
    const jid = newKsuid(systemClock, systemRandom) as Jid;
    const request = { jid, module: 'state.apply', id: name, args: {} };
    return runRequest(request, stopSource().signal, this.parts);
  }
}

/** How long at least one of many was at work. */
class Watch {
  busyMs = 0;
  firstMs: number | undefined;
  private atWork = 0;
  private sinceMs = 0;

  reset(): void {
    this.busyMs = 0;
    this.firstMs = undefined;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const startMs = systemClock.monotonicMs();
    this.firstMs ??= startMs;
    if (this.atWork++ === 0) this.sinceMs = startMs;
    try {
      return await work();
    } finally {
      if (--this.atWork === 0) this.busyMs += systemClock.monotonicMs() - this.sinceMs;
    }
  }
}
