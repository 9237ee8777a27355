/** Turns the words after a command into checked options. Nothing is guessed: what is unknown or doubled is an error. */
import { zesterError } from '../core/errors/zester-error.ts';
import { nearestWord } from '../core/suggest.ts';
import { type Command, commandName, type GivenOptions, type OptionSpec } from './command.ts';

export function parseOptions(command: Command, words: readonly string[]): GivenOptions {
  const values = new Map<string, string[]>();
  const switches = new Set<string>();
  const rest = [...words];
  const plain: string[] = [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (command.takesWords !== undefined && !word.startsWith('--')) {
      plain.push(word);
      continue;
    }
    // Everything after a lone `--` is a word, also what looks like an option.
    if (command.takesWords !== undefined && word === '--') {
      plain.push(...rest.splice(0));
      continue;
    }
    const { option, inline } = readOption(command, word);
    if (option.value === undefined) {
      if (inline !== undefined) throw problem(option, 'takes no value');
      switches.add(option.name);
      continue;
    }
    const value = inline ?? rest.shift();
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('--')))
      throw problem(option, `needs a value: ${option.value}`);
    if (option.choices?.includes(value) === false)
      throw problem(option, `is ${option.choices.join(' or ')}, not ${value}`);
    const given = values.get(option.name) ?? [];
    if (given.length > 0 && option.repeatable !== true) throw problem(option, 'was given twice');
    values.set(option.name, [...given, value]);
  }
  return {
    text: (name) => values.get(name)?.[0],
    texts: (name) => values.get(name) ?? [],
    on: (name) => switches.has(name),
    words: () => plain,
  };
}

function readOption(command: Command, word: string): { option: OptionSpec; inline: string | undefined } {
  const match = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word);
  if (match === null)
    throw zesterError('CLI_EXTRA_ARGUMENT', { command: commandName(command), argument: word });
  const [, name = '', inline] = match;
  const option = command.options.find((each) => each.name === name);
  if (option !== undefined) return { option, inline };
  const near = nearestWord(
    name,
    command.options.map((each) => each.name),
  );
  throw zesterError('CLI_UNKNOWN_OPTION', {
    command: commandName(command),
    option: `--${name}`,
    suggestion: near === undefined ? '' : `; did you mean --${near}?`,
  });
}

function problem(option: OptionSpec, text: string): Error {
  return zesterError('CLI_OPTION_VALUE', { option: `--${option.name}`, problem: text });
}
