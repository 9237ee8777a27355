/**
 * This file knows the grammar of NATS subjects: tokens joined by dots, `*` for one token, `>` at the end for one or
 * more.
 */
import { zesterError } from '../core/errors/zester-error.ts';

const SUBJECT_CHARS_MAX = 1_024;
const BLANK = /[\s\u0000-\u001f\u007f]/;

/** A subject that one message can have. */
export function isLiteralSubject(subject: string): boolean {
  return isSubjectFilter(subject) && !subject.split('.').some((token) => token === '*' || token === '>');
}

/** A subject that a subscription can have. */
export function isSubjectFilter(subject: string): boolean {
  if (subject.length === 0 || subject.length > SUBJECT_CHARS_MAX || BLANK.test(subject)) return false;
  const tokens = subject.split('.');
  return tokens.every((token, index) => token !== '' && (token !== '>' || index === tokens.length - 1));
}

export function checkLiteral(subject: string): void {
  if (!isLiteralSubject(subject)) throw zesterError('BUS_BAD_SUBJECT', { subject: JSON.stringify(subject) });
}

export function checkFilter(subject: string): void {
  if (!isSubjectFilter(subject)) throw zesterError('BUS_BAD_SUBJECT', { subject: JSON.stringify(subject) });
}

/** Whether every subject that `inner` matches is matched by `outer` too: how a server checks a subscription's grant. */
export function filterCovers(outer: string, inner: string): boolean {
  const want = outer.split('.');
  const have = inner.split('.');
  for (let i = 0; i < want.length; i++) {
    if (want[i] === '>') return have.length > i;
    const token = have[i];
    if (token === undefined || token === '>') return false;
    if (want[i] !== '*' && want[i] !== token) return false;
  }
  return want.length === have.length;
}
