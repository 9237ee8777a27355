/**
 * Makes the text in which the result of a state says why it failed. What a module throws may be anything, and of any
 * length.
 */
import { isZesterError } from '../../core/errors/zester-error.ts';

/** A result has to fit a message together with many others. */
export const ERROR_CHARS_MAX = 4_000;

export function stateErrorText(error: unknown): string {
  if (isZesterError(error)) return shortened(`${error.message} [${error.code}]`, ERROR_CHARS_MAX);
  return shortened(`a bug in Zester, please report it: ${String(error)}`, ERROR_CHARS_MAX);
}

export function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  // Half of a surrogate pair at the end could not be sent.
  const kept = text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (${text.length} characters)`;
}
