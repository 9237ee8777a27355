/**
 * `errorAnswer` words an error as an answer says it: the place, if it is one of a file, what is wrong, and the code to
 * look up.
 */
import type { ZesterError } from '../core/errors/zester-error.ts';
import { printPlace } from '../core/states/state-problem.ts';

export function errorAnswer({ at, message, code }: ZesterError): string {
  const [first = '', ...more] = message.split('\n');
  return [`${at === undefined ? '' : `${printPlace(at)}: `}${first} [${code}]`, ...more].join('\n');
}
