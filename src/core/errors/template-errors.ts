/** Errors of templates and of what they are given. */
import type { ErrorSpec } from './error-spec.ts';

export const TEMPLATE_ERRORS = {
  TEMPLATE_FAILED: {
    exit: 1,
    http: 422,
    text: 'the template {name} cannot be rendered',
    meaning:
      'A template has a mistake, or uses what it was not given. The lines before show the place, the way the render came there, and names that may have been meant.',
    hint: 'mend the template at the place shown; a variable that is missing can be given with --context or --set',
  },
  TEMPLATE_UNREADABLE: {
    exit: 1,
    http: 404,
    text: 'cannot read {path}',
    meaning: 'The template, or the file with its variables, is not there or cannot be opened.',
    hint: 'check the path and the permissions',
  },
  RENDER_NOT_GIVEN: {
    exit: 1,
    http: 404,
    text: 'the top file does not give {file} to {peel}',
    meaning:
      'A file of a settings tree was to be rendered for a machine that does not get it: no line of the top file names it, and no file includes it.',
    hint: 'give --facts or --id of a machine that gets it, or look at top.zy',
  },
  TEMPLATE_CONTEXT: {
    exit: 1,
    http: 422,
    text: 'the variables in {path} cannot be used: {problem}',
    meaning: 'A file with variables is no JSON or YAML, or is not a mapping of names to values.',
    hint: 'write a mapping such as `name: value`; a file that ends in .json is read as JSON, any other as YAML',
  },
} as const satisfies Record<string, ErrorSpec>;
