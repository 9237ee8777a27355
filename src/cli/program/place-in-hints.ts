/**
 * This file gives commands in hints the place that was given to this one: who asked a fleet by `--dir` or `--nats-url`
 * and copies `zester job list` from a hint means that fleet. Taken from the bare words, because the options themselves
 * may be what is wrong.
 */
import { shellWord } from '../../core/shell-word.ts';

const FLEET = ['dir', 'nats-url', 'auth-dir', 'ca'];
/** By the first word of a command: the options that name the place, for those that go to a fleet. */
export const PLACE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  job: FLEET,
  peel: FLEET,
  enroll: FLEET,
  settings: FLEET,
  master: FLEET,
  secret: FLEET,
  auth: FLEET,
  files: FLEET,
  doctor: FLEET,
  up: ['dir'],
  down: ['dir'],
};
/** Their `--dir` is a directory of keys. */
const isOfKeys = ([noun = '', verb = '']: readonly string[]) =>
  noun === 'ca' || (noun === 'auth' && verb === 'init');

/** Commands stand in backticks, with `program` in front: `` `bin/zester job list` ``. */
export function withPlace(hint: string, program: string, words: readonly string[]): string {
  if (isOfKeys(words)) return hint;
  return hint
    .split('`')
    .map((part, index) => (index % 2 === 1 ? placed(part, program, words) : part))
    .join('`');
}

function placed(command: string, program: string, words: readonly string[]): string {
  if (!command.startsWith(`${program} `)) return command;
  const [first = '', second = ''] = command.slice(program.length + 1).split(' ');
  if (isOfKeys([first, second])) return command;
  const names = Object.hasOwn(PLACE_OPTIONS, first) ? (PLACE_OPTIONS[first] ?? []) : [];
  const given = names.flatMap((name) => {
    // Some hints name the directory themselves.
    if (command.includes(` --${name} `)) return [];
    const value = givenValue(name, words);
    return value === undefined ? [] : [` --${name} ${shellWord(value)}`];
  });
  return `${command}${given.join('')}`;
}

/** Words behind `--` belong to a function. */
function givenValue(name: string, words: readonly string[]): string | undefined {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const at = own.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (at < 0) return undefined;
  const word = own[at] ?? '';
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : own[at + 1];
}
