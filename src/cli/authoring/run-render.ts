/** `runRender` is the command `zester render`: it prints what a template becomes, or what is wrong with it. */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { errorRecord, type RenderRequest, renderFile } from '../../authoring/render/render-file.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { TemplateError } from '../../core/jinja/errors.ts';
import type { UndefinedType } from '../../core/jinja/render/undefined.ts';
import { printableJson } from '../../core/printable.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import type { CliContext, GivenOptions } from '../program/command.ts';

/** Resolves to the exit code. */
export async function runRender(context: CliContext, given: GivenOptions): Promise<number> {
  const request = readRequest(context, given);
  const json = given.text('format') === 'json';
  try {
    const output = await renderFile(request, context.runtime);
    context.out(json ? `${printableJson({ output }, 2)}\n` : output);
    return 0;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    if (!json) {
      context.say(`${error.print()}\n`);
      throw zesterError('TEMPLATE_FAILED', { name: request.name });
    }
    context.out(`${printableJson({ error: errorRecord(error) }, 2)}\n`);
    return 1;
  }
}

function readRequest(context: CliContext, given: GivenOptions): RenderRequest {
  const [word = ''] = given.words();
  const path = resolve(context.cwd, word);
  const root = resolve(context.cwd, given.text('root') ?? dirname(path));
  const inRoot = relative(root, path);
  const variables = given.text('context');
  const [facts, settings] = [given.text('facts'), given.text('settings')];
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
    facts: facts === undefined ? undefined : { shown: facts, path: resolve(context.cwd, facts) },
    peelId: peelIdIn(given),
    settingsDir: settings === undefined ? undefined : resolve(context.cwd, settings),
    signal: context.interrupted,
  };
}

function peelIdIn(given: GivenOptions): PeelId | undefined {
  const name = given.text('id');
  const peelId = name === undefined ? undefined : parsePeelId(name);
  if (name !== undefined && peelId === undefined)
    throw zesterError('CLI_OPTION_VALUE', { option: '--id', problem: `is the id of a peel, not ${name}` });
  return peelId;
}

function readText(path: string, shown: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw zesterError('TEMPLATE_UNREADABLE', { path: shown }, { cause });
  }
}
