/** `badArguments` tells what is wrong with the arguments of an edit and cannot be seen in one of them alone. */
import { type ZesterError, zesterError } from '../../../core/errors/zester-error.ts';

export function badArguments(functionName: string, problems: string): ZesterError {
  return zesterError('MODULE_BAD_ARGUMENTS', { function: functionName, problems });
}

/** A text of one line; a newline at its end, as YAML's `|` leaves it, is taken away. */
export function oneLine(functionName: string, param: string, text: string): string {
  const line = text.replace(/\r?\n$/, '');
  if (!line.includes('\n')) return line;
  throw badArguments(functionName, `${param} must be one line`);
}
