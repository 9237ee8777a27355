/** Errors of the commands about enrollments, join tokens and tags, as far as no master has a part in them. */
import type { ErrorSpec } from '../error-spec.ts';

export const ENROLL_COMMAND_ERRORS = {
  ENROLL_COMMAND_REFUSED: {
    exit: 2,
    http: 502,
    text: 'the masters refuse: {reason}',
    meaning:
      'A master understood what was asked about an enrollment, a join token, tags or a ban, and does not do it.',
    hint: 'the reason says what is wrong; `zester enroll list` shows how enrollments stand',
  },
  ENROLL_UNANSWERED: {
    exit: 3,
    http: 504,
    text: 'no master says what became of {what}',
    meaning:
      'No master answered in time. Whether it was done is not known; to ask for the same again does no harm.',
    hint: 'look with `zester enroll list`, then run the command again; `zester master list` shows whether a master is there',
  },
  ENROLL_WHICH: {
    exit: 1,
    http: 400,
    text: 'which enrollments? {problem}',
    meaning:
      'A decision was asked for, and not of which enrollments, or in two ways at once; nothing was done.',
    hint: 'name ids (`zester enroll list` shows them), or --peel with a name or glob, or --all-pending',
  },
  ENROLL_NO_MATCH: {
    exit: 1,
    http: 404,
    text: 'no enrollment {wanted}',
    meaning: 'No enrollment is in a state in which this can be decided and is meant by what was given.',
    hint: 'run `zester enroll list --state all` to see how they stand',
  },
  ENROLL_NOT_CONFIRMED: {
    exit: 1,
    http: 400,
    text: '{count} would be {outcome}, and nobody confirmed it',
    meaning:
      'A decision about whatever matches is confirmed at a terminal, or by --yes in a program; nothing was done.',
    hint: 'look at the list above, then run the command again and answer y, or give --yes',
  },
  ENROLL_PAIR: {
    exit: 1,
    http: 400,
    text: '{problem}',
    meaning: 'A tag or fact was not given as name=value, or cannot be stored; nothing was done.',
    hint: 'write role=web; to remove it, role-. Names are letters, digits, `_`, `.` and `-`',
  },
} as const satisfies Record<string, ErrorSpec>;
