/** Errors of target expressions. Each text ends with the expression and a caret under the place. */
import type { ErrorSpec } from './error-spec.ts';

export const TARGET_ERRORS = {
  TARGET_EMPTY: {
    exit: 1,
    http: 400,
    text: 'the target is empty',
    meaning: 'A target expression has no text but blanks, so it names nobody. Nothing was done.',
    hint: "write '*' if every peel is meant",
  },
  TARGET_TYPE_UNKNOWN: {
    exit: 1,
    http: 400,
    text: 'there is no target type {type}{suggestion}',
    meaning: 'A request named the kind of its target expression, and that kind does not exist.',
    hint: 'use glob, pcre, fact, settings, tag, compound or list, or leave the type out',
  },
  TARGET_SYNTAX: {
    exit: 1,
    http: 400,
    text: '{problem}\n{excerpt}',
    meaning:
      'Operators, parentheses or quotes of a target expression do not fit together. Nothing was matched and nothing was done.',
    hint: 'combine matchers with and, or, not and parentheses; put a value with blanks in quotes',
  },
  TARGET_PREFIX_UNKNOWN: {
    exit: 1,
    http: 400,
    text: '{prefix} is no matcher{suggestion}\n{excerpt}',
    meaning: 'A word of a target expression starts with letters and an @ that Zester does not know.',
    hint: 'G@ and I@ match facts, T@ tags, E@ a regular expression, L@ a list of ids; a word without @ is a glob. Capitals matter',
  },
  TARGET_GLOB_INVALID: {
    exit: 1,
    http: 400,
    text: '{problem}\n{excerpt}',
    meaning:
      'A glob is malformed, or has a character that no peel id has, so that it could never match anything.',
    hint: 'use *, ?, [a-z] and [!a-z]; ids have letters, digits, - and _, and a dot of a host name may be written as it is',
  },
  TARGET_REGEX_INVALID: {
    exit: 1,
    http: 400,
    text: 'the regular expression cannot be used: {problem}\n{excerpt}',
    meaning:
      'A regular expression is malformed, or uses what a linear-time engine (RE2) does not have: look-around and back-references.',
    hint: "the syntax is that of Python's re; what a look-around excludes can be said with `and not E@…`",
  },
  TARGET_FACT_INVALID: {
    exit: 1,
    http: 400,
    text: '{problem}\n{excerpt}',
    meaning: 'A fact matcher has no key or no value.',
    hint: 'write G@key:value, with dots for nested keys (G@os.family:debian), or G@cpu.count:>=4',
  },
  TARGET_TAG_INVALID: {
    exit: 1,
    http: 400,
    text: '{problem}\n{excerpt}',
    meaning: 'A tag matcher has no name, or a colon and no value behind it.',
    hint: 'write T@role:web, or T@role for peels that have the tag, whatever its value',
  },
  TARGET_LIST_INVALID: {
    exit: 1,
    http: 400,
    text: '{problem}\n{excerpt}',
    meaning: 'A list of peels is empty or has an item that cannot be the id of a peel.',
    hint: 'write exact ids with commas and no blanks between them: L@web-01,web-02',
  },
  TARGET_TOO_LARGE: {
    exit: 1,
    http: 400,
    text: 'the target has more than {max} {what}\n{excerpt}',
    meaning: 'A target expression is over one of the limits that keep a costly one from holding up a master.',
    hint: 'name many peels with one L@ list instead of many words joined by or, and shorten regular expressions',
  },
} as const satisfies Record<string, ErrorSpec>;
