/**
 * This is the program behind `zester render` and `zester lint`: `zester` checks the words and starts it. Apart from
 * `zester`, so that no other command loads the template engine.
 */

import { zesterError } from '../../core/errors/zester-error.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { parseOptions } from '../program/parse-options.ts';
import { makeContext, startProgram } from '../program/start-program.ts';
import { lintCommand } from './lint.ts';
import { renderCommand } from './render.ts';
import { runLint } from './run-lint.ts';
import { runRender } from './run-render.ts';

type Run = (context: CliContext, given: GivenOptions) => Promise<number>;

const COMMANDS: Readonly<Record<string, readonly [command: Command, run: Run]>> = {
  render: [renderCommand, runRender],
  lint: [lintCommand, runLint],
};

startProgram(async ([name = '', ...words], program, output) => {
  const [command, run] = COMMANDS[name] ?? [];
  if (command === undefined || run === undefined)
    throw zesterError('CLI_UNKNOWN_COMMAND', { command: name, suggestion: '' });
  return run(makeContext(program, output), parseOptions(command, words));
});
