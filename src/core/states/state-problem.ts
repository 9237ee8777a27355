/**
 * What is wrong with state files. The compiler goes on after a problem as far as it can, so that a person sees all of
 * them at once; nothing runs while there is one.
 */
import type { SourcePosition } from '../errors/zester-error.ts';

export interface StateProblem {
  /** What and why, one sentence. */
  readonly message: string;
  /** In the template as it was written, not in the rendered text. */
  readonly at: SourcePosition;
  /** How the file came into the run: who included it, the nearest first. Empty for a file that was asked for. */
  readonly chain: readonly SourcePosition[];
  /** What to do about it: the name that was perhaps meant, the form that is right. */
  readonly hint: string | undefined;
  /** A warning does not stop a run; `zester lint` shows it. */
  readonly severity: 'error' | 'warning';
}
