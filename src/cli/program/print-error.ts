/**
 * This file words what went wrong, for people as lines and for programs as one object: who asks for `--format json`
 * gets JSON on stderr as well. It is looked for in the bare words, because the options themselves may be what is wrong.
 */
import { explainError, isZesterError, type ZesterError } from '../../core/errors/zester-error.ts';
import { printableJson, printableText } from '../../core/printable.ts';
import { withPlace } from './place-in-hints.ts';
import { asCalled } from './program-name.ts';

const EXIT_BUG = 1;
const BUG = 'this is a bug in zester; please report it';

export interface PrintedFailure {
  /** For stderr. */
  readonly text: string;
  readonly exitCode: number;
}

export function failureOf(error: unknown, words: readonly string[], program: string): PrintedFailure {
  const isJson = asksForJson(words);
  if (!isZesterError(error)) {
    const { message, stack } = error as Error;
    const record = { code: 'BUG', message: `${BUG}: ${message}`, stack };
    return {
      text: isJson ? errorLine(record) : `zester: ${BUG}.\n${printableText(stack ?? message)}\n`,
      exitCode: EXIT_BUG,
    };
  }
  const hint = withPlace(asCalled(error.hint, program), program, words);
  const text = isJson
    ? errorLine(errorRecord(error, program, hint))
    : `zester: ${asCalled(explainError(error, hint), program)}\n`;
  return { text, exitCode: error.exitCode };
}

function errorRecord(error: ZesterError, program: string, hint: string) {
  const { code, message, at, cause, reasonCode } = error;
  const because = cause instanceof Error ? cause.message : cause;
  return {
    code,
    message: asCalled(message, program),
    ...(reasonCode === undefined ? {} : { reason_code: reasonCode }),
    ...(at === undefined ? {} : { where: at }),
    ...(because === undefined || because === null ? {} : { because: String(because) }),
    next: hint,
  };
}

function errorLine(error: object): string {
  return `${printableJson({ error })}\n`;
}

function asksForJson(words: readonly string[]): boolean {
  const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  return options.some(
    (word, index) => word === '--format=json' || (word === '--format' && options[index + 1] === 'json'),
  );
}
