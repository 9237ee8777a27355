/**
 * This is the shape of one state function, such as `file.managed`: what a peel can hold true. One declaration gives its
 * parameters, what is missing on the machine, and its documentation.
 *
 * A state function only looks. `plan` compares the machine with what was declared and answers with the steps that are
 * missing, none when everything is as declared. A dry run shows the plan; an apply makes the plan and carries it out, its
 * file steps written into the undo journal first; a revert undoes what the journal says. So a dry run and an apply
 * cannot disagree about the same machine, and no module has a revert of its own.
 *
 * In a dry run `files` shows the machine as it would be after the states before this one (system/planned-files.ts).
 *
 * Errors: `plan` throws a ZesterError where the declaration cannot be reached (the state fails, in a dry run too). Absent
 * is not an error; what cannot be read is.
 */
import type { DataMap, DataValue } from '../core/data/data-value.ts';
import type { Params, ValuesOf } from '../core/params/params.ts';
import type { PassesOn } from '../core/states/state-schema.ts';
import type { StateTree } from '../core/states/state-tree.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Accounts } from '../system/accounts.ts';
import type { FileStep } from '../system/file-steps.ts';
import type { ReadFiles } from '../system/files.ts';
import type { System } from '../system/system.ts';
import type { WireMap } from '../wire/msgpack/wire-value.ts';
import type { FunctionOutcome, ReadFacts } from './contract.ts';

export interface PlanContext {
  readonly files: ReadFiles;
  readonly accounts: Accounts;
  /** The state files: what `zester://` and `salt://` mean. */
  readonly tree: StateTree;
  readonly peelId: string;
  readonly facts: ReadFacts;
  readonly settings: DataMap;
  /** Renders a template with everything that a state file sees, and `variables` besides. */
  readonly render: (
    template: TemplateText,
    variables: Readonly<Record<string, DataValue>>,
  ) => Promise<string>;
  /** The id of the state and the file it stands in. */
  readonly id: string;
  readonly sls: string;
  /** The arguments as they were written; only a module that is `open` needs them. */
  readonly args: WireMap;
  /** A state that this one watches has changed something: act even where nothing is missing, if acting means anything. */
  readonly forced: boolean;
  /** How an execution function would answer, for `module.run`. */
  readonly previewFunction: (name: string, args: WireMap) => Promise<FunctionOutcome>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface TemplateText {
  readonly text: string;
  /** For messages: the path of the template. */
  readonly name: string;
}

export interface ActContext {
  /** The job that runs it. */
  readonly jid: string;
  readonly system: System;
  readonly tree: StateTree;
  readonly callFunction: (name: string, args: WireMap) => Promise<FunctionOutcome>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface Plan {
  /** None: everything is as declared. Carried out in order; the first failure ends the state. */
  readonly steps: readonly Step[];
  /** What would change: a unified diff of a text, otherwise one line for each facet. Empty without steps. */
  readonly diff: string;
  readonly details?: Readonly<Record<string, string>>;
}

export type Step = FileStep | ActStep;

/** What is not a change of files: a program that runs. It cannot be undone. */
export interface ActStep {
  readonly kind: 'act';
  /** For the journal and for messages: `runs systemctl restart nginx`. */
  readonly what: string;
  /** Whether the state will be reported as changed. `unknown`: only running it can tell. */
  readonly predicts: 'change' | 'no change' | 'unknown';
  /** It may change files, so that a dry run knows less about the states after it. */
  readonly opaque: boolean;
  run(context: ActContext): Promise<ActOutcome>;
}

export interface ActOutcome {
  readonly changed: boolean;
  readonly details?: Readonly<Record<string, string>>;
  /** Those of the details that are more than text, as they are. */
  readonly data?: WireMap;
  /** Why it failed; details are kept. Not there: it went well. */
  readonly error?: string;
}

/** What a guard needs besides its command. What is not given: as the peel runs any program. */
export interface GuardSurroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: string;
}

// Methods, not function properties: so a module with parameters of its own is still a StateModule.
export interface StateModule<P extends Params = Params> {
  readonly kind: 'state';
  /** `family.function`. */
  readonly name: string;
  /** One sentence, for lists. */
  readonly summary: string;
  readonly description?: string;
  readonly params: P;
  /** Takes parameters that are not declared, as `module.run` does; `plan` finds them in `context.args`. */
  readonly open?: boolean;
  readonly passesOn?: PassesOn;
  /** State files that work as they stand; the first one shows the common use. */
  readonly examples: readonly [string, ...string[]];
  /** Paths whose content the plan depends on and changes: nobody else works on them meanwhile (decision 20). */
  locks?(values: ValuesOf<P>): readonly string[];
  /** How its `onlyif` and `unless` run, as in Salt: those of a command like the command itself. */
  guardsRun?(values: ValuesOf<P>): GuardSurroundings;
  /**
   * Throws the ZesterError that `plan` would throw, where values show without a machine that they cannot be used: a pattern
   * that is none, two that exclude each other. The compiler asks, so nothing runs with them. Pure.
   */
  check?(values: ValuesOf<P>): void;
  plan(values: ValuesOf<P>, context: PlanContext): Promise<Plan>;
}

export interface StateModuleRegistry {
  /** Sorted by name. */
  readonly all: readonly StateModule[];
  has(name: string): boolean;
  /** Throws MODULE_UNKNOWN_FUNCTION, with the names that were perhaps meant. */
  get(name: string): StateModule;
}

export function stateModule<P extends Params>(declaration: Omit<StateModule<P>, 'kind'>): StateModule<P> {
  return { kind: 'state', ...declaration };
}

export const NOTHING_TO_DO: Plan = { steps: [], diff: '' };
