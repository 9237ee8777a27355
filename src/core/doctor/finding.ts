/**
 * A finding is what `zester doctor` says about one thing: a verdict, what was found, and what to do. The functions
 * beside this file turn facts into that; they ask nobody and never guess: what could not be learned is `unknown`, with
 * how to find out.
 */

export type Verdict =
  /** As it should be. */
  | 'ok'
  /** Works, but something that should protect it is missing. */
  | 'warn'
  /** Broken, or unsafe. */
  | 'fail'
  /** Could not be learned. */
  | 'unknown';

export interface Judgement {
  readonly verdict: Verdict;
  readonly found: string;
  /** Empty when there is nothing to do. */
  readonly fix: string;
}

export interface Finding extends Judgement {
  readonly check: string;
}

export const ok = (found: string): Judgement => ({ verdict: 'ok', found, fix: '' });
export const warn = (found: string, fix: string): Judgement => ({ verdict: 'warn', found, fix });
export const fail = (found: string, fix: string): Judgement => ({ verdict: 'fail', found, fix });
export const unknown = (found: string, fix: string): Judgement => ({ verdict: 'unknown', found, fix });

const NAMES_SHOWN_MAX = 5;

/** The first few names, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN_MAX;
  const shown = names.slice(0, NAMES_SHOWN_MAX).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** `1 master`, `2 masters`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
