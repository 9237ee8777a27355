/** `lintDirectory` lints a directory of state files, one of settings, or both, as a peel on this machine would read them. */

import { zesterError } from '../../core/errors/zester-error.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import { FUNCTIONS } from '../../modules/registry.ts';
import { STATE_MODULES } from '../../modules/state-registry.ts';
import { isSettingsTree, namesIn, readPlainSettings } from '../../peel/states/local-settings.ts';
import { localTree } from '../../peel/states/local-tree.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { templateAbilities } from '../../runtime/template-abilities.ts';
import type { ReadFiles } from '../../system/files.ts';
import { linuxSystem } from '../../system/linux/linux-system.ts';
import { type GivenPath, givenMachine } from '../given-machine.ts';
import { type LintReport, ProblemCollector } from './lint-report.ts';
import { lintTree } from './lint-tree.ts';
import { sampleMachines } from './sample-facts.ts';
import { type LintedSettings, lintSettings, type SettingsLintInput } from './settings-lint.ts';

export interface LintRequest {
  /** State files. Undefined: only the settings. */
  readonly dir: GivenPath | undefined;
  readonly settingsDir: GivenPath | undefined;
  /** Files with the facts of one machine each; made-up machines when there are none. */
  readonly facts: readonly GivenPath[];
  /** Only what the top file gives out. */
  readonly topOnly: boolean;
}

/** LINT_NOTHING when there is no directory, or nothing to look at in it. */
export async function lintDirectory(
  { dir, settingsDir, facts, topOnly }: LintRequest,
  { clock, random }: Runtime,
  signal: AbortSignal,
): Promise<LintReport> {
  const { files } = linuxSystem({ clock, random });
  const given = facts.map((file) => ({ name: file.shown, ...givenMachine(file), isReal: true }));
  const machines = given.length === 0 ? sampleMachines() : given;
  const common = { machines, functions: FUNCTIONS, runtime: templateAbilities({ clock, random }), signal };
  const found = new ProblemCollector('settings');
  const settings = await settingsIn(settingsDir, files, common, found);
  const states =
    dir === undefined
      ? { files: 0, problems: [] }
      : await lintTree({
          ...common,
          tree: await treeIn(files, dir),
          settingsOf: settings.settingsOf,
          topOnly,
          modules: STATE_MODULES,
        });
  const shown = dir ?? settingsDir;
  if (states.files + (dir === undefined ? settings.files : 0) === 0)
    throw zesterError('LINT_NOTHING', { dir: shown?.shown ?? '' });
  return {
    files: states.files,
    settingsFiles: settings.files,
    facts: machines.map(({ name }) => name),
    isSample: given.length === 0,
    problems: [...found.sorted(), ...states.problems],
  };
}

async function treeIn(files: ReadFiles, { path, shown }: GivenPath): Promise<StateTree> {
  if ((await files.stat(path))?.kind !== 'directory') throw zesterError('LINT_NOTHING', { dir: shown });
  return localTree(files, path);
}

/** A settings tree is linted; plain files are only read, and what is wrong with one ends it. */
async function settingsIn(
  dir: GivenPath | undefined,
  files: ReadFiles,
  common: Omit<SettingsLintInput, 'tree'>,
  found: ProblemCollector,
): Promise<LintedSettings> {
  if (dir === undefined) return { files: 0, settingsOf: () => ({}) };
  const names = await namesIn(files, dir.path);
  if (isSettingsTree(names)) return lintSettings({ ...common, tree: localTree(files, dir.path) }, found);
  const { settings } = await readPlainSettings(files, dir.path, names);
  return { files: 0, settingsOf: () => settings };
}
