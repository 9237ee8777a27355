/** This file is `zester lint`: it lints what was given, prints. */
import { resolve } from 'node:path';
import { countBySeverity, lintRecord, lintText } from '../../authoring/lint/format-lint.ts';
import { lintDirectory } from '../../authoring/lint/lint-directory.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableJson, printableText } from '../../core/printable.ts';
import type { CliContext, GivenOptions } from '../program/command.ts';

const EXIT_PROBLEMS = 2;

/** Resolves to the exit code. */
export async function runLint(context: CliContext, given: GivenOptions): Promise<number> {
  const [dir] = given.words();
  const at = (shown: string) => ({ shown, path: resolve(context.cwd, shown) });
  const settings = given.text('settings');
  if (dir === undefined && settings === undefined)
    throw zesterError('CLI_MISSING_OPTION', { command: 'lint', option: '<dir>' });
  const request = {
    dir: dir === undefined ? undefined : at(dir),
    settingsDir: settings === undefined ? undefined : at(settings),
    facts: given.texts('facts').map(at),
    topOnly: given.on('top'),
  };
  const report = await lintDirectory(request, context.runtime, context.interrupted);
  const isJson = given.text('format') === 'json';
  const text = () => printableText(lintText(report, { states: dir, settings }, context.program));
  context.out(isJson ? `${printableJson(lintRecord(report), 2)}\n` : text());
  return countBySeverity(report.problems, 'error') > 0 ? EXIT_PROBLEMS : 0;
}
