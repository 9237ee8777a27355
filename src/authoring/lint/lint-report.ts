/**
 * The lint report collects what lint found, each thing once: a file is compiled many times, alone and as a part of
 * others, for each set of facts. Sorted by place, so that the same tree always gives the same report.
 */
import type { StateProblem } from '../../core/states/state-problem.ts';

/** Which of the directories a file is in. */
export type LintTree = 'states' | 'settings';

export interface LintProblem extends StateProblem {
  readonly tree: LintTree;
  /** The sets of facts with which it shows; empty: it does not depend on facts. */
  readonly facts: readonly string[];
}

export interface LintReport {
  /** State files that were looked at. */
  readonly files: number;
  /** Files of a settings tree that were looked at; plain ones are only read. */
  readonly settingsFiles: number;
  /** Names of the sets of facts. */
  readonly facts: readonly string[];
  /** Nobody gave facts: they are made up. */
  readonly isSample: boolean;
  readonly problems: readonly LintProblem[];
}

export class ProblemCollector {
  private readonly found = new Map<string, LintProblem>();
  private readonly tree: LintTree;

  constructor(tree: LintTree) {
    this.tree = tree;
  }

  /** `facts`: of what set; undefined where facts play no part. */
  add(problem: StateProblem, facts?: string): void {
    const { at, severity, message } = problem;
    const key = JSON.stringify([at.file, at.line, at.column, severity, message]);
    const known = this.found.get(key) ?? { ...problem, tree: this.tree, facts: [] };
    // Of several chains of includes the shortest explains most.
    const { chain } = known.chain.length <= problem.chain.length ? known : problem;
    const all = facts === undefined || known.facts.includes(facts) ? known.facts : [...known.facts, facts];
    this.found.set(key, { ...known, chain, facts: all });
  }

  /** For what shows in the text as well as in a render: where the render has failed, the error says it. */
  addUnlessFailed(problem: StateProblem): void {
    const { file, line, column } = problem.at;
    const isFailed = [...this.found.values()].some(
      ({ at, severity }) =>
        severity === 'error' && at.file === file && at.line === line && at.column === column,
    );
    if (!isFailed) this.add(problem);
  }

  sorted(): readonly LintProblem[] {
    return [...this.found.values()].sort(byPlace);
  }
}

function byPlace(a: LintProblem, b: LintProblem): number {
  if (a.at.file !== b.at.file) return a.at.file < b.at.file ? -1 : 1;
  return (
    (a.at.line ?? 0) - (b.at.line ?? 0) ||
    (a.at.column ?? 0) - (b.at.column ?? 0) ||
    (a.message < b.message ? -1 : 1)
  );
}
