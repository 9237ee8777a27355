/**
 * `StateTemplates` renders the templates of one run: state files, top files, and what modules render. One environment
 * for all of them, so that a map that many files import is read and compiled once. `settingsTemplates` is the same for the
 * files of one resolve of settings.
 *
 * Names in `include`, `import` and `extends` are paths in the tree, with or without `salt://` or `zester://`; `./` and `../`
 * lead from the template that says it, as in Salt. A name cannot leave the tree: the tree refuses it.
 */

import type { DataMap, DataValue } from '../../data/data-value.ts';
import { Environment } from '../../jinja/environment.ts';
import type { StopSignal } from '../../jinja/limits.ts';
import type { Variables } from '../../jinja/render/given-variables.ts';
import type { Loader } from '../../jinja/render/loader.ts';
import type { Rendering } from '../../jinja/render/render.ts';
import type { UndefinedType } from '../../jinja/render/undefined.ts';
import { type RuntimeAbilities, templateHost } from '../../templates/template-host.ts';
import type { Rendered, RenderStateFile } from '../compile/compile-input.ts';
import type { StateTree } from '../state-tree.ts';
import { slsVariables, tplVariables } from './sls-variables.ts';
import { globalsWithSettings, type TemplateData, templateGlobals } from './template-context.ts';

/** Calls of functions that one template may make; a lookup of a setting is one. */
const HOST_CALLS_MAX = 20_000;

export interface StateTemplates {
  /** A state file or top file. Throws a TemplateError. */
  readonly renderFile: RenderStateFile;
  /** A template of a module, with variables of its own; `name` is for messages and for what it includes. */
  renderText(
    template: { readonly name: string; readonly text: string },
    sls: string,
    variables: Variables,
  ): Promise<string>;
}

export interface StateTemplatesInput {
  readonly tree: StateTree;
  readonly data: TemplateData;
  readonly runtime: RuntimeAbilities;
  readonly signal: StopSignal;
  /** What a missing variable is. Default: strict. */
  readonly undefinedType?: UndefinedType;
}

export function stateTemplates(input: StateTemplatesInput): StateTemplates {
  const render = templateRenderer(input);
  const shared = templateGlobals(input.data);
  return {
    renderFile: async (path, text, sls) => renderedFile(path, text, await render(text, path, sls, shared)),
    renderText: async ({ name, text }, sls, variables) =>
      (await render(text, inTree(name), sls, { ...shared, ...variables })).output + lastNewline(text),
  };
}

/** Renders files of settings, each with the settings that the files before it gave, and with variables of its own. */
export type RenderSettingsFile = (
  file: { readonly path: string; readonly text: string; readonly sls: string },
  settings: DataMap,
  variables: Readonly<Record<string, DataValue>>,
) => Promise<Rendered>;

/** The same environment for a tree of settings, where the settings are still in the making. Throws a TemplateError. */
export function settingsTemplates(
  input: Omit<StateTemplatesInput, 'data'> & { readonly data: Omit<TemplateData, 'settings'> },
): RenderSettingsFile {
  const render = templateRenderer(input);
  const globals = globalsWithSettings(input.data);
  return async ({ path, text, sls }, settings, variables) =>
    renderedFile(path, text, await render(text, path, sls, { ...globals(settings), ...variables }));
}

type RenderTemplate = (text: string, name: string, sls: string, variables: Variables) => Promise<Rendering>;

function templateRenderer(input: Omit<StateTemplatesInput, 'data'>): RenderTemplate {
  const { tree, runtime, signal, undefinedType = 'strict' } = input;
  const environment = new Environment({
    loader: treeLoader(tree),
    host: templateHost(runtime),
    hostCallsMax: HOST_CALLS_MAX,
    undefinedType,
  });
  return (text, name, sls, variables) =>
    environment.compile(text, name).renderAsync({ ...slsVariables(name, sls), ...variables }, { signal });
}

function renderedFile(path: string, text: string, { output, positions }: Rendering): Rendered {
  return {
    text: output + lastNewline(text),
    place(line, column) {
      const at = positions.lookup(line, column);
      return at === undefined
        ? { file: path, line, column }
        : { file: at.name, line: at.line, column: at.column };
    },
  };
}

/** Jinja2 drops the newline at the end of a template. Salt gives it back to the file that is rendered. */
function lastNewline(text: string): string {
  return text.endsWith('\n') ? '\n' : '';
}

function treeLoader(tree: StateTree): Loader {
  let known: readonly string[] = [];
  return {
    async load(name) {
      const text = await tree.readText(name);
      // Asked for only when a name is wrong: then "did you mean" wants to know the others.
      if (text === undefined) known = await tree.list();
      return text;
    },
    join: joinNames,
    variables: tplVariables,
    names: () => known,
  };
}

function joinNames(name: string, parent: string): string {
  const plain = inTree(name);
  if (!/^\.\.?\//.test(plain)) return plain;
  const steps = parent.includes('/') ? parent.split('/').slice(0, -1) : [];
  for (const step of plain.split('/')) {
    if (step === '.' || step === '') continue;
    // Above the top it stays as it is written, and the tree refuses it.
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else steps.push(step);
  }
  return steps.join('/');
}

function inTree(name: string): string {
  return name.replace(/^(?:salt|zester):\/\//, '');
}
