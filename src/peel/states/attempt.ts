/**
 * The vocabulary between the runner of states and its two strategies: an attempt at a state, the turn it is made in, and
 * what a strategy can do.
 */
import type { CompiledState } from '../../core/states/compiled-state.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';

/** What came of trying a state once, in any mode. The runner makes the result of the state from the last attempt. */
export interface Attempt {
  readonly changed: boolean;
  readonly diff: string;
  readonly details: Readonly<Record<string, string>>;
  /** Those of the details that are more than text, as they are. */
  readonly data: WireMap;
  /** Why it failed. */
  readonly error: string | undefined;
  /** The signal ended it. Before it did anything, it counts as not run; later, as failed. */
  readonly cut: 'before acting' | 'while acting' | undefined;
  /** Dry run: only an apply can tell how it ends. */
  readonly inDoubt: boolean;
  /** Dry run: a program would run that may change files, so that less is known from here on. */
  readonly opaque: boolean;
}

export const UNCHANGED: Attempt = {
  changed: false,
  diff: '',
  details: {},
  data: {},
  error: undefined,
  cut: undefined,
  inDoubt: false,
  opaque: false,
};

export const CUT_BEFORE_ACTING: Attempt = { ...UNCHANGED, cut: 'before acting' };

/** Nothing was done. */
export function failedAttempt(error: string): Attempt {
  return { ...UNCHANGED, error };
}

/** What an attempt has to know besides the state. */
export interface Turn {
  /** A state that it watches has changed something, or one of its prereq targets is going to. */
  readonly forced: boolean;
  /** Dry run: whether the state runs at all is in doubt. */
  readonly guessed: boolean;
  /** Dry run: what the levels before this one would have done. */
  readonly before: Before;
}

export interface Before {
  readonly changes: boolean;
  /** A program would have run that may change files. */
  readonly opaque: boolean;
}

/** How one mode (apply or check) deals with a state that is to run. Nothing that a module or the machine does makes these throw. */
export interface Strategy {
  /** Called once for a state; what it gives is called for each attempt. */
  readonly begin: (state: CompiledState) => (turn: Turn) => Promise<Attempt>;
  /** For the prereq gate: whether an attempt would change something. Nothing is done, and nothing taken for done. */
  readonly foresee: (state: CompiledState, turn: Turn) => Promise<Attempt>;
  /** Dry run: the state is said to be skipped, but may run after all. Takes that into account for what comes later. */
  readonly suppose: (state: CompiledState, turn: Turn) => Promise<void>;
  /** Whether `retry` is honoured. */
  readonly retries: boolean;
}

/** Of a strategy that acts: it never guesses. */
export const NEVER_IN_DOUBT: Strategy['suppose'] = async () => undefined;
