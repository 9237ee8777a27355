/** What is wrong with state files, as text for an answer: bounded, because a generated file can be wrong everywhere. */
import { printPlace } from './print-place.ts';
import type { StateProblem } from './state-problem.ts';

/** More are counted. An answer has to fit a message, and nobody mends more at once. */
export const PROBLEMS_TOLD_MAX = 50;
const MESSAGE_CHARS_MAX = 2_000;

export function printProblems(problems: readonly StateProblem[]): string {
  const told = problems.slice(0, PROBLEMS_TOLD_MAX).map(printProblem);
  const left = problems.length - told.length;
  return [...told, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

/** Place and message, then how the file came into the run, then what to do. */
export function printProblem({ at, message, chain, hint }: StateProblem): string {
  const text = message.length > MESSAGE_CHARS_MAX ? `${message.slice(0, MESSAGE_CHARS_MAX)}…` : message;
  return [
    `${printPlace(at)}: ${text}`,
    ...chain.map((from) => `  included from ${printPlace(from)}`),
    ...(hint === undefined ? [] : [`  next: ${hint}`]),
  ].join('\n');
}
