/** `lintDirectory` lints a directory of state files, as a peel on this machine would read it. */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isDataMap, wireOfDataMap } from '../../core/data/data-value.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { lookUpPath } from '../../core/states/template/data-path.ts';
import { readYamlValue } from '../../core/states/template/yaml-value.ts';
import { FUNCTIONS } from '../../modules/registry.ts';
import { STATE_MODULES } from '../../modules/state-registry.ts';
import { readLocalSettings } from '../../peel/states/local-settings.ts';
import { localTree } from '../../peel/states/local-tree.ts';
import { digest, hmac } from '../../runtime/digest.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { linuxSystem } from '../../system/linux/linux-system.ts';
import { isWireMap, type WireMap } from '../../wire/msgpack/wire-value.ts';
import { parsePeelId } from '../../wire/names/ids.ts';
import type { LintMachine } from './lint-machine.ts';
import type { LintReport } from './lint-report.ts';
import { lintTree } from './lint-tree.ts';
import { sampleMachines } from './sample-facts.ts';

/** A path as a person gave it, and where it leads. */
export interface GivenPath {
  readonly shown: string;
  readonly path: string;
}

export interface LintRequest {
  readonly dir: GivenPath;
  readonly settingsDir: string | undefined;
  /** Files with the facts of one machine each; made-up machines when there are none. */
  readonly facts: readonly GivenPath[];
  /** Only what the top file gives out. */
  readonly topOnly: boolean;
}

/** LINT_NOTHING when there is no directory, or no state file in it. */
export async function lintDirectory(
  { dir, settingsDir, facts, topOnly }: LintRequest,
  { clock, random }: Runtime,
  signal: AbortSignal,
): Promise<LintReport> {
  const { files } = linuxSystem({ clock, random });
  const tree = localTree(files, dir.path);
  if ((await files.stat(tree.where))?.kind !== 'directory')
    throw zesterError('LINT_NOTHING', { dir: dir.shown });
  const settings = await readLocalSettings(files, settingsDir);
  const machines = facts.map(machineOf);
  const report = await lintTree({
    tree,
    machines: machines.length === 0 ? sampleMachines() : machines,
    settings,
    topOnly,
    functions: FUNCTIONS,
    modules: STATE_MODULES,
    runtime: { digest, hmac, random: () => random.fraction(), nowMs: () => clock.nowMs() },
    signal,
  });
  if (report.files === 0) throw zesterError('LINT_NOTHING', { dir: dir.shown });
  return report;
}

/**
 * Facts as `facts.items` has them, or all that `peel show` tells of a peel. The peel is called as it says there, else by
 * `id` or by the name of the machine, else as the file.
 */
function machineOf({ shown, path }: GivenPath): LintMachine {
  const given = factsOf(shown, path);
  const isPeel = typeof given.peel_id === 'string' && isWireMap(given.facts);
  const facts = isPeel ? (given.facts as WireMap) : given;
  const names = [
    ...(isPeel ? [given.peel_id] : []),
    facts.id,
    lookUpPath(facts, 'network.hostname'),
    basename(shown).replace(/\..*$/, ''),
    'peel',
  ];
  const peelId = names
    .map((name) => (typeof name === 'string' ? parsePeelId(name) : undefined))
    .find(Boolean);
  if (peelId === undefined) throw zesterError('LINT_FACTS', { path: shown, problem: 'they name no machine' });
  return { name: shown, peelId, facts, isReal: true };
}

function factsOf(shown: string, path: string): WireMap {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw zesterError('LINT_FACTS', { path: shown, problem: 'the file cannot be read' }, { cause });
  }
  try {
    const facts = readYamlValue(text, shown);
    if (isDataMap(facts)) return wireOfDataMap(facts);
  } catch (error) {
    if (!isZesterError(error)) throw error;
    throw zesterError(
      'LINT_FACTS',
      { path: shown, problem: error.message },
      { ...(error.at === undefined ? {} : { at: error.at }) },
    );
  }
  throw zesterError('LINT_FACTS', { path: shown, problem: 'they are no mapping of names to values' });
}
