/** `cmd.*`: any command, as any user. */

import { formatDuration } from '../../core/duration.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { optional, required, type ValuesOf, withDefault } from '../../core/params/params.ts';
import type { Output, RunResult } from '../../system/processes.ts';
import { outputText } from '../../system/processes.ts';
import { action, type ExecutionFunction, type FunctionOutcome, type QueryContext } from '../contract.ts';

/** Of stdout and stderr each: enough to read, and two of them fit a NATS message of 1 MiB. */
export const OUTPUT_BYTES_MAX = 256 * 1024;
const TIMEOUT_MS_DEFAULT = 3_600_000;
const TIMEOUT_MS_MAX = 24 * 3_600_000;

const params = {
  command: required('string', {
    primary: true,
    aliases: ['cmd'],
    doc: 'What to run, as you would type it: it is handed to /bin/sh -c.',
  }),
  cwd: withDefault('string', '/', { aliases: ['dir'], doc: 'The directory it starts in.' }),
  env: withDefault(
    'string-map',
    {},
    {
      doc: 'Variables added to a clean environment: a map, or K=V,K2=V2, or a JSON object.',
      sensitive: true,
    },
  ),
  user: optional('string', {
    aliases: ['runas'],
    doc: 'Who runs it, with all its groups. Default: the user of the peel.',
  }),
  timeout: withDefault('duration', TIMEOUT_MS_DEFAULT, {
    doc: 'After this it is killed, with everything it started. The deadline of the job ends it as well.',
  }),
  stdin: optional('string', { doc: 'What it can read. Default: nothing.', sensitive: true }),
};

const run = action({
  name: 'cmd.run',
  summary: 'Runs a command and answers with what it printed and its exit code.',
  description: [
    'An exit code other than 0 is a failure. A command that ran counts as a change: nobody can know.',
    `The first ${OUTPUT_BYTES_MAX / 1024} KiB of stdout and of stderr are kept, the rest is counted and dropped.`,
    `The longest timeout is ${formatDuration(TIMEOUT_MS_MAX)}. A dry run starts nothing.`,
  ].join('\n'),
  params,
  changesMachine: true,
  examples: [
    "zester 'web-*' cmd.run uptime",
    "zester web-01 cmd.run 'git pull --ff-only' cwd=/srv/app user=deploy timeout=2m",
    "zester web-01 cmd.run 'echo $GREETING' env=GREETING=hello,LANG=C",
  ],
  async run({ command, cwd, env, user, timeout, stdin }, { system, signal }) {
    refuseOverlong(timeout);
    const ended = await system.processes.run({
      shell: command,
      cwd,
      env,
      timeoutMs: timeout,
      signal,
      stdoutBytesMax: OUTPUT_BYTES_MAX,
      stderrBytesMax: OUTPUT_BYTES_MAX,
      ...(user === undefined ? {} : { user }),
      ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
    });
    return { changed: true, ...howItEnded(ended, timeout), details: { command, ...detailsOf(ended) } };
  },
  async preview(values, context) {
    refuseOverlong(values.timeout);
    await refuseImpossible(values, context);
    const wouldRun = `would run: ${values.command}`;
    return { changed: true, diff: wouldRun, result: wouldRun, details: { command: values.command } };
  },
});

function howItEnded(ended: RunResult, timeoutMs: number): Pick<FunctionOutcome, 'error'> {
  if (ended.endedBy === 'timeout') return { error: `timed out after ${formatDuration(timeoutMs)}, killed` };
  if (ended.endedBy === 'abort') return { error: 'killed' };
  if (ended.exitCode === 0) return {};
  return {
    error: ended.exitCode === undefined ? `ended by ${ended.signal}` : `exited with ${ended.exitCode}`,
  };
}

function detailsOf({ exitCode, signal, stdout, stderr, outputLeftOpen }: RunResult): Record<string, string> {
  return {
    stdout: keptText(stdout),
    stderr: keptText(stderr),
    ...(exitCode === undefined ? {} : { exitcode: String(exitCode) }),
    ...(signal === undefined ? {} : { signal }),
    ...(outputLeftOpen
      ? { note: 'something it started still runs; what that prints from now on is not kept' }
      : {}),
  };
}

/** Without the newlines at its end, as a shell's $(…) gives it. */
function keptText(output: Output): string {
  if (output.bytesDropped > 0)
    return `${outputText(output)}\n[${output.bytesDropped} more bytes were not kept]`;
  return outputText(output).replace(/\n+$/, '');
}

function refuseOverlong(timeoutMs: number): void {
  if (timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX) return;
  const problems = `timeout must be more than 0 and at most ${formatDuration(TIMEOUT_MS_MAX)}`;
  throw zesterError('MODULE_BAD_ARGUMENTS', { function: 'cmd.run', problems });
}

/** What would keep the command from being started, as the start itself would say it. */
async function refuseImpossible(
  { user, cwd }: ValuesOf<typeof params>,
  { system }: QueryContext,
): Promise<void> {
  if (user !== undefined && (await system.accounts.user(user)) === undefined)
    throw zesterError('USER_UNKNOWN', { user });
  if ((await system.files.stat(cwd))?.kind === 'directory') return;
  const reason = `no working directory ${cwd}`;
  throw zesterError('PROCESS_START_FAILED', { program: '/bin/sh', reason, errno: 'ENOENT' });
}

export const CMD_FUNCTIONS: readonly ExecutionFunction[] = [run];
