/**
 * This file turns the words after a command into checked options. Nothing is guessed: what is unknown or doubled is an
 * error.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { nearestWord } from '../../core/suggest.ts';
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
  checkCount(command, plain);
  return {
    text: (name) => values.get(name)?.[0],
    texts: (name) => values.get(name) ?? [],
    on: (name) => switches.has(name),
    words: () => plain,
  };
}

/** As many words as its help shows, where that is a number: `<jid>` is one. An execution looks at its words itself. */
function checkCount(command: Command, plain: readonly string[]): void {
  const { takesWords = '', words } = command;
  if (words.length === 0) return;
  const wanted = takesWords.split(' ').filter(Boolean);
  const missing = wanted[plain.length];
  const extra = plain[wanted.length];
  if (missing?.startsWith('<'))
    throw zesterError('CLI_MISSING_OPTION', { command: commandName(command), option: missing });
  if (extra === undefined || takesWords.includes('…')) return;
  throw (
    command.extraWord?.() ??
    zesterError('CLI_EXTRA_ARGUMENT', { command: commandName(command), argument: extra })
  );
}

function readOption(command: Command, word: string): { option: OptionSpec; inline: string | undefined } {
  // One dash is a slip when a word follows it; a lone letter is no option of ours.
  const match = /^(--|-(?=[a-z]{2}))([^=]+)(?:=([\s\S]*))?$/i.exec(word);
  if (match === null)
    throw zesterError('CLI_EXTRA_ARGUMENT', { command: commandName(command), argument: word });
  const [, dashes = '', name = '', inline] = match;
  const option = command.options.find((each) => each.name === name);
  if (option !== undefined && dashes === '--') return { option, inline };
  const near = nearestWord(
    name,
    command.options.map((each) => each.name),
  );
  throw zesterError('CLI_UNKNOWN_OPTION', {
    command: commandName(command),
    option: `${dashes}${name}`,
    suggestion: near === undefined ? forFunction(command) : `; did you mean --${near}?`,
  });
}

/** Of an execution: the option may have been meant for what runs on the peels. */
function forFunction(command: Command): string {
  return command.words.length > 0 ? '' : '; what is meant for the function stands in quotes or behind --';
}

function problem(option: OptionSpec, text: string): Error {
  return zesterError('CLI_OPTION_VALUE', { option: `--${option.name}`, problem: text });
}
