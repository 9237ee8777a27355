/**
 * The runner of one run: keeps how the states so far ended, and gives each state after them its turn. Levels come one after another;
 * what a level brought is looked at when it is over, so that its states cannot disturb each other's verdict.
 */
import { assert } from '../../core/assert.ts';
import type { CompiledState, StateName } from '../../core/states/compiled-state.ts';
import type { Level } from '../../core/states/graph/graph-levels.ts';
import {
  brokenRequisites,
  failed,
  hangsOnDoubt,
  judge,
  type SkipReason,
} from '../../core/states/run-rules.ts';
import { sleep } from '../../runtime/clock.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { StateOrigin, StateResult } from '../../wire/records/exec.ts';
import type { Attempt, Before, Strategy, Turn } from './attempt.ts';
import { askPrereqs } from './prereq-gate.ts';
import type { StateRunContext } from './run-states.ts';

/** The diff of a state whose last attempt found everything done. */
export const CHANGED_EARLIER = 'changed by an attempt that failed';
/** States of one level that are at work together. */
export const STATES_AT_ONCE_MAX = 256;
/** Names of failed states in the result of one that was skipped for them. */
const BLAMED_MAX = 5;

/** Whether a state runs, and what its result will say of that. */
type Decision = {
  readonly state: CompiledState;
  /** Dry run: the decision hangs on what is not known. */
  readonly guessed: boolean;
  readonly details: StateResult['details'];
} & ({ readonly forced: boolean } | { readonly skip: SkipReason });

/** How the turn of a state ended. */
interface Ended {
  readonly result: StateResult;
  /** The signal cut it off. */
  readonly cut: boolean;
  readonly inDoubt: boolean;
  /** Less is known of the machine after it. */
  readonly opaque: boolean;
}

type RunnerContext = Pick<StateRunContext, 'clock' | 'random' | 'signal' | 'onResult'>;

export class StateRunner {
  private readonly context: RunnerContext;
  private readonly strategy: Strategy;
  private readonly byName: ReadonlyMap<StateName, CompiledState>;
  /** In execution order. */
  private readonly finished = new Map<StateName, StateResult>();
  private readonly doubts = new Set<StateName>();
  private before: Before = { changes: false, opaque: false };
  /** A state with `failhard` failed. */
  private aborted = false;
  /** Dry run: perhaps it does not, or another one does. */
  private abortInDoubt = false;
  private cut = false;

  /** `states`: as the rules are to see them. */
  constructor(context: RunnerContext, states: readonly CompiledState[], strategy: Strategy) {
    this.context = context;
    this.strategy = strategy;
    this.byName = new Map(states.map((state) => [state.name, state]));
  }

  get results(): readonly StateResult[] {
    return [...this.finished.values()];
  }

  get canceled(): boolean {
    return this.cut;
  }

  async level(level: Level): Promise<void> {
    const states = level.map(({ name }) => this.stateOf(name));
    // All are decided before one begins: a prereq gate looks at the machine, and level-mates change it.
    const decided = await concurrentMap(states, STATES_AT_ONCE_MAX, (state) => this.decide(state));
    const ends = await concurrentMap(decided, STATES_AT_ONCE_MAX, async (decision) => {
      const ended = await this.carryOut(decision);
      this.context.onResult?.(ended.result);
      return ended;
    });
    for (const { result, inDoubt, opaque } of ends) {
      this.finished.set(result.name, result);
      // A program may fail, and may change what the states that hang on it look at.
      if (opaque || inDoubt) this.doubts.add(result.name);
    }
    this.cut ||= ends.some(({ cut }) => cut);
    const hard = ends.filter(({ result }) => this.stateOf(result.name).attributes.failhard);
    this.aborted ||= hard.some(({ result }) => failed(result));
    const certain = hard.some(({ result, inDoubt }) => failed(result) && !inDoubt);
    this.abortInDoubt ||= !certain && hard.some(({ inDoubt }) => inDoubt);
    this.before = {
      changes: this.before.changes || ends.some(({ result }) => result.changed),
      opaque: this.before.opaque || ends.some(({ opaque }) => opaque),
    };
  }

  private async decide(state: CompiledState): Promise<Decision> {
    if (this.aborted) return { state, skip: 'failhard_abort', guessed: this.abortInDoubt, details: {} };
    const verdict = judge(state, this.finished);
    const guessed = this.abortInDoubt || hangsOnDoubt(state, this.finished, this.doubts);
    if (verdict.do === 'skip')
      return { state, skip: verdict.reason, guessed, details: this.blame(state, verdict.reason) };
    if (!verdict.askPrereq) return { state, forced: verdict.forced, guessed, details: {} };
    const targets = state.requisites.prereq.map((name) => this.stateOf(name));
    const gate = await askPrereqs(targets, this.before, this.strategy);
    const answer = {
      state,
      guessed: guessed || gate.guessed,
      details: gate.note === undefined ? {} : { prereq: gate.note },
    };
    return gate.open ? { ...answer, forced: true } : { ...answer, skip: 'prereq_not_met' };
  }

  private blame(state: CompiledState, reason: SkipReason): StateResult['details'] {
    if (reason !== 'require_failed') return {};
    const names = brokenRequisites(state, this.finished);
    const more = names.length > BLAMED_MAX ? ` and ${names.length - BLAMED_MAX} more` : '';
    return { because: `${names.slice(0, BLAMED_MAX).join(', ')}${more}` };
  }

  private async carryOut(decision: Decision): Promise<Ended> {
    const { clock, signal } = this.context;
    const { state } = decision;
    if (signal.aborted) return { result: notRun(state), cut: true, inDoubt: false, opaque: false };
    const { guessed } = decision;
    if ('skip' in decision) {
      if (guessed) await this.strategy.suppose(state, { forced: false, guessed, before: this.before });
      return skipped(decision, decision.skip);
    }
    const startedMs = clock.monotonicMs();
    const tried = await this.attempts(state, { forced: decision.forced, guessed, before: this.before });
    return ended(decision, tried, clock.monotonicMs() - startedMs);
  }

  /** The last attempt counts; that an earlier one changed something stays true. */
  private async attempts(state: CompiledState, turn: Turn): Promise<Tried> {
    const { strategy } = this;
    const { clock, random, signal } = this.context;
    const retry = strategy.retries ? state.attributes.retry : undefined;
    const { attempts = 0, intervalMs = 0, splayMs = 0 } = retry ?? {};
    const attempt = strategy.begin(state);
    let last = await attempt(turn);
    let changed = last.changed;
    let count = 1;
    while (last.error !== undefined && last.cut === undefined && count <= attempts) {
      const waitMs = intervalMs + Math.floor(random.fraction() * splayMs);
      const waited = await sleep(clock, waitMs, signal).then(
        () => true,
        () => false,
      );
      const next = waited ? await attempt(turn) : undefined;
      // Cut off before it could try again: it is the failure that is known.
      if (next === undefined || next.cut === 'before acting')
        return { last: { ...last, changed }, count, cut: true };
      last = next;
      changed ||= next.changed;
      count++;
    }
    const diff = changed && !last.changed && last.error === undefined ? CHANGED_EARLIER : last.diff;
    return { last: { ...last, changed, diff }, count, cut: last.cut !== undefined };
  }

  private stateOf(name: StateName): CompiledState {
    const state = this.byName.get(name);
    assert(state !== undefined, `${name} is a state of this run`);
    return state;
  }
}

interface Tried {
  readonly last: Attempt;
  readonly count: number;
  readonly cut: boolean;
}

function ended({ state, guessed, details }: Decision, { last, count, cut }: Tried, ms: number): Ended {
  const inDoubt = guessed || last.inDoubt;
  const result: StateResult = {
    name: state.name,
    changed: last.changed,
    diff: last.diff,
    duration: nanosFromMs(ms),
    details: {
      ...last.details,
      ...details,
      ...(count === 1 ? {} : { attempts: String(count) }),
      ...predicted(inDoubt),
    },
    error: last.error ?? '',
    skipped: last.cut === 'before acting',
    skipReason: '',
    data: { ...last.data, ...(count === 1 ? {} : { attempts: count }) },
    state: originOf(state),
  };
  return { result, cut, inDoubt, opaque: last.opaque || inDoubt };
}

function skipped({ state, guessed, details }: Decision, reason: SkipReason): Ended {
  const result = {
    ...notRun(state),
    skipReason: reason,
    details: { ...details, ...predicted(guessed) },
  };
  return { result, cut: false, inDoubt: guessed, opaque: guessed };
}

function notRun(state: CompiledState): StateResult {
  return {
    name: state.name,
    changed: false,
    diff: '',
    duration: 0n,
    details: {},
    error: '',
    skipped: true,
    skipReason: '',
    data: {},
    state: originOf(state),
  };
}

/** A state that no file declares has its function for a place; that says nothing to a program. */
function originOf({ id, sls, at }: CompiledState): StateOrigin {
  return sls === '' ? { id, sls, file: '', line: 0 } : { id, sls, file: at.file, line: at.line ?? 0 };
}

/** What people and tests read: of this state nothing was promised. */
function predicted(inDoubt: boolean): StateResult['details'] {
  return inDoubt ? { prediction: 'unknown' } : {};
}
