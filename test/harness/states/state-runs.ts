/**
 * `runsInMemory` runs states on a machine in memory, with a module that does what its arguments say, so that a test says in
 * one place what each state will do.
 */

import { zesterError } from '../../../src/core/errors/zester-error.ts';
import type { CompiledState } from '../../../src/core/states/compiled-state.ts';
import type { RunOutcome } from '../../../src/core/states/run-summary.ts';
import { NO_WORDS } from '../../../src/core/target/operator-words.ts';
import type { Plan, PlanContext, StateModule, Step } from '../../../src/modules/state-contract.ts';
import { type RunMode, runStates, type StateRunContext } from '../../../src/peel/states/run-states.ts';
import type { UndoJournal } from '../../../src/peel/undo/undo-journal.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import type { FaultHook } from '../../../src/system/memory/memory-gate.ts';
import { type MemoryMachine, memoryMachine } from '../../../src/system/memory/memory-machine.ts';
import type { ProgramTable } from '../../../src/system/memory/memory-process-calls.ts';
import { memoryTree } from './memory-tree.ts';
import { type Sketch, sketchState } from './random-states.ts';

/** What a state of the module `toy` does. Everything that is not said does not happen. */
export interface Toy {
  /** Files that are to hold the text `made`. */
  readonly makes?: readonly string[];
  /** The plan fails where this file is missing. */
  readonly needs?: readonly string[];
  /** The plan fails; or throws what no module should. */
  readonly plan?: 'fails' | 'throws';
  /** The last file step fails: its directory is missing. */
  readonly breaks?: boolean;
  /** A program, after the files. */
  readonly act?: ToyAct;
  /** A program that changes something, only where the state is forced. */
  readonly reacts?: boolean;
  /** How long the plan takes. */
  readonly takesMs?: number;
}

export interface ToyAct {
  readonly predicts: 'change' | 'no change' | 'unknown';
  readonly opaque?: boolean;
  readonly changed: boolean;
  readonly makes?: string;
  readonly takesMs?: number;
  /** How many times it fails before it goes well. */
  readonly failures?: number;
}

export interface Runs {
  readonly run: (states: readonly CompiledState[], mode?: RunMode) => Promise<RunOutcome>;
  readonly cancel: () => void;
  /** kill -9: what is under way gets no answer any more. Gives the same machine, started again. */
  readonly crash: () => Runs;
  /** What happened, in order: `plan x`, `planned x`, `before x /path`, `write /path`, `act x`. */
  readonly events: readonly string[];
  readonly exists: (path: string) => Promise<boolean>;
  readonly clock: ReturnType<typeof virtualClock>;
  /** Virtual time since the beginning. */
  readonly elapsedMs: () => number;
  readonly onResult: { call: NonNullable<StateRunContext['onResult']> };
}

export interface RunsOptions {
  readonly programs?: ProgramTable;
  readonly fault?: FaultHook;
}

/** What `run` throws when nothing is going to happen any more. */
export const STUCK = 'the run is stuck: nothing to wait for and no end';

export const MADE = 'made';

export function toyState(name: string, toy: Toy, sketch: Sketch = {}): CompiledState {
  return { ...sketchState(name, { module: 'toy', ...sketch }), values: toy as Record<string, unknown> };
}

export function toyStates(toys: Readonly<Record<string, readonly [Toy, Sketch?]>>): readonly CompiledState[] {
  return Object.entries(toys).map(([name, [toy, sketch]], index) => ({
    ...toyState(name, toy, sketch),
    at: { file: 'web/init.zy', line: index + 1, column: 1 },
  }));
}

export function runsInMemory({ programs, fault }: RunsOptions = {}): Runs {
  const clock = virtualClock();
  const machine = memoryMachine({
    clock,
    random: seededRandom(1),
    ...(programs === undefined ? {} : { programs }),
    ...(fault === undefined ? {} : { fault }),
  });
  return runsOn(machine, clock);
}

function runsOn(machine: MemoryMachine, clock: Runs['clock']): Runs {
  const events: string[] = [];
  const startedMs = clock.monotonicMs();
  const booted = machine.boot();
  const writeAtomic: typeof booted.files.writeAtomic = async (path, bytes, options) => {
    events.push(`write ${path}`);
    await booted.files.writeAtomic(path, bytes, options);
  };
  const system = { ...booted, files: { ...booted.files, writeAtomic } };
  const controller = new AbortController();
  const { signal } = controller;
  const onResult: Runs['onResult'] = { call: () => undefined };
  const failures = new Map<string, number>();
  const toy = toyModule({ clock, events, failures });

  const journal: Pick<UndoJournal, 'open'> = {
    open: (state) => ({
      before: async (step) => void events.push(`before ${state} ${step.path}`),
      cannotUndo: async (what) => void events.push(`cannot undo ${what}`),
    }),
  };
  const unused = async () => {
    throw zesterError('MODULE_UNKNOWN_FUNCTION', { function: 'none', suggestion: '' });
  };

  return {
    run: (states, mode = 'apply') =>
      driven(
        clock,
        runStates(states, {
          mode,
          modules: { all: [toy], has: (name) => name === 'toy', get: () => toy },
          system,
          journal,
          planContext: (state, forced, files) => ({
            files,
            accounts: system.accounts,
            tree: memoryTree({}),
            peelId: 'web-01',
            facts: { all: () => ({}), words: () => NO_WORDS, get: () => undefined },
            settings: {},
            render: unused,
            id: state.name,
            sls: state.sls,
            args: state.args,
            forced,
            previewFunction: unused,
            clock,
            signal,
          }),
          actContext: { jid: 'job', system, tree: memoryTree({}), callFunction: unused, clock, signal },
          run: { jid: 'job', atMs: 0 },
          clock,
          random: seededRandom(1),
          signal,
          onResult: (result) => onResult.call(result),
        }),
      ),
    cancel: () => controller.abort(),
    crash: () => {
      machine.crash();
      return runsOn(machine, clock);
    },
    events,
    exists: async (path) => (await booted.files.lstat(path)) !== undefined,
    clock,
    elapsedMs: () => clock.monotonicMs() - startedMs,
    onResult,
  };
}

interface ToyParts {
  readonly clock: Runs['clock'];
  readonly events: string[];
  readonly failures: Map<string, number>;
}

function toyModule({ clock, events, failures }: ToyParts): StateModule {
  async function planToy(toy: Toy, { files, id, forced }: PlanContext): Promise<Plan> {
    if (toy.takesMs !== undefined) await sleep(clock, toy.takesMs);
    const why = (reason: string) => zesterError('FACT_NOT_SETTABLE', { fact: id, reason });
    if (toy.plan === 'fails') throw why('the plan fails');
    if (toy.plan === 'throws') throw new Error(`bug ${'x'.repeat(10_000)}`);
    for (const path of toy.needs ?? [])
      if ((await files.read(path)) === undefined) throw why(`${path} is missing`);
    const steps: Step[] = [];
    for (const path of toy.makes ?? [])
      if (Buffer.from((await files.read(path)) ?? []).toString() !== MADE) steps.push(writing(path));
    if (toy.breaks === true) steps.push(writing('/missing/file'));
    if (toy.act !== undefined) steps.push(acting(id, toy.act));
    if (toy.reacts === true && forced) steps.push(acting(id, { predicts: 'change', changed: true }));
    return { steps, diff: steps.length === 0 ? '' : `${steps.length} steps`, details: { toy: id } };
  }

  function acting(id: string, act: ToyAct): Step {
    return {
      kind: 'act',
      what: `runs ${id}`,
      predicts: act.predicts,
      opaque: act.opaque ?? false,
      run: async ({ system, signal }) => {
        events.push(`act ${id}`);
        const details = { ran: id };
        const ended = await sleep(clock, act.takesMs ?? 0, signal).then(
          () => true,
          () => false,
        );
        if (!ended) return { changed: false, details, error: 'killed' };
        const failed = failures.get(id) ?? 0;
        failures.set(id, failed + 1);
        if (failed < (act.failures ?? 0)) return { changed: false, details, error: `failure ${failed + 1}` };
        if (act.makes !== undefined) await system.files.writeAtomic(act.makes, Buffer.from(MADE));
        return { changed: act.changed, details };
      },
    };
  }

  return {
    kind: 'state',
    name: 'toy',
    summary: 'Does what its arguments say.',
    params: {},
    examples: ['toy'],
    locks: (values) => (values as Toy).makes ?? [],
    plan: async (values, context) => {
      events.push(`plan ${context.id}`);
      try {
        return await planToy(values as Toy, context);
      } finally {
        events.push(`planned ${context.id}`);
      }
    },
  };
}

function writing(path: string): Step {
  return { kind: 'write', path, bytes: Buffer.from(MADE) };
}

/** Turns of the event loop without a timer to fire, after which a run is taken for stuck. */
const IDLE_TURNS_MAX = 1_000;

/** Lets virtual time pass until the promise settles: everything that is ready runs before the next timer fires. */
async function driven<T>(clock: Runs['clock'], work: Promise<T>): Promise<T> {
  let settled = false;
  const watched = work.finally(() => {
    settled = true;
  });
  // Its failure is the caller's; here it only ends the loop.
  watched.catch(() => undefined);
  for (let idle = 0; !settled; ) {
    await new Promise((resolve) => setImmediate(resolve));
    if (settled) break;
    idle = clock.fireNext() ? 0 : idle + 1;
    if (idle > IDLE_TURNS_MAX) throw new Error(STUCK);
  }
  return watched;
}

/** The writes that were not in the journal before they happened: one record for each of them. */
export function unannounced(events: readonly string[]): readonly string[] {
  const announced = new Map<string, number>();
  return events.filter((event) => {
    const [what, ...rest] = event.split(' ');
    const path = rest.at(-1) ?? '';
    const count = announced.get(path) ?? 0;
    if (what === 'before') announced.set(path, count + 1);
    if (what !== 'write') return false;
    announced.set(path, count - 1);
    return count === 0;
  });
}
