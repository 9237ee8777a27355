/** `zester render` as it is declared. */
import type { UndefinedType } from '../../core/jinja/render/undefined.ts';
import type { Command } from '../program/command.ts';
import { FORMAT_OPTION } from '../program/common-options.ts';
import { givenWords, runOtherProgram } from './other-program.ts';

const UNDEFINED_TYPES: readonly UndefinedType[] = ['strict', 'default', 'chainable', 'debug'];

/** Its work is done by another program, which holds the template engine: states-program.ts. */
export const renderCommand: Command = {
  words: ['render'],
  takesWords: '<file>',
  summary: 'render a template and print the result, or what is wrong with it',
  examples: [
    'zester render nginx/init.sls --context web01.yaml',
    'zester render motd.jinja --set grains.os=Debian --set "users=[ann, bob]"',
    'zester render nginx/init.sls --root ./states --undefined chainable --format json',
    'zester render settings/web.zy --settings ./settings --facts web01.yaml',
  ],
  detail:
    'The template sees what the state engine offers it on a peel, and the variables of --context and --set besides. Facts (facts or grains) and settings (settings or pillar) are taken from these variables too, before those of --facts and --settings; without facts there are none, and the peel is called render. Secrets are shown as placeholders. What only a machine can answer, such as cmd.run, is an error: no peel is asked.',
  options: [
    {
      name: 'context',
      value: 'FILE',
      doc: 'file with the variables, a mapping; JSON if it ends in .json, else YAML',
    },
    {
      name: 'set',
      value: 'NAME=VALUE',
      repeatable: true,
      doc: 'one variable; the value is YAML, and a name with dots sets a key inside, as in grains.os=Debian',
    },
    {
      name: 'root',
      value: 'DIR',
      doc: 'where included and imported files are; default the directory of the file',
    },
    { name: 'facts', value: 'FILE', doc: 'facts of one machine, as for `zester lint`' },
    { name: 'id', value: 'NAME', doc: 'what the peel is called; default as the facts say' },
    {
      name: 'settings',
      value: 'DIR',
      doc: 'settings as a peel has them: a settings tree, or YAML files that are merged; a file of the tree is rendered at its place, with the settings before it',
    },
    {
      name: 'undefined',
      value: UNDEFINED_TYPES.join('|'),
      choices: UNDEFINED_TYPES,
      doc: 'what a missing variable is; default strict, which is an error',
    },
    FORMAT_OPTION,
  ],
  run: (context, given) =>
    runOtherProgram('zester-states', ['render', ...givenWords(renderCommand, given)], context),
};
