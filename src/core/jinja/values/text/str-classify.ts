/** These are the methods of str that ask what kind of characters it has. */

import { IDENTIFIER } from '../../../regex/character-classes.ts';
import { type Native, none } from '../native.ts';
import { isPrintablePoint } from '../print.ts';
import { ALL_ALNUM, ALL_ALPHA, ALL_DECIMAL, ALL_DIGIT, ALL_NUMERIC, ALL_SPACE } from './unicode.ts';

export const CLASSIFY_METHODS: Readonly<Record<string, Native<string>>> = {
  isalnum: none((text) => ALL_ALNUM.test(text)),
  isalpha: none((text) => ALL_ALPHA.test(text)),
  isascii: none((text) => /^[\x00-\x7f]*$/.test(text)),
  isdecimal: none((text) => ALL_DECIMAL.test(text)),
  isdigit: none((text) => ALL_DIGIT.test(text)),
  isidentifier: none((text) => IDENTIFIER.test(text)),
  isnumeric: none((text) => ALL_NUMERIC.test(text)),
  isprintable: none((text) => [...text].every(isPrintablePoint)),
  isspace: none((text) => ALL_SPACE.test(text)),
};
