/** The execution functions `cmd.*` run any command, as any user. */

import { formatDuration } from '../../core/duration.ts';
import { required } from '../../core/params/params.ts';
import { action, type ExecutionFunction } from '../contract.ts';
import {
  COMMAND_OUTPUT_BYTES_MAX,
  COMMAND_PARAMS,
  refuseImpossible,
  refuseOverlong,
  runCommandLine,
  TIMEOUT_MS_MAX,
} from './run-command-line.ts';

const run = action({
  name: 'cmd.run',
  summary: 'Runs a command and answers with what it printed and its exit code.',
  description: [
    'An exit code other than 0 is a failure. A command that ran counts as a change: nobody can know.',
    `The first ${COMMAND_OUTPUT_BYTES_MAX / 1024} KiB of stdout and of stderr are kept, the rest is counted and dropped.`,
    `The longest timeout is ${formatDuration(TIMEOUT_MS_MAX)}. A dry run starts nothing.`,
  ].join('\n'),
  params: {
    command: required('string', {
      primary: true,
      aliases: ['cmd'],
      doc: 'What to run, as you would type it: it is handed to /bin/sh -c.',
    }),
    ...COMMAND_PARAMS,
  },
  changesMachine: true,
  examples: [
    "zester 'web-*' cmd.run uptime",
    "zester web-01 cmd.run 'git pull --ff-only' cwd=/srv/app user=deploy timeout=2m",
    "zester web-01 cmd.run 'echo $GREETING' env=GREETING=hello,LANG=C",
  ],
  async run({ command, ...surroundings }, context) {
    refuseOverlong('cmd.run', surroundings.timeout);
    const outcome = await runCommandLine({ shell: command }, surroundings, context);
    return { changed: true, ...outcome, details: { command, ...outcome.details } };
  },
  async preview({ command, ...surroundings }, { system }) {
    refuseOverlong('cmd.run', surroundings.timeout);
    await refuseImpossible(surroundings, system);
    const wouldRun = `would run: ${command}`;
    return { changed: true, diff: wouldRun, result: wouldRun, details: { command } };
  },
});

export const CMD_FUNCTIONS: readonly ExecutionFunction[] = [run];
