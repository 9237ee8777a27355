/**
 * The last words of a daemon are what it prints when it cannot go on: an error that it explains, or a bug with its stack and
 * causes. They go without secrets. Node by itself would print an error that nobody caught as it is, with all that hangs on it.
 */
import { explainError, isZesterError } from '../core/errors/zester-error.ts';

const EXIT_BUG = 1;
/** Of an error that is the cause of itself, or nearly so. */
const CAUSES_MAX = 10;

export interface LastWords {
  /** Prints why the program ends; answers with its exit code. */
  tell(error: unknown): number;
}

/** From now on an error that nobody catches ends the program, too. */
export function lastWords(program: string, redact: (text: string) => string): LastWords {
  const print = (text: string) => void process.stderr.write(`${program}: ${redact(text)}\n`);
  const crash = (error: unknown) => {
    print(bugText(error));
    process.exit(EXIT_BUG);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  return {
    tell(error) {
      const isExplained = isZesterError(error);
      print(isExplained ? explainError(error) : bugText(error));
      return isExplained ? error.exitCode : EXIT_BUG;
    },
  };
}

export function bugText(error: unknown): string {
  return `this is a bug.\n${stackOf(error, CAUSES_MAX)}`;
}

function stackOf(error: unknown, causesMax: number): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  if (error.cause === undefined || causesMax === 0) return own;
  return `${own}\ncaused by ${stackOf(error.cause, causesMax - 1)}`;
}
