/** `zester lint`: reads what was given, lints, prints. */
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { LintMachine } from '../../authoring/lint/lint-machine.ts';
import { lintTree } from '../../authoring/lint/lint-tree.ts';
import { sampleMachines } from '../../authoring/lint/sample-facts.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { printableJson, printableText } from '../../core/printable.ts';
import { lookUpPath } from '../../core/states/template/data-path.ts';
import { readYamlValue } from '../../core/states/template/yaml-value.ts';
import { FUNCTIONS } from '../../modules/registry.ts';
import { STATE_MODULES } from '../../modules/state-registry.ts';
import { readLocalSettings } from '../../peel/states/local-settings.ts';
import { localTree } from '../../peel/states/local-tree.ts';
import { digest, hmac } from '../../runtime/digest.ts';
import { linuxSystem } from '../../system/linux/linux-system.ts';
import { isWireMap, type WireMap } from '../../wire/msgpack/wire-value.ts';
import { parsePeelId } from '../../wire/names/ids.ts';
import type { CliContext, GivenOptions } from '../program/command.ts';
import { countOf, lintRecord, lintText } from './format-lint.ts';

const EXIT_PROBLEMS = 2;

/** Resolves to the exit code. */
export async function lintStates(context: CliContext, given: GivenOptions): Promise<number> {
  const { clock, random } = context.runtime;
  const [dir = ''] = given.words();
  const { files } = linuxSystem({ clock, random });
  const tree = localTree(files, resolve(context.cwd, dir));
  if ((await files.stat(tree.where))?.kind !== 'directory') throw zesterError('LINT_NOTHING', { dir });
  const settingsDir = given.text('settings');
  const settings = await readLocalSettings(
    files,
    settingsDir === undefined ? undefined : resolve(context.cwd, settingsDir),
  );
  const realMachines = given.texts('facts').map((path) => machineOf(path, resolve(context.cwd, path)));
  const report = await lintTree({
    tree,
    machines: realMachines.length === 0 ? sampleMachines() : realMachines,
    settings,
    topOnly: given.on('top'),
    functions: FUNCTIONS,
    modules: STATE_MODULES,
    runtime: { digest, hmac, random: () => random.fraction(), nowMs: () => clock.nowMs() },
    signal: context.interrupted,
  });
  if (report.files === 0) throw zesterError('LINT_NOTHING', { dir });
  const isJson = given.text('format') === 'json';
  const text = () => printableText(lintText(report, dir, context.program));
  context.out(isJson ? `${printableJson(lintRecord(report), 2)}\n` : text());
  return countOf(report.problems, 'error') > 0 ? EXIT_PROBLEMS : 0;
}

/**
 * Facts as `facts.items` has them, or all that `peel show` tells of a peel. The peel is called as it says there, else by
 * `id` or by the name of the machine, else as the file.
 */
function machineOf(shown: string, path: string): LintMachine {
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
    if (isWireMap(facts)) return facts;
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
