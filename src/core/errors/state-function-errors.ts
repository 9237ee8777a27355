/** Errors of states that edit files, run functions or only pretend: what keeps one from being reached. Nothing was changed. */
import type { ErrorSpec } from './error-spec.ts';

export const STATE_FUNCTION_ERRORS = {
  FILE_NOT_TEXT: {
    exit: 1,
    http: 422,
    text: '{path} is not UTF-8 text',
    meaning:
      'A state was to edit a file that is not text, or text in another encoding, and would have spoilt it. Nothing was changed.',
    hint: 'check that the path is right; convert the file with iconv, or replace it as a whole with file.managed',
  },
  FILE_EDIT_IMPOSSIBLE: {
    exit: 1,
    http: 422,
    text: 'cannot edit {path}: {reason}',
    meaning: 'The file is not as an edit needs it, such as one marker of a block without the other.',
    hint: 'look at {path} and correct it by hand, or correct the state',
  },
  FILE_EDIT_UNSETTLED: {
    exit: 1,
    http: 422,
    text: 'the edit of {path} would change it again at every run: {reason}',
    meaning:
      'A state declares how a file is; what this one writes is changed by its own rule again, so it would never be reached. Nothing was changed.',
    hint: 'write the pattern so that it takes the whole of what the replacement leaves, such as ^Port .*$ for Port 22',
  },
  REGEX_UNUSABLE: {
    exit: 2,
    http: 400,
    text: 'cannot use the regular expression {pattern}: {problem}',
    meaning:
      'A pattern is wrong, too large, or needs what a linear-time engine (RE2) does not have, such as look-around and back-references. Nothing was changed.',
    hint: "the syntax is that of Python's re (https://docs.python.org/3/library/re.html), without look-around, back-references, conditions, possessive repeats and atomic groups",
  },
  MODULE_RUN_FAILED: {
    exit: 1,
    http: 422,
    text: '{function} would fail: {reason}',
    meaning: 'A function that `module.run` was to call says that it cannot do what it was asked.',
    hint: "try it by hand: `zester '<peel>' {function} --test`",
  },
  TEST_STATE_FAILED: {
    exit: 1,
    http: 422,
    text: '{comment}',
    meaning:
      'A state of the family test failed because it was told to, or because a setting is not as it says.',
    hint: 'such states are there to fail; take it out, or correct what it checks',
  },
} as const satisfies Record<string, ErrorSpec>;
