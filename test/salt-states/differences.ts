/**
 * This list says where our compiler does not do what Salt's does, on purpose: `tree file` as the test prints it, and why.
 * docs/guides/coming-from-salt.md tells it to people.
 */
export interface Difference {
  /** Of the recorded cases. */
  readonly cases: readonly string[];
  readonly reason: string;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    cases: ['07-extend replace-function', '07-extend new-family'],
    reason:
      'extend of a function that the id does not have is an error with what it has (decision 13); Salt replaces the function, or adds one.',
  },
  {
    cases: ['05-require-spellings null-target', '13-use use-missing'],
    reason: 'What names nothing is an error (decision 13); Salt passes over it without a word.',
  },
  {
    cases: ['05-require-spellings dotted'],
    reason: 'A requisite may name the function as well (decision 13); Salt takes only the family.',
  },
  {
    cases: ['05-require-spellings null-list', '10-empty top-none'],
    reason: 'A list that a template left empty is an empty list; Salt wants the line gone.',
  },
  {
    cases: ['06-sls-requisites needs-empty'],
    reason:
      'A file without states is waited for in no time, with a warning; Salt says that it does not exist.',
  },
  {
    cases: ['09-short-forms list-body', '09-short-forms trailing-colon', '09-short-forms number-id'],
    reason: 'These forms can mean only one thing, so they are taken; Salt refuses them.',
  },
  {
    cases: ['09-short-forms two-of-a-family'],
    reason: 'An id may have several functions of a family, each is a state of its own; Salt refuses it.',
  },
  {
    cases: ['15-macros-and-imports users.anchored'],
    reason:
      'Arguments shared through an anchor stay as they are; Salt writes into them and then finds two functions.',
  },
  {
    cases: ['19-conflicts one,two', '19-conflicts two,one', '19-conflicts one,same', '19-conflicts both'],
    reason: 'The same id and function in two files are merged, with a warning; Salt refuses it.',
  },
  {
    cases: ['23-renderers name-is-a-number'],
    reason: 'A name is the text that was written, also where it looks like a number; Salt then takes the id.',
  },
  {
    cases: ['12-attributes check-cmd', '12-attributes creates-elsewhere', '12-attributes fire-event'],
    reason: 'Not there; the error says what to write instead.',
  },
  {
    cases: ['12-attributes guard-functions'],
    reason: 'onlyif and unless take shell commands and booleans, no functions; the error says so.',
  },
];
