/**
 * This file understands Salt's targeting flags, for fingers that know them: `-G os:debian` is `G@os:debian`. In Salt a
 * flag says how the target is to be read and may stand before or behind it. Those that have no counterpart are refused
 * with what to write instead.
 */
import { zesterError } from '../../core/errors/zester-error.ts';

/** Flags with a prefix of ours; `-C` needs none, a target is always compound. */
const PREFIX_OF: ReadonlyMap<string, string> = new Map([
  ['-E', 'E@'],
  ['-G', 'G@'],
  ['-L', 'L@'],
  ['-C', ''],
]);

/** What to do instead. */
const NOT_HERE: ReadonlyMap<string, string> = new Map([
  ['-I', 'targets by settings (pillar) are not there yet; use a fact, as in G@role:web'],
  ['-J', 'targets by settings (pillar) are not there yet; use a fact, as in G@role:web'],
  ['-P', 'facts have no regular expressions; use wildcards in the value, as in G@os.name:deb*'],
  ['-S', 'targets by network are not there yet; use a fact, as in G@default_ipv4:10.1.*'],
  ['-N', 'there are no node groups yet; set a fact on the machines and use G@group:web'],
  ['-R', 'there are no ranges; use a regular expression, as in E@^web-0[1-9]$'],
  ['-b', 'there are no batches yet; narrow the target, as in E@^web-0[1-3]$'],
  ['-t', 'the option is --timeout, with a unit: --timeout 30s'],
]);

export function isSaltFlag(word: string): boolean {
  return PREFIX_OF.has(word) || NOT_HERE.has(word);
}

/** The words of an execution with the flag put into the target; the same words when there is none. */
export function withoutSaltFlag(words: readonly string[]): readonly string[] {
  const at = words.slice(0, 2).findIndex(isSaltFlag);
  if (at < 0) return words;
  const flag = words[at] ?? '';
  const instead = NOT_HERE.get(flag);
  if (instead !== undefined) throw problem(`${flag} is not an option here: ${instead}`);
  const [target, ...rest] = words.filter((_, index) => index !== at);
  if (target === undefined || target === '') throw problem(`there is no target behind ${flag}`);
  const prefix = PREFIX_OF.get(flag) ?? '';
  return [prefix === '' ? target : asOneWord(`${prefix}${target}`), ...rest];
}

/** Blanks and quotes mean something in a target; in quotes they do not. A target cannot have both kinds of quotes in it. */
function asOneWord(matcher: string): string {
  if (!/[\s'"]/.test(matcher)) return matcher;
  const quote = matcher.includes('"') ? "'" : '"';
  if (matcher.includes(quote)) throw problem(`${matcher} has both kinds of quotes in it`);
  return `${quote}${matcher}${quote}`;
}

function problem(text: string): Error {
  return zesterError('CLI_EXEC_WORDS', { problem: text });
}
