/**
 * `lintSettings` resolves a settings tree as peels would, for each set of facts, and collects everything that is wrong and every
 * known trap. For made-up machines every line of the top file counts; for real ones those that mean them. What it finds for a
 * machine is what the state files of that machine are checked with.
 */
import type { DataMap } from '../../core/data/data-value.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { layersOf } from '../../core/settings/resolved-settings.ts';
import { isSettingsPath, SETTINGS_TOP_PATHS } from '../../core/settings/settings-paths.ts';
import { readSettingsTop } from '../../core/settings/settings-top.ts';
import { type CompiledSource, compileSourceTree, publishRefusals } from '../../core/settings/source-tree.ts';
import type { MatchPattern } from '../../core/states/compile/compile-input.ts';
import { ProblemList } from '../../core/states/compile/problem-list.ts';
import { refOfPath } from '../../core/states/compile/state-refs.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import type { RenderSettingsFile } from '../../core/states/template/state-templates.ts';
import { parsePattern } from '../../core/states/top/top-pattern.ts';
import type { Target } from '../../core/target/target.ts';
import type { RuntimeAbilities } from '../../core/templates/template-host.ts';
import type { FunctionRegistry } from '../../modules/contract.ts';
import { asUnsure, DeafMachine, type LintMachine } from './lint-machine.ts';
import type { ProblemCollector } from './lint-report.ts';
import { type SecretPath, secretPathsIn, secretUses } from './secret-uses.ts';
import { templateDifferences } from './template-differences.ts';
import { settingsActions, unreachableName } from './text-traps.ts';
import { topDifferences } from './top-differences.ts';
import { treeText } from './tree-text.ts';
import { sexagesimalTexts } from './yaml-traps.ts';

export interface SettingsLintInput {
  readonly tree: StateTree;
  readonly machines: readonly LintMachine[];
  readonly functions: FunctionRegistry;
  readonly runtime: RuntimeAbilities;
  readonly signal: AbortSignal;
}

export interface LintedSettings {
  /** Files that were looked at. */
  readonly files: number;
  /** With placeholders for secrets; what could be read, where something is wrong. */
  settingsOf(machine: LintMachine): DataMap;
}

const TEMPLATE_FILE = /\.(?:zy|sls|jinja|jinja2|j2)$/;

export async function lintSettings(
  input: SettingsLintInput,
  found: ProblemCollector,
): Promise<LintedSettings> {
  const { tree, machines, functions } = input;
  const paths = (await tree.list()).filter((path) => TEMPLATE_FILE.test(path));
  const files = paths.filter(isSettingsPath);
  const settings = new Map<LintMachine, DataMap>();
  const reached = new Set<string>();
  const secrets = new Set<SecretPath>();
  let isWhole = true;
  for (const machine of machines) {
    const everybody = await compileFor(machine, input, EVERY_LINE, found);
    const own = machine.isReal ? await compileFor(machine, input, undefined, found) : everybody;
    settings.set(machine, own.merge.data);
    isWhole &&= everybody.problems.length === 0;
    for (const { file } of layersOf(everybody.merge)) reached.add(file);
    for (const path of secretPathsIn(everybody.merge.data)) secrets.add(path);
  }
  // A file that could not be read may include others.
  if (isWhole) for (const path of files) if (!reached.has(path)) found.add(unreached(path));
  for (const path of paths) {
    if (/\.(?:zy|sls)$/.test(path) && refOfPath(path) === undefined) found.add(unreachableName(path));
    const text = await treeText(tree, path);
    const isAction = (name: string) => functions.has(name) && functions.get(name).kind === 'action';
    for (const problem of settingsActions(path, text, isAction)) found.addUnlessFailed(problem);
    for (const problem of secretUses(path, text, secrets)) found.add(problem);
    for (const problem of templateDifferences(path, text)) found.addUnlessFailed(problem);
  }
  for (const problem of await topTraps(tree)) found.add(problem);
  for (const problem of await publishRefusals(tree)) found.add({ ...problem, severity: 'warning' });
  return { files: files.length + 1, settingsOf: (machine) => settings.get(machine) ?? {} };
}

const EVERY_LINE: MatchPattern = (pattern, type) => {
  try {
    return parsePattern(pattern, type) !== undefined;
  } catch (error) {
    if (isZesterError(error)) return { message: error.message, hint: error.hint };
    throw error;
  }
};

/** `matches`: which lines count; undefined: those that mean the machine. */
async function compileFor(
  machine: LintMachine,
  { tree, functions, runtime, signal }: SettingsLintInput,
  matches: MatchPattern | undefined,
  found: ProblemCollector,
): Promise<CompiledSource> {
  const { peelId, facts, words, name } = machine;
  const deaf = new DeafMachine(functions.all.map((each) => each.name));
  const unsure = new Set<string>();
  const add = (problem: StateProblem) =>
    found.add(unsure.has(problem.at.file) ? asUnsure(problem) : problem, name);
  const aroundRender = (render: RenderSettingsFile): RenderSettingsFile => {
    return async (file, settings, variables) => {
      const askedBefore = deaf.asked;
      try {
        const rendered = await render(file, settings, variables);
        for (const trap of sexagesimalTexts(rendered, file.path)) add(trap);
        return rendered;
      } catch (error) {
        if (deaf.asked > askedBefore) unsure.add(file.path);
        throw error;
      }
    };
  };
  const compiled = await compileSourceTree({
    ...{ tree, peelId, facts, words, machine: deaf, runtime, signal, aroundRender },
    ...(matches === undefined ? {} : { matches }),
  });
  for (const problem of [...compiled.problems, ...compiled.warnings]) add(problem);
  return compiled;
}

function unreached(file: string): StateProblem {
  return {
    message: 'no line of the top file gives this file to anybody, and no file includes it',
    at: { file },
    chain: [],
    hint: 'name it in top.zy, or remove it',
    severity: 'warning',
  };
}

/** Of a top file that can be read. */
async function topTraps(tree: StateTree): Promise<readonly StateProblem[]> {
  const path = (await tree.list()).find((each) => (SETTINGS_TOP_PATHS as readonly string[]).includes(each));
  if (path === undefined) return [];
  const problems = new ProblemList();
  const lines = readSettingsTop([{ path, text: await treeText(tree, path) }], tree.where, problems);
  const targets = lines
    .map(({ pattern, type }) => targetOf(pattern, type))
    .filter((each) => each !== undefined);
  const environments = new Set(
    lines.filter(({ refs }) => refs.length > 0).map(({ environment }) => environment),
  );
  return topDifferences(path, targets, [...environments]);
}

/** Undefined: the compiler tells what is wrong with it. */
function targetOf(pattern: string, type: string): Target | undefined {
  try {
    return parsePattern(pattern, type);
  } catch (error) {
    if (isZesterError(error)) return undefined;
    throw error;
  }
}
