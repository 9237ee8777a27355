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
  TEMPLATE_CONTEXT: {
    exit: 1,
    http: 422,
    text: 'the variables in {path} cannot be used: {problem}',
    meaning: 'A file with variables is no JSON or YAML, or is not a mapping of names to values.',
    hint: 'write a mapping such as `name: value`; a file that ends in .json is read as JSON, any other as YAML',
  },
} as const satisfies Record<string, ErrorSpec>;
