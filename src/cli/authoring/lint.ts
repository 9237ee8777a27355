/** `zester lint` as it is declared. */
import type { Command } from '../program/command.ts';
import { FORMAT_OPTION } from '../program/common-options.ts';
import { givenWords, runOtherProgram } from './other-program.ts';

/** Its work is done by another program, which holds the template engine: states-program.ts. */
export const lintCommand: Command = {
  words: ['lint'],
  takesWords: '[dir]',
  summary: 'check state files and settings without a fleet: all mistakes at once, and known traps',
  examples: [
    'zester lint ./states',
    'zester lint ./states --settings ./settings --facts web01.yaml',
    'zester lint ./states --top --format json',
    'zester lint --settings ./settings',
  ],
  detail: [
    'Compiles every .zy and .sls file as if it were applied alone, and what top.zy gives to each of its patterns, as a peel',
    'would. A directory of settings with a top.zy is resolved as a peel would, and checked too.',
    'Nothing runs and nothing is sent: where a template asks the machine, there is no answer.',
    'Exit code 0 without errors (there may be warnings), 2 with errors, 1 when it could not look.',
  ].join('\n'),
  options: [
    {
      name: 'facts',
      value: 'FILE',
      repeatable: true,
      doc: 'facts of one machine, as `zester peel show <peel> --format yaml` or facts.items prints them; default samples of a Debian and a Red Hat machine',
    },
    {
      name: 'settings',
      value: 'DIR',
      doc: 'settings as a peel has them: a settings tree with top.zy, or YAML files that are merged; default none',
    },
    { name: 'top', doc: 'only what the top file gives out' },
    FORMAT_OPTION,
  ],
  run: (context, given) =>
    runOtherProgram('zester-states', ['lint', ...givenWords(lintCommand, given)], context),
};
