/** `templateProblem` makes a mistake in a template into a problem of the files that a run is made of. Pure. */
import { type TemplateError, UNNAMED_TEMPLATE } from '../../jinja/errors.ts';
import type { StateProblem } from '../state-problem.ts';

/** `path`: the template that was rendered; the mistake may be in one that it includes. `tree`: where they all are. */
export function templateProblem(
  error: TemplateError,
  path: string,
  tree = 'the tree of state files',
): StateProblem {
  const { name, line, column, chain } = error;
  return {
    message: messageOf(error, tree),
    at: { file: name === UNNAMED_TEMPLATE ? path : name, line, column },
    chain: chain.map((link) => ({ file: link.name, line: link.line, column: link.column })),
    hint: hintOf(error),
    severity: 'error',
  };
}

/** Jinja2 says no more than the name of a template that is not there. */
function messageOf({ type, message }: TemplateError, tree: string): string {
  return type === 'TemplateNotFound' ? `there is no template ${message} in ${tree}` : message;
}

/** Names with a dot are those of functions: `salt['file.file_exists']`. */
const FUNCTION_NAME = /^\w+\.\w+$/;

function hintOf({ missing, note, near }: TemplateError): string | undefined {
  const hints = [
    note,
    missing !== undefined && FUNCTION_NAME.test(missing)
      ? `if a function is meant: this peel has no ${missing}; sys.list_functions shows all`
      : undefined,
    near.length === 0 ? undefined : `did you mean ${near.join(' or ')}?`,
  ];
  return hints.filter((hint) => hint !== undefined).join('; ') || undefined;
}
