/**
 * This file reads the Salt form: `zester '<target>' module.function [argument] [key=value …]`. Values stay texts on the
 * wire; the peel knows the types. A word that is no `key=value` is the argument; functions of free text take several,
 * so that `cmd.run 'ls -l'` and `cmd.run ls -l` are the same, a few name two, and `pillar.item` names any number.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { shellWord } from '../../core/shell-word.ts';
import { functionsLike, KNOWN_FUNCTIONS } from './known-functions.ts';
import { withoutSaltFlag } from './salt-flags.ts';

export interface ExecWords {
  readonly target: string;
  readonly functionName: string;
  /** The bare argument; empty when there is none. */
  readonly id: string;
  readonly args: Readonly<Record<string, string>>;
}

const FUNCTION = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/i;
const KEY_VALUE = /^([a-z_][a-z0-9_-]*)=([\s\S]*)$/i;
/** Functions whose argument is free text: words after it belong to it. */
const FREE_TEXT = ['cmd.run', 'test.echo'];
/** Functions that are called with two bare arguments, and the parameters that these are. */
const TWO_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  'facts.set': ['key', 'value'],
  'grains.set': ['key', 'value'],
  'grains.setval': ['key', 'value'],
  'state.single': ['fun', 'name'],
};
/** Functions that take several names. */
const SEVERAL_NAMES = ['pillar.item', 'settings.item'];
/** More than these are a list, not a guess. */
const SUGGESTIONS_MAX = 4;

export function isFunctionName(word: string): boolean {
  return FUNCTION.test(word);
}

export function parseExecWords(words: readonly string[]): ExecWords {
  const [target, functionName, ...rest] = withoutSaltFlag(words);
  if (target === undefined || target === '') throw problem('there is no target');
  if (isMissingTarget(target, functionName)) throw problem(noTarget(words));
  if (functionName === undefined) throw problem(`what should ${target} do?`);
  if (!isFunctionName(functionName)) throw problem(notAFunction(functionName, rest));
  const isFreeText = FREE_TEXT.includes(functionName.toLowerCase());
  const args: Record<string, string> = {};
  const bare: string[] = [];
  for (const word of rest) {
    const [, key, value] = KEY_VALUE.exec(word) ?? [];
    if (key === undefined || value === undefined) bare.push(word);
    else if (Object.hasOwn(args, key)) throw problem(`${key} is given twice`);
    else args[key] = value;
  }
  const [first, second] = TWO_WORDS[functionName.toLowerCase()] ?? [];
  if (bare.length === 2 && first !== undefined && second !== undefined) {
    const [one = '', two = ''] = bare;
    if (Object.hasOwn(args, second)) throw problem(`${second} is given twice`);
    return { target, functionName, id: one, args: { ...args, [second]: two } };
  }
  if (SEVERAL_NAMES.includes(functionName.toLowerCase()) && !bare.some((word) => word.startsWith('-')))
    return { target, functionName, id: bare.join(','), args };
  if (isFreeText) checkFreeText(functionName, bare);
  else if (bare.length > 1) throw problem(tooMany(functionName, bare));
  return { target, functionName, id: bare.join(' '), args };
}

/** `cmd.run 'reboot now' -b 1`: what stands behind a command in quotes was meant for us, not for the machines. */
function checkFreeText(functionName: string, [first, second]: readonly string[]): void {
  if (second === undefined || !/\s/.test(first ?? '')) return;
  throw problem(
    `there is ${second} behind the text in quotes; put all of what ${functionName} gets into one pair of quotes, options before the target`,
  );
}

/** `state.apply web`: what stands in the place of the target is a function, and no function is behind it. */
function isMissingTarget(target: string, functionName: string | undefined): boolean {
  return KNOWN_FUNCTIONS.includes(target) && !KNOWN_FUNCTIONS.includes(functionName ?? '');
}

function noTarget(words: readonly string[]): string {
  const meant = ["'*'", ...words.map(shellWord)].join(' ');
  return `on which peels should ${words[0]} run? The target is missing; for all of them: \`zester ${meant}\``;
}

function notAFunction(word: string, behind: readonly string[]): string {
  if (behind.some(isFunctionName)) return `${word} is not a function; ${ONE_WORD}`;
  const meant = functionsLike(word);
  if (meant.length > SUGGESTIONS_MAX) return `${word} is not a function; there are ${meant.join(', ')}`;
  if (meant.length > 0) return `${word} is not a function; did you mean ${meant.join(' or ')}?`;
  return `${word} is not a function such as test.ping; to run it on the machine: cmd.run ${word}`;
}

function tooMany(functionName: string, bare: readonly string[]): string {
  // `zester * test.ping`: the shell has put file names in the place of the star, and some look like functions.
  if (bare.some((word) => KNOWN_FUNCTIONS.includes(word)))
    return `${functionName} is not a function; ${ONE_WORD}`;
  if (bare.some((word) => /^-b$|^--batch/.test(word)))
    return `${functionName} runs on all targets at once, there are no batches; narrow the target, as in 'E@^web-0[1-3]$'`;
  const option = bare.find((word) => /^-[a-z]{2}/.test(word));
  if (option !== undefined)
    return `${functionName} takes one argument, not also ${option}; options have two dashes`;
  return `${functionName} takes one argument, not also ${bare[1]}`;
}

const ONE_WORD = "the target is one word: put it in quotes ('*', 'web-01 or db-01')";

function problem(text: string): Error {
  return zesterError('CLI_EXEC_WORDS', { problem: text });
}
