/** Errors of YAML files. */
import type { ErrorSpec } from './error-spec.ts';

export const YAML_ERRORS = {
  YAML_INVALID: {
    exit: 1,
    http: 422,
    text: '{problem}',
    meaning:
      'A YAML text breaks the grammar, has a key twice, names an anchor that is not there, or uses what Zester does not read. Nothing of it was used.',
    hint: 'look at the line and column given; quote text that YAML would read as something else',
  },
} as const satisfies Record<string, ErrorSpec>;
