/** This file finds the command that the words of a command line mean, and runs it. */
import { versionLine } from '../runtime/version.ts';
import { COMMANDS } from './all-commands.ts';
import { execCommand } from './exec/exec-command.ts';
import { helpForAll, helpForCommand, helpForGroup } from './help.ts';
import { parseOptions } from './program/parse-options.ts';
import type { ProgramOutput } from './program/program-output.ts';
import { makeContext } from './program/start-program.ts';
import { commandMeant, commandsOf } from './words-meant.ts';

export async function dispatch(
  words: readonly string[],
  program: string,
  output: ProgramOutput,
): Promise<number> {
  const [first] = words;
  if (first === undefined || first === 'help' || asksForHelp(words)) {
    output.write(helpFor(words, program));
    return first === undefined ? 1 : 0;
  }
  const command = commandMeant(words);
  return command.run(makeContext(program, output), parseOptions(command, words.slice(command.words.length)));
}

/** `-h` behind a function belongs to what it runs: `cmd.run df -h`. Everything behind `--` does. */
function asksForHelp(words: readonly string[]): boolean {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  if (own.includes('--help') || own[0] === '-h') return true;
  return own.includes('-h') && commandMeant(words) !== execCommand;
}

/** For `help`, `help job`, `help job list`, and the same with --help at the end. */
function helpFor(words: readonly string[], program: string): string {
  const topic = words.filter((word, index) => !word.startsWith('-') && !(index === 0 && word === 'help'));
  if (topic.length === 0) return helpForAll(COMMANDS, versionLine('zester'), program);
  const group = commandsOf(...topic);
  if (group.length > 0) return helpForGroup(group, program);
  return helpForCommand(commandMeant(topic), program);
}
