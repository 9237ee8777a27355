/**
 * `lintTree` compiles a tree of state files as peels would, for each set of facts, and collects everything that is
 * wrong and every known trap. Nothing runs, and there is no machine to ask: where a template asked one and then fails,
 * that is only a warning, because nobody knows what the answer would have been.
 */
import type { DataMap } from '../../core/data/data-value.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { refuseSecretsInStates } from '../../core/settings/find-secrets.ts';
import type {
  AskedRef,
  CompileInput,
  MatchPattern,
  RenderStateFile,
} from '../../core/states/compile/compile-input.ts';
import { compileStates } from '../../core/states/compile/compile-states.ts';
import { refOfPath } from '../../core/states/compile/state-refs.ts';
import { stateGraph } from '../../core/states/graph/graph.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import { type StateTemplates, stateTemplates } from '../../core/states/template/state-templates.ts';
import { readTop } from '../../core/states/top/read-top.ts';
import { matchPattern, parsePattern } from '../../core/states/top/top-pattern.ts';
import type { Target } from '../../core/target/target.ts';
import type { RuntimeAbilities } from '../../core/templates/template-host.ts';
import type { FunctionRegistry } from '../../modules/contract.ts';
import type { StateModuleRegistry } from '../../modules/state-contract.ts';
import { stateSchemas } from '../../modules/state-registry.ts';
import { asUnsure, DeafMachine, type LintMachine } from './lint-machine.ts';
import { type LintReport, ProblemCollector } from './lint-report.ts';
import { saltDifferences } from './salt-differences.ts';
import { stateTraps } from './state-traps.ts';
import { templateDifferences } from './template-differences.ts';
import { TemplateLint } from './template-lint.ts';
import { templateActions, unreachableName } from './text-traps.ts';
import { topDifferences } from './top-differences.ts';
import { treeText } from './tree-text.ts';
import { sexagesimalTexts } from './yaml-traps.ts';

const STATE_FILE = /\.(?:zy|sls)$/;
const TEMPLATE_FILE = /\.(?:zy|sls|jinja|jinja2|j2)$/;
const TOP_FILES = ['top.zy', 'top.sls'];

export interface LintInput {
  readonly tree: StateTree;
  readonly machines: readonly LintMachine[];
  readonly settingsOf: (machine: LintMachine) => DataMap;
  readonly topOnly: boolean;
  readonly functions: FunctionRegistry;
  readonly modules: StateModuleRegistry;
  readonly runtime: RuntimeAbilities;
  readonly signal: AbortSignal;
}

export async function lintTree(input: LintInput): Promise<LintReport> {
  const paths = (await input.tree.list()).filter((path) => TEMPLATE_FILE.test(path));
  const stateFiles = paths.filter((path) => STATE_FILE.test(path) && !TOP_FILES.includes(path));
  const hasTop = paths.some((path) => TOP_FILES.includes(path));
  const found = new ProblemCollector('states');
  await findTextTraps(paths, input, found);
  const templates = new Set(paths);
  for (const machine of input.machines) {
    const lint = new MachineLint(input, machine, found, templates);
    if (!input.topOnly) for (const path of stateFiles) await lint.alone(path);
    if (hasTop || input.topOnly) await lint.top();
  }
  await findTemplateDifferences(templates, input.tree, found);
  return {
    files: stateFiles.length + (hasTop ? 1 : 0),
    settingsFiles: 0,
    facts: input.machines.map(({ name }) => name),
    isSample: input.machines.every(({ isReal }) => !isReal),
    problems: found.sorted(),
  };
}

async function findTextTraps(
  paths: readonly string[],
  input: LintInput,
  found: ProblemCollector,
): Promise<void> {
  const { tree } = input;
  const isAction = actionTest(input.functions);
  for (const path of paths) {
    if (STATE_FILE.test(path) && refOfPath(path) === undefined) found.add(unreachableName(path));
    const text = await treeText(tree, path);
    for (const problem of templateActions(path, text, isAction)) found.add(problem);
    const secret = refuseSecretsInStates(path, text);
    if (secret !== undefined) found.add(secret);
  }
}

/** After the renders, which may have failed at one of them. */
async function findTemplateDifferences(
  paths: ReadonlySet<string>,
  tree: StateTree,
  found: ProblemCollector,
): Promise<void> {
  for (const path of paths)
    for (const problem of templateDifferences(path, await treeText(tree, path)))
      found.addUnlessFailed(problem);
}

function actionTest(functions: FunctionRegistry): (name: string) => boolean {
  return (name) => functions.has(name) && functions.get(name).kind === 'action';
}

/** Everything for one set of facts. */
class MachineLint {
  private readonly input: LintInput;
  private readonly machine: LintMachine;
  private readonly found: ProblemCollector;
  private readonly compileInput: CompileInput;
  private readonly templateLint: TemplateLint;
  /** Templates that failed after they asked for what nobody answered. */
  private readonly unsure = new Set<string>();

  /** `seen`: gets the paths of the templates that states name. */
  constructor(input: LintInput, machine: LintMachine, found: ProblemCollector, seen: Set<string>) {
    this.input = input;
    this.machine = machine;
    this.found = found;
    const { tree, functions, runtime, signal } = input;
    const { peelId, facts, words } = machine;
    const settings = input.settingsOf(machine);
    const deaf = new DeafMachine(functions.all.map(({ name }) => name));
    const data = { peelId, facts, words, settings, statesDir: tree.where, dryRun: true, machine: deaf };
    const templates = stateTemplates({ tree, data, runtime, signal });
    const render = this.renderer(templates, deaf);
    this.compileInput = { tree, schemas: stateSchemas(input.modules), render };
    this.templateLint = new TemplateLint({
      tree,
      templates,
      asked: () => deaf.asked,
      textTraps: (path, text) => {
        seen.add(path);
        // Those that are called templates are looked at as files, whoever names them.
        return TEMPLATE_FILE.test(path) ? [] : templateActions(path, text, actionTest(functions));
      },
    });
  }

  async alone(path: string): Promise<void> {
    const ref = refOfPath(path);
    if (ref !== undefined) await this.compile([{ ref, at: { file: path } }]);
  }

  /** What each pattern gives out; for real facts what all patterns that fit give out together. */
  async top(): Promise<void> {
    const patterns = new Map<string, Target>();
    const all = await this.readTop((pattern, target) => {
      patterns.set(pattern, target);
      return true;
    });
    for (const problem of [...all.problems, ...all.warnings]) this.add(problem);
    const file = (await this.input.tree.list()).find((path) => TOP_FILES.includes(path));
    if (file !== undefined)
      for (const problem of topDifferences(file, patterns.values(), Object.keys(all.shown)))
        this.found.add(problem);
    if (this.machine.isReal) await this.compile((await this.readTop(() => true)).refs);
    else
      for (const only of patterns.keys())
        await this.compile((await this.readTop((each) => each === only)).refs);
  }

  /** Patterns that cannot be read are always problems; of the others those count that `wanted` takes. */
  private readTop(wanted: (pattern: string, target: Target) => boolean): ReturnType<typeof readTop> {
    const { peelId, facts, words, isReal } = this.machine;
    const matches: MatchPattern = (pattern, type) => {
      try {
        const target = parsePattern(pattern, type);
        return wanted(pattern, target) && (!isReal || matchPattern(target, peelId, facts, words));
      } catch (error) {
        if (isZesterError(error)) return { message: error.message, hint: error.hint };
        throw error;
      }
    };
    const { tree, render } = this.compileInput;
    return readTop({ tree, render, matches });
  }

  private async compile(refs: readonly AskedRef[]): Promise<void> {
    const { states, problems, warnings } = await compileStates(refs, this.compileInput);
    for (const problem of [...problems, ...warnings]) this.add(problem);
    if (problems.length > 0) return;
    const graph = stateGraph(states);
    for (const problem of graph.problems) this.add(problem);
    if (graph.problems.length > 0) return;
    const { modules, tree } = this.input;
    for (const trap of await stateTraps(graph.levels, modules, tree)) this.add(trap);
    for (const difference of saltDifferences(graph.levels)) this.add(difference);
    for (const state of states)
      for (const { problem, isUnsure } of await this.templateLint.faultsOf(state))
        this.add(isUnsure ? asUnsure(problem) : problem);
  }

  private add(problem: StateProblem): void {
    this.found.add(this.unsure.has(problem.at.file) ? asUnsure(problem) : problem, this.machine.name);
  }

  private renderer(templates: StateTemplates, machine: DeafMachine): RenderStateFile {
    return async (path, text, sls) => {
      const askedBefore = machine.asked;
      try {
        const rendered = await templates.renderFile(path, text, sls);
        for (const trap of sexagesimalTexts(rendered, path)) this.add(trap);
        return rendered;
      } catch (error) {
        if (machine.asked > askedBefore) this.unsure.add(path);
        throw error;
      }
    };
  }
}
