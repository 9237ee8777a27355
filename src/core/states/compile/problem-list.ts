/**
 * The problem list collects what is wrong, so that a person sees all of it at once. Bounded: a generated file can be
 * wrong everywhere.
 */
import type { SourcePosition } from '../../errors/zester-error.ts';
import type { StateProblem } from '../state-problem.ts';
import { PROBLEMS_MAX, SUGGESTIONS_MAX } from './compile-limits.ts';

/** Where something is written, and how its file came into the run. */
export interface SourcePlace {
  readonly at: SourcePosition;
  readonly chain: readonly SourcePosition[];
}

/** A hint that has to be looked for is a function: it is only asked while suggestions are affordable. */
export type Hint = string | undefined | (() => string | undefined);

export class ProblemList {
  private readonly foundErrors: StateProblem[] = [];
  private readonly foundWarnings: StateProblem[] = [];
  private errorsLeftOff = 0;

  error(place: SourcePlace, message: string, hint?: Hint): void {
    if (this.foundErrors.length < PROBLEMS_MAX)
      this.foundErrors.push(problemAt(place, 'error', message, this.hintText(hint)));
    else this.errorsLeftOff++;
  }

  warn(place: SourcePlace, message: string, hint?: Hint): void {
    if (this.foundWarnings.length < PROBLEMS_MAX)
      this.foundWarnings.push(problemAt(place, 'warning', message, this.hintText(hint)));
  }

  get errorCount(): number {
    return this.foundErrors.length + this.errorsLeftOff;
  }

  /** File by file, from top to bottom; the files in the order in which something was found in them. */
  get errors(): readonly StateProblem[] {
    const shown = inFileOrder(this.foundErrors);
    const last = shown.at(-1);
    if (last === undefined || this.errorsLeftOff === 0) return shown;
    const message = `${this.errorsLeftOff} more problems are not shown`;
    return [...shown, { ...last, message, hint: 'mend the ones before; often they have one cause' }];
  }

  get warnings(): readonly StateProblem[] {
    return inFileOrder(this.foundWarnings);
  }

  private hintText(hint: Hint): string | undefined {
    if (typeof hint !== 'function') return hint;
    return this.foundErrors.length + this.foundWarnings.length < SUGGESTIONS_MAX ? hint() : undefined;
  }
}

function inFileOrder(problems: readonly StateProblem[]): readonly StateProblem[] {
  const files = [...new Set(problems.map(({ at }) => at.file))];
  const rank = new Map(files.map((file, index) => [file, index]));
  return [...problems].sort(
    ({ at: a }, { at: b }) =>
      (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

function problemAt(
  { at, chain }: SourcePlace,
  severity: StateProblem['severity'],
  message: string,
  hint: string | undefined,
): StateProblem {
  return { message, at, chain, hint, severity };
}
