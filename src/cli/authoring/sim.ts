/** `zester sim` as it is declared. */
import type { Command } from '../program/command.ts';
import { FORMAT_OPTION } from '../program/common-options.ts';
import { givenWords, runOtherProgram } from './other-program.ts';

/** The simulator is a program of its own: it holds master and peel, which no other command needs. */
export const simCommand: Command = {
  words: ['sim'],
  summary: 'simulate a whole fleet under faults, in virtual time',
  examples: [
    'zester sim --minutes 10 --peels 5',
    'zester sim --peels 1000 --masters 3 --hours 24 --faults all --seed 7',
    'zester sim --faults partition,freeze --seeds 100',
  ],
  detail: [
    'Runs the real master and peel code on a server and machines in memory, with faults drawn from a seed, and checks after',
    'every message that what Zester promises holds. The same seed gives the same run. Changes nothing outside of itself and',
    'needs no fleet. Exit code 2 when a promise was broken; then it prints the few faults that are enough, and how to replay.',
  ].join('\n'),
  options: [
    { name: 'seed', value: 'S', doc: 'of the run; default a fresh one, which is printed' },
    { name: 'seeds', value: 'N', doc: 'run so many seeds, counted up from the first; default 1' },
    { name: 'peels', value: 'N', doc: 'how many peels; default 20' },
    { name: 'masters', value: 'N', doc: 'how many masters; default 3' },
    { name: 'hours', value: 'H', doc: 'virtual time with faults; default 1' },
    { name: 'minutes', value: 'M', doc: 'the same in minutes' },
    { name: 'faults', value: 'all|none|KIND,…', doc: 'which kinds of faults; default all' },
    { name: 'intensity', value: 'X', doc: 'times as many faults as usual; default 1' },
    { name: 'jobs-per-minute', value: 'N', doc: 'how much the operators do; default 6' },
    { name: 'edits-per-minute', value: 'N', doc: 'how often somebody edits states and settings; default 3' },
    { name: 'only', value: 'N,…', doc: 'only these faults of the plan, by number: the replay of a failure' },
    { name: 'timeline', doc: 'print what happened, line by line' },
    FORMAT_OPTION,
  ],
  run: (context, given) => runOtherProgram('zester-sim', givenWords(simCommand, given), context),
};
