/**
 * The simulator's own books on the states of one machine: what may be on its disk, and what a revert has to bring back.
 * It looks at the disk itself when a run begins and ends, when the peel dies and at the end, and says at once when
 * something is there that no run can have left.
 *
 * Runs of states come one after another, except that one which did not stop in time is left behind and goes on beside the
 * next (execution.ts): of those that overlap less is expected.
 */
import { TEMPORARY_NAME } from '../system/files.ts';
import type { Looked } from '../system/memory/memory-machine.ts';
import { ImageSets } from './image-sets.ts';
import { judgeApply, type Ledger, outcomes, pathsOf, type RunEnd, type RunToJudge } from './judge-apply.ts';
import { judgeRevert } from './judge-revert.ts';
import { type SiteTree, siteTree, UNFINISHED } from './site-tree.ts';
import { UndoStacks } from './undo-stacks.ts';

export interface RunBegin extends RunToJudge {
  readonly jid: string;
  readonly kind: 'apply' | 'revert';
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
  private readonly undo = new UndoStacks();
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
    this.possible = this.possible.copy();
    if (!run.isDry) this.widen(run);
    return run;
  }

  end(run: SeenRun, end: RunEnd): void {
    if (!this.running.delete(run)) return;
    this.checkRows(run, end);
    if (run.isAlone) this.settle(run, end);
    else if (!run.isDry) this.doubt(run);
    this.check(`after ${run.jid}`);
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
    for (const state of states) {
      if (kind === 'revert') {
        for (const path of pathsOf(state, ever))
          possible.add(path, [...ever.at(path), ...unfinished(ever, path)]);
        continue;
      }
      if (state.fails || state.isBlocked) continue;
      for (const path of pathsOf(state, possible)) {
        possible.add(path, outcomes(state, given, possible, path));
        ever.add(path, possible.at(path));
      }
    }
  }

  private checkRows({ kind, jid, states }: SeenRun, { results, error, isCut }: RunEnd): void {
    const { broke } = this.parts;
    const names = states.map(({ name }) => name);
    if (kind === 'revert') names.reverse();
    const rows = results.map(({ name }) => name);
    if (rows.length === 0 && !isCut) broke('state files that are right compile', `${jid}: ${error}`);
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
      const { problems, restored } = judgeRevert(run, end, { ...ledger, ever: this.ever });
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
    for (const { name, path } of states) {
      if (path === undefined) continue;
      if (kind === 'apply') this.undo.doubt(name, number);
      // Nobody knows which run it undid.
      else this.undo.doubtAll(name, number);
    }
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
