import type { ErrorSpec } from './error-spec.ts';

export const CLI_ERRORS = {
  CLI_UNKNOWN_COMMAND: {
    exit: 1,
    text: 'there is no command {command}{suggestion}',
    meaning: 'The words after `zester` name no command.',
    hint: 'run `zester --help` for the commands',
  },
  CLI_UNKNOWN_OPTION: {
    exit: 1,
    text: '{command} has no option {option}{suggestion}',
    meaning: 'An option was given that the command does not know; nothing was done.',
    hint: 'run `zester {command} --help` for its options',
  },
  CLI_OPTION_VALUE: {
    exit: 1,
    text: 'option {option} {problem}',
    meaning: 'An option lacks its value, was given twice, or its value cannot be used; nothing was done.',
    hint: 'run the command with --help to see what the option takes',
  },
  CLI_EXTRA_ARGUMENT: {
    exit: 1,
    text: '{command} does not take the argument {argument}',
    meaning: 'More words were given than the command takes; nothing was done.',
    hint: 'run `zester {command} --help` to see how it is called',
  },
  CLI_MISSING_OPTION: {
    exit: 1,
    text: '{command} needs {option}',
    meaning: 'An option without which the command cannot work was not given; nothing was done.',
    hint: 'run `zester {command} --help` for an example',
  },
} as const satisfies Record<string, ErrorSpec>;
