/** These checks find traps in the text of a file, whatever the facts are. Pure. */
import type { StateProblem } from '../../core/states/state-problem.ts';

/** `salt['cmd.run'](`, `salt.cmd.run(` and `salt_call('cmd.run'`. */
const SALT_CALL = /\bsalt(?:\s*\[\s*['"]([\w.]+)['"]|\.(\w+\.\w+)\s*\(|_call\(\s*['"]([\w.]+)['"])/g;

/** A template that starts programs has no dry run: it is refused there (decision 19). */
export function templateActions(path: string, text: string, isAction: IsAction): readonly StateProblem[] {
  return actionCalls(text, isAction).map(({ name, at }) => ({
    message: `the template calls ${name}, which no dry run does: with --test, and in state.show_*, this file is an error`,
    at: { file: path, ...at },
    chain: [],
    hint: 'use a fact or a setting instead, or leave the call out with `{% if not opts.test %}`',
    severity: 'warning',
  }));
}

/** A template of settings only looks, always: whoever asks for a setting must not change anything. */
export function settingsActions(path: string, text: string, isAction: IsAction): readonly StateProblem[] {
  return actionCalls(text, isAction).map(({ name, at }) => ({
    message: `the template calls ${name}, which could change the machine: templates of settings may only look`,
    at: { file: path, ...at },
    chain: [],
    hint: 'use a fact instead; a custom fact can be set with facts.set',
    severity: 'error',
  }));
}

type IsAction = (functionName: string) => boolean;

interface ActionCall {
  readonly name: string;
  readonly at: { readonly line: number; readonly column: number };
}

function actionCalls(text: string, isAction: IsAction): readonly ActionCall[] {
  const code = withoutComments(text);
  return [...code.matchAll(SALT_CALL)]
    .map((match) => ({ name: match[1] ?? match[2] ?? match[3] ?? '', at: positionAt(code, match.index) }))
    .filter(({ name }) => isAction(name));
}

/** A file that nobody can name: its ref would be split at the dot. */
export function unreachableName(path: string): StateProblem {
  return {
    message: 'this file cannot be applied or included: a dot in its name would mean a folder',
    at: { file: path },
    chain: [],
    hint: `rename it to ${path.replace(/\.(?=.*\.(?:zy|sls)$)/g, '_')}`,
    severity: 'warning',
  };
}

/** Blanks take their place, so that positions stay. */
function withoutComments(text: string): string {
  return text.replace(/\{#[\s\S]*?#\}/g, (comment) => comment.replace(/[^\n]/g, ' '));
}

function positionAt(text: string, index: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
