/** This is the program behind `zester render` and `zester lint`: `zester` checks the words and starts it. */
import type { CliContext, Command, GivenOptions } from '../cli/command.ts';
import { lintCommand } from '../cli/commands/lint.ts';
import { renderCommand } from '../cli/commands/render.ts';
import { parseOptions } from '../cli/parse-options.ts';
import { makeContext, startProgram } from '../cli/start-program.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import { lintStates } from './lint/lint-states.ts';
import { renderTemplate } from './render/render-template.ts';

type Run = (context: CliContext, given: GivenOptions) => Promise<number>;

const COMMANDS: Readonly<Record<string, readonly [command: Command, run: Run]>> = {
  render: [renderCommand, renderTemplate],
  lint: [lintCommand, lintStates],
};

startProgram(async ([name = '', ...words], program, output) => {
  const [command, run] = COMMANDS[name] ?? [];
  if (command === undefined || run === undefined)
    throw zesterError('CLI_UNKNOWN_COMMAND', { command: name, suggestion: '' });
  return run(makeContext(program, output), parseOptions(command, words));
});
