/**
 * A problem is what is wrong with a state file, and this is how one is printed. The compiler goes on after a problem as
 * far as it can, so that a person sees all of them at once; nothing runs while there is one.
 *
 * The text is bounded, because a generated file can be wrong everywhere: more problems than `PROBLEMS_TOLD_MAX` are counted.
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

/** An answer has to fit a message, and nobody mends more at once. */
const PROBLEMS_TOLD_MAX = 50;
const MESSAGE_CHARS_MAX = 2_000;

export function printProblems(problems: readonly StateProblem[]): string {
  const told = problems.slice(0, PROBLEMS_TOLD_MAX).map(printProblem);
  const left = problems.length - told.length;
  return [...told, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

/** Place and message, then how the file came into the run, then what to do. */
function printProblem({ at, message, chain, hint }: StateProblem): string {
  const text = message.length > MESSAGE_CHARS_MAX ? `${message.slice(0, MESSAGE_CHARS_MAX)}…` : message;
  return [
    `${printPlace(at)}: ${text}`,
    ...chain.map((from) => `  included from ${printPlace(from)}`),
    ...(hint === undefined ? [] : [`  next: ${hint}`]),
  ].join('\n');
}

/** `web/init.zy:3:5`: where something was written, as editors take it. */
export function printPlace({ file, line, column }: SourcePosition): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}
