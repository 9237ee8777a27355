/**
 * `resolveSettings` makes the settings of one peel from a settings tree:
 *
 *     top.zy ──▶ names of files ──▶ each rendered, with the merge so far ──▶ merged ──▶ secrets put in ──▶ settings
 *
 * Pure but for what templates ask of the machine. The tree is one published revision from start to end. All mistakes are told
 * at once with their places, and with one there are no settings: states that run with half of their settings do damage. A
 * tree without any files of settings gives none, which is a success.
 */
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { isZesterError, zesterError } from '../errors/zester-error.ts';
import type { StopSignal } from '../jinja/limits.ts';
import type { MatchPattern } from '../states/compile/compile-input.ts';
import { ProblemList } from '../states/compile/problem-list.ts';
import { readAhead } from '../states/read-ahead.ts';
import { printPlace, printProblems, type StateProblem } from '../states/state-problem.ts';
import type { StateTree } from '../states/state-tree.ts';
import { type RenderSettingsFile, settingsTemplates } from '../states/template/state-templates.ts';
import type { TemplateMachine } from '../states/template/template-context.ts';
import { patternMatcher } from '../states/top/top-pattern.ts';
import type { OperatorWords } from '../target/operator-words.ts';
import type { RuntimeAbilities } from '../templates/template-host.ts';
import { loadSettings } from './load-settings.ts';
import { MERGE_RULE_PATH, type MergeRule, readMergeRule } from './merge-rule.ts';
import {
  NOTHING_MERGED,
  type ResolvedSettings,
  resolvedFrom,
  type SettingsMerge,
} from './resolved-settings.ts';
import { substituteSecrets } from './secret-placeholders.ts';
import { SETTINGS_TOP_PATHS, type SettingsPaths, settingsPaths } from './settings-paths.ts';
import { readSettingsTop, topRefs } from './settings-top.ts';

export interface SettingsInput {
  readonly tree: StateTree;
  readonly peelId: PeelId;
  readonly facts: WireMap;
  readonly words: OperatorWords;
  /** What templates ask; it should answer only what looks. */
  readonly machine: TemplateMachine;
  readonly runtime: RuntimeAbilities;
  readonly signal: StopSignal;
  /** By the path in the placeholder. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Which lines of the top file count. Default: those that mean this peel. */
  readonly matches?: MatchPattern;
  /** Stands around the rendering of each file, for whoever wants to see it. */
  readonly aroundRender?: (render: RenderSettingsFile) => RenderSettingsFile;
}

/** Throws SETTINGS_INVALID with all that is wrong, or SETTINGS_SECRETS_MISSING. */
export async function resolveSettings(input: SettingsInput): Promise<ResolvedSettings> {
  return finishSettings(await compileSettings(input), input);
}

/** Puts the secrets in. Throws as `resolveSettings` does. */
export function finishSettings(
  { merge, rule, problems, warnings }: CompiledSettings,
  { peelId, secrets }: Pick<SettingsInput, 'peelId' | 'secrets'>,
): ResolvedSettings {
  if (problems.length > 0) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    throw zesterError('SETTINGS_INVALID', { count, problems: printProblems(problems) });
  }
  const { data: settings, missing } = substituteSecrets(merge.data, secrets);
  if (missing.length > 0)
    throw zesterError('SETTINGS_SECRETS_MISSING', { peel: peelId, keys: missing.join(', ') });
  const told = warnings.map(({ at, message }) => `${printPlace(at)}: ${message}`);
  return { ...resolvedFrom(merge, rule), settings, secrets, warnings: told };
}

export interface CompiledSettings {
  /** With placeholders. Of what could be read, where there are problems. */
  readonly merge: SettingsMerge;
  readonly rule: MergeRule;
  readonly problems: readonly StateProblem[];
  readonly warnings: readonly StateProblem[];
}

/** The same without secrets, and with problems as data. */
export async function compileSettings(input: Omit<SettingsInput, 'secrets'>): Promise<CompiledSettings> {
  const { tree, peelId, facts, words } = input;
  const problems = new ProblemList();
  const all = await tree.list();
  const paths = settingsPaths(all);
  const fixed = await readFixedFiles(tree, all, problems);
  const rule = readMergeRule(fixed.get(MERGE_RULE_PATH), problems);
  const topFiles = [...fixed]
    .map(([path, text]) => ({ path, text }))
    .filter(({ path }) => path !== MERGE_RULE_PATH);
  if (topFiles.length === 0 && paths.files.length === 0)
    return { merge: NOTHING_MERGED, rule, problems: problems.errors, warnings: [] };
  const lines = readSettingsTop(topFiles, tree.where, problems);
  const { matches = patternMatcher(peelId, facts, words), aroundRender = (render) => render } = input;
  const asked = topRefs(lines, matches, problems);
  const wanted = asked.refs.flatMap(({ ref }) => paths.named(ref).flatMap((name) => pathIn(paths, name)));
  const ahead = readAhead(tree, wanted);
  const render = aroundRender(rendererFor({ ...input, tree: ahead }));
  const merge = await loadSettings(asked, { tree: ahead, paths, render, rule }, problems);
  return {
    merge,
    rule,
    problems: problems.errors,
    warnings: problems.warnings,
  };
}

function pathIn(paths: SettingsPaths, ref: string): readonly string[] {
  const found = paths.find(ref);
  return 'path' in found ? [found.path] : [];
}

function rendererFor(input: Omit<SettingsInput, 'secrets'>): RenderSettingsFile {
  const { tree, peelId, facts, words, machine, runtime, signal } = input;
  const data = { peelId, facts, words, statesDir: tree.where, dryRun: true, machine };
  return settingsTemplates({ tree, data, runtime, signal });
}

/** The files that are no templates, by path. */
async function readFixedFiles(
  tree: StateTree,
  all: readonly string[],
  problems: ProblemList,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of [...SETTINGS_TOP_PATHS, MERGE_RULE_PATH]) {
    if (!all.includes(path)) continue;
    try {
      const text = await tree.readText(path);
      if (text !== undefined) texts.set(path, text);
    } catch (error) {
      if (!isZesterError(error)) throw error;
      problems.error({ at: { file: path }, chain: [] }, error.message, error.hint);
    }
  }
  return texts;
}
