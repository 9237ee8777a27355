/** Errors of `zester lint`: what keeps it from looking. What it finds is no error of its own. */
import type { ErrorSpec } from './error-spec.ts';

export const LINT_ERRORS = {
  LINT_NOTHING: {
    exit: 1,
    http: 404,
    text: 'there are no state files or settings in {dir}',
    meaning:
      'The directory that was to be checked is not there, or holds no file that ends in .zy or .sls; one of settings needs a top.zy.',
    hint: 'name the directory that holds top.zy and the folders of states; settings are given with --settings',
  },
  LINT_FACTS: {
    exit: 1,
    http: 422,
    text: 'the facts in {path} cannot be used: {problem}',
    meaning:
      'The facts that state files were to be checked with could not be read as a mapping of names to values.',
    hint: 'give a YAML or JSON file such as `os: {family: debian}`, or leave --facts out to use the samples',
  },
} as const satisfies Record<string, ErrorSpec>;
