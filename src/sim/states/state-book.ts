/**
 * A state book is the simulator's own record of the states of one machine: what may be on its disk, and what a revert
 * has to bring back. It looks at the disk itself when a run begins and ends, when the peel dies and at the end, and
 * says at once when something is there that no run can have left.
 *
 * Runs of states come one after another, except that one which did not stop in time is left behind and goes on beside the
 * next (execution.ts): of those that overlap less is expected.
 */
import { TEMPORARY_NAME } from '../../system/files.ts';
import type { Looked } from '../../system/memory/memory-machine.ts';
import { ImageSets } from './image-sets.ts';
import { judgeApply, type Ledger, outcomes, pathsOf, type RunEnd, type RunToJudge } from './judge-apply.ts';
import { judgeRevert } from './judge-revert.ts';
import { ALL_DECLARED } from './sim-states.ts';
import { type SiteTree, siteTree, UNFINISHED } from './site-tree.ts';
import { UndoRuns } from './undo-runs.ts';

export interface RunBegin extends RunToJudge {
  readonly jid: string;
  readonly kind: 'apply' | 'revert';
  /** Of a revert: the job that it is to undo; undefined: the last one. */
  readonly undoes?: string | undefined;
}

export interface SeenRun extends RunBegin {
  readonly before: Glance;
  readonly possibleBefore: ImageSets;
  /** Counts up. */
  readonly number: number;
  isAlone: boolean;
}

interface Glance {
  readonly tree: SiteTree;
  /** What a write had begun and not ended. */
  readonly leftovers: readonly string[];
}

export interface BookParts {
  readonly look: () => readonly Looked[];
  readonly broke: (rule: string, text: string) => void;
}

export class StateBook {
  readonly counts = { runs: 0, restored: 0, died: 0 };
  private readonly parts: BookParts;
  private readonly running = new Set<SeenRun>();
  private readonly undo = new UndoRuns();
  /** Files of states that were asked for by their own names, and were taken back. */
  private readonly takenBack = new Set<string>();
  private readonly ever: ImageSets;
  private possible: ImageSets;

  constructor(parts: BookParts) {
    this.parts = parts;
    const { tree } = this.glance();
    this.possible = ImageSets.of(tree);
    this.ever = ImageSets.of(tree);
  }

  /** A run is under way that changes the machine. */
  get isActing(): boolean {
    return [...this.running].some(({ isDry }) => !isDry);
  }

  begin(begin: RunBegin): SeenRun {
    this.check(`before ${begin.jid}`);
    this.counts.runs += 1;
    const possibleBefore = this.possible;
    const number = this.counts.runs;
    const run = { ...begin, before: this.glance(), possibleBefore, number, isAlone: this.running.size === 0 };
    for (const other of this.running) other.isAlone = false;
    this.running.add(run);
    if (run.kind === 'apply' && !run.isDry) this.undo.begin(number, run.jid);
    this.possible = this.possible.copy();
    if (!run.isDry) this.widen(run);
    return run;
  }

  end(run: SeenRun, end: RunEnd): void {
    if (!this.running.delete(run)) return;
    this.checkRows(run, end);
    if (run.kind === 'revert' && !run.isDry)
      for (const { name, changed } of end.results) if (changed) this.takenBack.add(name);
    if (run.isAlone) this.settle(run, end);
    else if (!run.isDry) this.doubt(run);
    this.check(`after ${run.jid}`);
  }

  /** A state that works outside of the site has begun: a run of which nothing more is known. */
  beginUnwatched(jid: string, state: string): void {
    this.counts.runs += 1;
    this.undo.begin(this.counts.runs, jid);
    this.undo.note(state, this.counts.runs, 'unknown');
  }

  wasTakenBack(state: string): boolean {
    return this.takenBack.has(state);
  }

  /** The process, or the whole machine: what it was at may be done or not. */
  died(): void {
    for (const run of this.running) {
      if (run.isDry) continue;
      this.counts.died += 1;
      this.doubt(run);
    }
    this.running.clear();
    this.check('after a death');
  }

  check(when: string): void {
    const misfit = this.possible.misfit(this.glance().tree);
    if (misfit !== undefined)
      this.parts.broke('a managed file is old or new, never torn', `${when}: ${misfit}`);
  }

  /** All that the run may leave, however it ends. */
  private widen({ kind, states, given }: SeenRun): void {
    const { possible, ever } = this;
    if (kind === 'revert')
      for (const path of ALL_DECLARED.flatMap((state) => pathsOf(state, ever)))
        possible.add(path, [...ever.at(path), ...unfinished(ever, path)]);
    for (const state of states) {
      if (state.fails || state.isBlocked) continue;
      for (const path of pathsOf(state, possible)) {
        possible.add(path, outcomes(state, given, possible, path));
        ever.add(path, possible.at(path));
      }
    }
  }

  private checkRows({ kind, jid, states }: SeenRun, { results, error, isCut, mayNotCompile }: RunEnd): void {
    const { broke } = this.parts;
    if (kind === 'revert') return;
    const names = states.map(({ name }) => name);
    const rows = results.map(({ name }) => name);
    if (rows.length === 0 && !isCut && !mayNotCompile)
      broke('state files that are right compile', `${jid}: ${error}`);
    if (rows.length > 0 && rows.join() !== names.join())
      broke('one row for each state, in the order they ran', `${jid}: ${rows.join()}`);
  }

  private settle(run: SeenRun, end: RunEnd): void {
    const { broke } = this.parts;
    const { jid, isDry, kind, before, possibleBefore } = run;
    const { tree, leftovers } = this.glance();
    const ledger: Ledger = {
      run: run.number,
      expected: ImageSets.of(before.tree),
      possible: isDry ? possibleBefore : possibleBefore.copy(),
      undo: this.undo,
    };
    if (kind === 'apply')
      for (const text of judgeApply(run, end, ledger)) broke('a result says what is true', `${jid}: ${text}`);
    else if (!isDry) {
      const { problems, restored } = judgeRevert(run.undoes, end, { ...ledger, ever: this.ever });
      this.counts.restored += restored;
      for (const text of problems) broke('a revert restores or says why not', `${jid}: ${text}`);
    }
    const misfit = (isDry ? ImageSets.of(before.tree) : ledger.expected).misfit(tree);
    const rule = isDry ? 'a dry run changes nothing' : 'a run leaves what its results say';
    if (misfit !== undefined) broke(rule, `${jid}: ${misfit}`);
    const isTidy = leftovers.every((path) => before.leftovers.includes(path));
    if (kind === 'apply' && !isTidy) broke('a run that ends tidies up', `${jid}: ${leftovers.join()}`);
    this.possible = ledger.possible;
  }

  private doubt({ kind, states, number }: SeenRun): void {
    // Nobody knows which run it undid, or how much of it.
    if (kind === 'revert') this.undo.doubtAll();
    for (const { name, path } of states) if (path !== undefined) this.undo.note(name, number, 'unknown');
  }

  private glance(): Glance {
    const looked = this.parts.look();
    const isLeft = ({ path }: Looked) => TEMPORARY_NAME.test(path.slice(path.lastIndexOf('/') + 1));
    return {
      tree: siteTree(looked.filter((each) => !isLeft(each))),
      leftovers: looked.filter(isLeft).map(({ path }) => path),
    };
  }
}

function unfinished(ever: ImageSets, path: string): string[] {
  return [...ever.at(path)].some((image) => image.startsWith('directory')) ? [UNFINISHED] : [];
}
