/**
 * `TemplateLint` renders the templates that states name (`source` with `template: jinja`, or inline content), as a run
 * would with the same facts, and tells what is wrong with them. Each once, however many files include the state.
 * Nothing is written.
 */
import { type DataMap, type DataValue, isDataMap } from '../../core/data/data-value.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { TemplateError } from '../../core/jinja/errors.ts';
import { templateProblem } from '../../core/states/compile/template-problem.ts';
import type { CompiledState } from '../../core/states/compiled-state.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import type { StateTemplates } from '../../core/states/template/state-templates.ts';
import { anyPattern } from '../../modules/file/path-patterns.ts';
import { type TemplateVariables, targetVariables, templateVariables } from '../../modules/file/template.ts';
import { pathInTree } from './source-path.ts';

export interface TemplateFault {
  readonly problem: StateProblem;
  /** It asked the machine, and lint has none. */
  readonly isUnsure: boolean;
}

interface NamedTemplate {
  /** In the tree; undefined for inline content. */
  readonly path: string | undefined;
  readonly text: string;
  /** What a run tells it about the file that it is for. */
  readonly own: TemplateVariables;
}

export interface TemplateLintParts {
  readonly tree: StateTree;
  readonly templates: StateTemplates;
  /** How often the machine was asked up to now. */
  readonly asked: () => number;
  /** Traps that show in the text of a template. */
  readonly textTraps: (path: string, text: string) => readonly StateProblem[];
}

export class TemplateLint {
  private readonly parts: TemplateLintParts;
  private readonly done = new Set<string>();

  constructor(parts: TemplateLintParts) {
    this.parts = parts;
  }

  async faultsOf(state: CompiledState): Promise<readonly TemplateFault[]> {
    const faults: TemplateFault[] = [];
    if (state.values.template !== true) return faults;
    for (const template of await this.templatesOf(state)) {
      const key = JSON.stringify([state.name, state.sls, template.path]);
      if (this.done.has(key)) continue;
      this.done.add(key);
      const { path, text } = template;
      if (path !== undefined)
        faults.push(...this.parts.textTraps(path, text).map((problem) => ({ problem, isUnsure: false })));
      const fault = await this.faultOf(template, state);
      if (fault !== undefined) faults.push(fault);
    }
    return faults;
  }

  private async faultOf(
    { path, text, own }: NamedTemplate,
    state: CompiledState,
  ): Promise<TemplateFault | undefined> {
    const askedBefore = this.parts.asked();
    const name = path ?? `the content of ${state.id}`;
    const variables = templateVariables(own, mapOf(state.values.defaults), mapOf(state.values.context));
    try {
      await this.parts.templates.renderText({ name, text }, state.sls, variables);
      return undefined;
    } catch (error) {
      const isUnsure = this.parts.asked() > askedBefore;
      if (error instanceof TemplateError) return { problem: ofState(error, name, path, state), isUnsure };
      if (isZesterError(error)) return { problem: atState(state, error.message, error.hint), isUnsure };
      throw error;
    }
  }

  private async templatesOf(state: CompiledState): Promise<readonly NamedTemplate[]> {
    const { source, content } = state.values;
    const sources = textsOf(source);
    if (sources.length === 0) {
      const lines = textsOf(content);
      return lines.length === 0 ? [] : [{ path: undefined, text: lines.join('\n'), own: {} }];
    }
    const paths = sources.map(pathInTree);
    // A path of the machine may be there, and then the others do not count.
    if (paths[0] === undefined) return [];
    return state.module === 'file.recurse' ? this.below(paths[0], state) : this.firstOf(sources, state);
  }

  private async firstOf(sources: readonly string[], state: CompiledState): Promise<readonly NamedTemplate[]> {
    for (const source of sources) {
      const path = pathInTree(source);
      const text = path === undefined ? undefined : await this.textAt(path);
      if (text !== undefined) return [{ path, text, own: ownVariables(state, source, '') }];
    }
    return [];
  }

  private async below(directory: string, state: CompiledState): Promise<readonly NamedTemplate[]> {
    const { values } = state;
    const test = (param: 'include_pat' | 'exclude_pat') =>
      anyPattern(textsOf(values[param]), { functionName: 'file.recurse', param });
    const [isIncluded, isExcluded] = [test('include_pat'), test('exclude_pat')];
    const takesAll = textsOf(values.include_pat).length === 0;
    const [source = ''] = textsOf(values.source);
    const found: NamedTemplate[] = [];
    for (const path of await this.parts.tree.list()) {
      if (!path.startsWith(`${directory}/`)) continue;
      const below = path.slice(directory.length + 1);
      if (isExcluded(below) || !(takesAll || isIncluded(below))) continue;
      const text = await this.textAt(path);
      const own = ownVariables(state, source, `/${below}`);
      if (text !== undefined) found.push({ path, text, own });
    }
    return found;
  }

  /** What is not there, or no text, is told by others: as a source that is missing, and by a run. */
  private async textAt(path: string): Promise<string | undefined> {
    try {
      return await this.parts.tree.readText(path);
    } catch (error) {
      if (isZesterError(error)) return undefined;
      throw error;
    }
  }
}

/** As `file.managed` and `file.recurse` tell them; `below`: the path of the file inside of what the state names. */
function ownVariables({ module, values }: CompiledState, source: string, below: string): TemplateVariables {
  if (!module.startsWith('file.')) return {};
  const [user, group] = [textsOf(values.user)[0], textsOf(values.group)[0]];
  const mode = module === 'file.recurse' ? values.file_mode : values.mode;
  return targetVariables({
    ...{ name: `${values.name}${below}`, source: `${source}${below}`, user, group },
    mode: typeof mode === 'number' ? mode : undefined,
  });
}

/** In the template, or in one that it includes; of inline content at the state. The state is the last of the way there. */
function ofState(
  error: TemplateError,
  name: string,
  path: string | undefined,
  state: CompiledState,
): StateProblem {
  const problem = templateProblem(error, name);
  const message = `${problem.message} (in the template of ${state.name})`;
  if (path === undefined && problem.at.file === name)
    return atState(state, `${problem.message} (in the content, line ${problem.at.line})`, problem.hint);
  return { ...problem, message };
}

function atState(state: CompiledState, message: string, hint: string | undefined): StateProblem {
  return { message: `${state.name}: ${message}`, at: state.at, chain: [], hint, severity: 'error' };
}

function textsOf(value: unknown): readonly string[] {
  return [value ?? []].flat().filter((each) => typeof each === 'string');
}

function mapOf(value: unknown): DataMap {
  return isDataMap(value as DataValue | undefined) ? (value as DataMap) : {};
}
