/** This file finds the command that the words of a command line mean; says what they may have meant when they mean none. */
import { zesterError } from '../core/errors/zester-error.ts';
import { nearestWord } from '../core/suggest.ts';
import { COMMANDS } from './all-commands.ts';
import { execCommand } from './exec/exec-command.ts';
import { isFunctionName } from './exec/exec-words.ts';
import { functionsLike } from './exec/known-functions.ts';
import { isSaltFlag } from './exec/salt-flags.ts';
import { type Command, commandName } from './program/command.ts';

/** Verbs of salt-key and other tools, whose nearest spelling here means something else. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = {
  'enroll accept': 'enroll approve',
  'enroll sign': 'enroll approve',
  'enroll delete': 'enroll revoke',
  'enroll remove': 'enroll revoke',
  'peel ban': 'enroll revoke',
};

/** What only a target has: wildcards, a matcher, a list of words. */
const TARGET_SIGNS = /[*?@[(\s]/;

/** What is no command is a target with a function. Throws when it is neither. */
export function commandMeant(words: readonly string[]): Command {
  const command = COMMANDS.find((each) => each.words.every((word, index) => words[index] === word));
  if (command !== undefined) return command;
  const [first = '', second] = words.filter((word) => !word.startsWith('--'));
  if (words[0]?.startsWith('--')) return optionsFirst(words[0], words);
  if (words.some(isFunctionName) || TARGET_SIGNS.test(first) || isSaltFlag(first)) return execCommand;
  const group = commandsOf(first);
  const within = second === undefined ? group : commandsOf(first, second);
  if (within.length > 0)
    throw zesterError('CLI_WHICH_COMMAND', {
      group: second === undefined ? first : `${first} ${second}`,
      commands: within.map(commandName).join(', '),
    });
  throw unknown(first, second, group);
}

/** Which words are values of those options cannot be told; a function among them tells enough. */
function optionsFirst(option: string, words: readonly string[]): Command {
  if (words.some(isFunctionName)) return execCommand;
  throw zesterError('CLI_UNKNOWN_COMMAND', {
    command: option,
    suggestion: '; options stand behind the command',
  });
}

/** The commands of a group such as `job` or `enroll token`: those that start with its words and have more. */
export function commandsOf(...group: readonly string[]): readonly Command[] {
  return COMMANDS.filter(
    ({ words }) => words.length > group.length && group.every((word, index) => words[index] === word),
  );
}

/** A mistyped command first, then a target whose function lacks its family, then anything. */
function unknown(first: string, second: string | undefined, group: readonly Command[]): Error {
  const refuse = (command: string, suggestion: string) =>
    zesterError('CLI_UNKNOWN_COMMAND', { command, suggestion });
  const typed = second === undefined ? first : `${first} ${second}`;
  const whole = SAID_ELSEWHERE[typed] ?? nearestWord(typed, COMMANDS.map(commandName));
  if (whole !== undefined) return refuse(typed, `; did you mean \`zester ${whole}\`?`);
  if (group.length > 0) return refuse(typed, `; there are ${group.map(commandName).join(', ')}`);
  if (second !== undefined) {
    const [meant] = functionsLike(second);
    if (meant !== undefined)
      return refuse(first, `, and ${second} is not a function; did you mean \`zester ${first} ${meant}\`?`);
  }
  const start = nearestWord(
    first,
    COMMANDS.map((each) => each.words[0] ?? ''),
  );
  const started = COMMANDS.filter((each) => each.words[0] === start).map(commandName);
  if (started.length === 1) return refuse(first, `; did you mean \`zester ${started[0]}\`?`);
  if (started.length > 1) return refuse(first, `; did you mean one of ${started.join(', ')}?`);
  if (second === undefined) return refuse(first, '');
  return refuse(
    first,
    `, and ${second} is not a function; to run it on the machine: \`zester ${first} cmd.run ${second}\``,
  );
}
