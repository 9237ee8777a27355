import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { zesterError } from '../../core/errors/zester-error.ts';
import { TemplateError } from '../../core/jinja/errors.ts';
import type { UndefinedType } from '../../core/jinja/undefined.ts';
import type { CliContext, Command, GivenOptions } from '../command.ts';
import { FORMAT_OPTION } from '../common-options.ts';
import type { RenderRequest } from '../render/render-file.ts';

const UNDEFINED_TYPES: readonly UndefinedType[] = ['strict', 'default', 'chainable', 'debug'];

export const renderCommand: Command = {
  words: ['render'],
  takesWords: '<file>',
  summary: 'render a template and print the result, or what is wrong with it',
  examples: [
    'zester render nginx/init.sls --context web01.yaml',
    'zester render motd.jinja --set grains.os=Debian --set "users=[ann, bob]"',
    'zester render nginx/init.sls --root ./states --undefined chainable --format json',
  ],
  detail:
    'The template is Jinja2 with the filters and statements that Salt adds. It sees the variables of --context and --set and nothing else. Nothing is sent to any peel.',
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
    {
      name: 'undefined',
      value: UNDEFINED_TYPES.join('|'),
      choices: UNDEFINED_TYPES,
      doc: 'what a missing variable is; default strict, which is an error',
    },
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const request = readRequest(context, given);
    // Loaded only when asked for: the template engine would cost every other command its start-up time.
    const { errorRecord, renderFile } = await import('../render/render-file.ts');
    const json = given.text('format') === 'json';
    try {
      const output = renderFile(request, context.runtime);
      context.out(json ? `${JSON.stringify({ output }, undefined, 2)}\n` : output);
      return 0;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      if (!json) {
        context.say(`${error.print()}\n`);
        throw zesterError('TEMPLATE_FAILED', { name: request.name });
      }
      context.out(`${JSON.stringify({ error: errorRecord(error) }, undefined, 2)}\n`);
      return 1;
    }
  },
};

function readRequest(context: CliContext, given: GivenOptions): RenderRequest {
  const [word = ''] = given.words();
  const path = resolve(context.cwd, word);
  const root = resolve(context.cwd, given.text('root') ?? dirname(path));
  const inRoot = relative(root, path);
  const variables = given.text('context');
  return {
    root,
    name: inRoot.startsWith('..') ? word : inRoot,
    source: readText(path, word),
    variables:
      variables === undefined
        ? undefined
        : { path: variables, text: readText(resolve(context.cwd, variables), variables) },
    assignments: given.texts('set'),
    undefinedType: (given.text('undefined') ?? 'strict') as UndefinedType,
    signal: context.interrupted,
  };
}

function readText(path: string, shown: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw zesterError('TEMPLATE_UNREADABLE', { path: shown }, { cause });
  }
}
