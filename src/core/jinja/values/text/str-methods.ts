/** This table has all methods of str, but for `format` and `format_map`: those are in `format-methods.ts`. */
import { keyed, methodTable, type Native } from '../native.ts';
import { CASE_METHODS } from './str-case.ts';
import { CLASSIFY_METHODS } from './str-classify.ts';
import { SEARCH_METHODS } from './str-search.ts';
import { SHAPE_METHODS } from './str-shape.ts';
import { SPLIT_METHODS } from './str-split.ts';
import { TRANSLATE_METHODS } from './str-translate.ts';
import { encodeText } from './text-codec.ts';
import { textParameter } from './text-parameter.ts';

const encode: Native<string> = keyed(['encoding', 'errors'], (text, [encoding, errors]) =>
  encodeText(
    text,
    textParameter(encoding, 'encode', 'encoding', 'utf-8'),
    textParameter(errors, 'encode', 'errors', 'strict'),
  ),
);

export const STR_NATIVES: Readonly<Record<string, Native<string>>> = {
  ...CASE_METHODS,
  ...CLASSIFY_METHODS,
  ...SEARCH_METHODS,
  ...SHAPE_METHODS,
  ...SPLIT_METHODS,
  ...TRANSLATE_METHODS,
  encode,
};

export const STR_METHODS = methodTable<string>('str', STR_NATIVES);
