/**
 * `compileFactTest` makes a value with its operator a predicate over what a peel has (fact-values.ts). Equality ignores
 * case; order is by number where both sides are numbers and by text, ignoring case, otherwise. Of several values one
 * that fits is enough, except for `!=`, where none may be equal: it is the exact opposite of equality, among peels that
 * have the fact.
 */
import { assert, never } from '../assert.ts';
import { compileGlob, isGlobFault } from './glob.ts';
import { type FactMatcher, hasWildcards } from './target.ts';

/** Takes the values of a peel that has the fact, in lower case. */
export type FactTest = (values: readonly string[]) => boolean;

export function compileFactTest(matcher: Pick<FactMatcher, 'operator' | 'value'>): FactTest {
  const { operator, value } = matcher;
  switch (operator) {
    case '=':
      return anyOf(equalTo(matcher));
    case '!=': {
      const hasEqual = anyOf(equalTo(matcher));
      return (values) => !hasEqual(values);
    }
    case '>':
      return anyOf(ordered(value, (order) => order > 0));
    case '>=':
      return anyOf(ordered(value, (order) => order >= 0));
    case '<':
      return anyOf(ordered(value, (order) => order < 0));
    case '<=':
      return anyOf(ordered(value, (order) => order <= 0));
    default:
      return never(operator);
  }
}

type ValueTest = (value: string) => boolean;

function anyOf(test: ValueTest): FactTest {
  return (values) => {
    for (const value of values) if (test(value)) return true;
    return false;
  };
}

function equalTo({ operator, value }: Pick<FactMatcher, 'operator' | 'value'>): ValueTest {
  const wanted = value.toLowerCase();
  if (!hasWildcards(operator, value)) return (found) => found === wanted;
  const glob = compileGlob(value, { ignoreCase: true });
  assert(!isGlobFault(glob), 'a fact matcher was parsed with a malformed glob');
  return glob;
}

function ordered(value: string, holds: (order: number) => boolean): ValueTest {
  const wanted = value.toLowerCase();
  const wantedNumber = finiteNumber(wanted);
  return (found) => {
    const foundNumber = wantedNumber === undefined ? undefined : finiteNumber(found);
    if (wantedNumber === undefined || foundNumber === undefined) return holds(compare(found, wanted));
    return holds(compare(foundNumber, wantedNumber));
  };
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const NUMBER = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,5})?$/;

/** Stricter than Number(): neither the empty text nor `0x10` is a number. */
function finiteNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
