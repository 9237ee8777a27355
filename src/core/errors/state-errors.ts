/** Errors of the state engine: what keeps a run from starting. Nothing was changed. */
import type { ErrorSpec } from './error-spec.ts';

export const STATE_ERRORS = {
  STATES_UNAVAILABLE: {
    exit: 2,
    http: 503,
    text: 'states engine unavailable: no states directory exists yet (state files not yet synced from KV and no baked states dir); retry after state files are published',
    meaning: 'The peel has no state files: neither a cache of published ones nor a directory of its own.',
    hint: 'publish state files, or start the peel with --states DIR',
  },
  STATES_INVALID: {
    exit: 2,
    http: 422,
    text: 'the states cannot be run, {count} found:\n{problems}',
    meaning:
      'State files have mistakes. All of them are told with their place in the file that was written, and nothing was run.',
    hint: 'mend the files at the places shown; `zester lint` finds the same without a peel',
  },
  STATES_NOT_MATCHED: {
    exit: 2,
    http: 404,
    text: 'highstate: no states matched in top.zy',
    meaning: 'The top file gives this peel no states.',
    hint: "add a pattern that fits the peel to top.zy, such as '*'; `state.show_top` shows what fits",
  },
  STATE_TREE_PATH: {
    exit: 2,
    http: 422,
    text: '{path} leads out of the tree {tree}',
    meaning:
      'A template or a source names a file outside of the directory of state files or settings, by .. or through a link. It was not read.',
    hint: 'name a path below the directory of state files; for a file of the machine give its absolute path',
  },
  STATE_FILE_TEXT: {
    exit: 2,
    http: 422,
    text: '{path} is not UTF-8 text',
    meaning: 'A state file, a settings file or a template holds bytes that are no text.',
    hint: 'save it as UTF-8; a binary file can be a source without `template`',
  },
  STATE_TEMPLATE_FAILED: {
    exit: 2,
    http: 422,
    text: '{problem}',
    meaning: 'A template that a state wants to render has a mistake. The state failed and changed nothing.',
    hint: 'mend the template at the place shown; `zester render` renders it without a peel',
  },
  STATE_TEMPLATE_CALL: {
    exit: 2,
    http: 422,
    text: '{function} failed: {reason}',
    meaning: 'A template called an execution function with salt[…], and it failed. Nothing was run.',
    hint: 'try the same on the machine: `zester <peel> {function} …`; a command that may fail can end in `|| true`',
  },
  STATE_TEMPLATE_ACTION: {
    exit: 2,
    http: 422,
    text: '{function} would change the machine or start a program, and a dry run must not',
    meaning:
      'A template calls an action with salt[…] while states are only looked at: in a dry run, or for state.show_*. It was not called.',
    hint: 'use facts or settings instead, or leave the call out with `{% if not opts.test %}`',
  },
  STATES_TOO_DEEP: {
    exit: 2,
    http: 422,
    text: 'states run inside of states more than {max} deep',
    meaning:
      'A template or a module.run applies states whose templates or module.run apply states again, and so on. Files that apply themselves would never end.',
    hint: 'include the files, instead of applying them from within',
  },
  STATES_NOT_HERE: {
    exit: 2,
    http: 422,
    text: 'this peel was started without a state engine',
    meaning: 'A program that embeds a peel gave it no state engine; only execution functions run there.',
    hint: 'use the program zester-peel',
  },
} as const satisfies Record<string, ErrorSpec>;
