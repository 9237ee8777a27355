/** Errors of execution functions: a call that cannot be run, and a function that failed. */
import type { ErrorSpec } from './error-spec.ts';

export const MODULE_ERRORS = {
  MODULE_UNKNOWN_FUNCTION: {
    exit: 2,
    http: 404,
    text: 'there is no function {function}{suggestion}',
    meaning: 'A peel was asked to run a function that it does not have; nothing was done.',
    hint: "ask the peel what it can do: `zester '<target>' sys.list_functions`",
  },
  MODULE_BAD_ARGUMENTS: {
    exit: 2,
    http: 400,
    text: '{function}: {problems}',
    meaning:
      'The arguments do not fit the function; all that is wrong with them is told, and nothing was done.',
    hint: "read its documentation: `zester '<target>' sys.doc {function}`",
  },
  FACT_NOT_SETTABLE: {
    exit: 2,
    http: 422,
    text: 'cannot set the fact {fact}: {reason}',
    meaning:
      'A custom fact was to be set under a name that Zester fills itself, that cannot be a name, or that lies below a plain value; nothing was changed.',
    hint: 'choose another name, such as role or site.rack',
  },
  CUSTOM_FACTS_INVALID: {
    exit: 2,
    http: 422,
    text: '{file}:{line}: {reason}',
    meaning:
      'The custom facts file is neither a JSON object nor lines of `key: value`. The facts read from it before stay as they were.',
    hint: 'write lines such as `role: web`, and lists and maps as JSON: `rack: {"row": 3}`',
  },
  DISK_USAGE_UNKNOWN: {
    exit: 2,
    http: 500,
    text: 'df says nothing about the disks: {reason}',
    meaning: 'The program `df`, which knows how full file systems are, failed or hung.',
    hint: 'run `df -P -k` on the machine; a network file system whose server is gone makes it hang',
  },
} as const satisfies Record<string, ErrorSpec>;
