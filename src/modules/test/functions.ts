/**
 * The execution functions `test.*` answer: is the peel there, does it hear what I say, what does a failure look like.
 */

import { formatDuration } from '../../core/duration.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { required, withDefault } from '../../core/params/params.ts';
import { sleep } from '../../runtime/clock.ts';
import { action, type ExecutionFunction, query } from '../contract.ts';

const SLEEP_MS_MAX = 3_600_000;

const ping = query({
  name: 'test.ping',
  summary: 'Answers true: the peel is there and takes commands.',
  params: {},
  examples: ["zester '*' test.ping"],
  run: async () => ({ changed: false, result: true }),
});

const echo = query({
  name: 'test.echo',
  summary: 'Answers with the text it was given.',
  params: { text: withDefault('string', '', { primary: true, doc: 'What to say back.' }) },
  examples: ["zester web-01 test.echo 'hello there'"],
  run: async ({ text }) => ({ changed: false, result: text }),
});

const version = query({
  name: 'test.version',
  summary: 'Answers with the version of the peel program.',
  params: {},
  examples: ["zester '*' test.version"],
  run: async (_, context) => ({ changed: false, result: context.version }),
});

const alwaysTrue = query({
  name: 'test.true',
  summary: 'Succeeds and answers true.',
  params: {},
  examples: ["zester '*' test.true"],
  run: async () => ({ changed: false, result: true }),
});

const alwaysFalse = query({
  name: 'test.false',
  summary: 'Fails and answers false: to see what a failure looks like.',
  params: {},
  examples: ["zester '*' test.false"],
  run: async () => ({ changed: false, result: false, error: 'test.false always fails' }),
});

// An action, so that it takes its turn at the worker: its use is to keep a peel busy.
const sleepFor = action({
  name: 'test.sleep',
  summary: 'Waits, then answers true. Ends at once when the job is cancelled.',
  description: `At most ${formatDuration(SLEEP_MS_MAX)}. A dry run does not wait.`,
  params: {
    duration: required('duration', {
      primary: true,
      aliases: ['seconds', 'length'],
      doc: 'How long; a bare number counts seconds.',
    }),
  },
  changesMachine: false,
  examples: ["zester '*' test.sleep 5s", 'zester web-01 test.sleep seconds=30'],
  async run({ duration }, { clock, signal }) {
    refuseOverlong(duration);
    await sleep(clock, duration, signal);
    return { changed: false, result: true };
  },
  async preview({ duration }) {
    refuseOverlong(duration);
    return { changed: false, result: `would sleep for ${formatDuration(duration)}` };
  },
});

function refuseOverlong(durationMs: number): void {
  if (durationMs <= SLEEP_MS_MAX) return;
  const problems = `duration is ${formatDuration(durationMs)}, the most is ${formatDuration(SLEEP_MS_MAX)}`;
  throw zesterError('MODULE_BAD_ARGUMENTS', { function: 'test.sleep', problems });
}

export const TEST_FUNCTIONS: readonly ExecutionFunction[] = [
  ping,
  echo,
  version,
  alwaysTrue,
  alwaysFalse,
  sleepFor,
];
