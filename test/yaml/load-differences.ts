/**
 * This list says where we read a YAML text differently than Salt, on purpose. docs/reference/jinja.md tells the same
 * to people.
 */
export interface LoadDifference {
  readonly name: string;
  readonly reason: string;
  /** Whether a text that we read differently is one of these. `problem` is what we refuse it for, if we do. */
  readonly matches: (text: string, problem: string | undefined) => boolean;
}

export const LOAD_DIFFERENCES: readonly LoadDifference[] = [
  {
    name: 'a value that holds itself',
    reason: 'It could not be sent, printed or compared; Salt builds it all the same.',
    matches: (_text, problem) => problem !== undefined && /stands inside of what it names/.test(problem),
  },
  {
    name: 'sexagesimal numbers',
    reason: 'A time of day that becomes 750 surprises everybody (decision 15).',
    matches: (text, problem) => problem === undefined && /^(?:time: )?-?\d+(?::\d+)+/.test(text),
  },
  {
    name: 'sets and pairs',
    reason: 'Neither a state nor a setting can hold what only Python has.',
    matches: (_text, problem) => problem !== undefined && /2002:(?:set|pairs) is not known/.test(problem),
  },
  {
    name: 'odd numbers under a tag',
    reason: 'Python reads these; nobody writes them.',
    matches: (text) => ['a: !!float inf\n', 'a: ! |\n  1\n', 'a: !!int 12:30\n'].includes(text),
  },
];
