/**
 * A lint machine stands for the machines that state files are compiled for when there is none: facts, and nobody to
 * ask.
 */
import type { StateProblem } from '../../core/states/state-problem.ts';
import type { TemplateMachine } from '../../core/states/template/template-context.ts';
import type { OperatorWords } from '../../core/target/operator-words.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';

export interface LintMachine {
  /** For reports: `debian`, or the file that the facts are from. */
  readonly name: string;
  readonly peelId: PeelId;
  readonly facts: WireMap;
  readonly words: OperatorWords;
  /** Whether it is a real one: then the patterns of a top file are asked, else each of them is taken as meant. */
  readonly isReal: boolean;
}

/** Answers nothing, and counts how often it was asked. */
export class DeafMachine implements TemplateMachine {
  readonly functionNames: readonly string[];
  asked = 0;

  constructor(functionNames: readonly string[]) {
    this.functionNames = functionNames;
  }

  async callFunction(): Promise<string> {
    this.asked++;
    return '';
  }

  async hasProgram(): Promise<boolean> {
    this.asked++;
    return false;
  }

  async userInfo(): Promise<WireMap> {
    this.asked++;
    return {};
  }
}

/** For a file that asked the machine before it failed: with an answer it might not have. */
export function asUnsure(problem: StateProblem): StateProblem {
  if (problem.severity === 'warning') return problem;
  return {
    ...problem,
    severity: 'warning',
    message: `${problem.message} (perhaps only here: the file asks the machine, and lint has none)`,
    hint: problem.hint ?? 'look at it on a peel: state.show_sls',
  };
}
