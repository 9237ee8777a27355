/**
 * The execution functions and the states of `cmd.*` share what is here: how a command is described, started and told
 * about.
 */

import { formatDuration } from '../../core/duration.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { optional, withDefault } from '../../core/params/params.ts';
import type { Accounts } from '../../system/accounts.ts';
import type { ReadFiles } from '../../system/files.ts';
import type { ProcessOutput, RunResult } from '../../system/processes.ts';
import { outputText } from '../../system/processes.ts';
import type { System } from '../../system/system.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { GuardSurroundings } from '../state-contract.ts';

/** Of stdout and stderr each: enough to read, and two of them fit a NATS message of 1 MiB. */
export const COMMAND_OUTPUT_BYTES_MAX = 256 * 1024;
const TIMEOUT_MS_DEFAULT = 3_600_000;
export const TIMEOUT_MS_MAX = 24 * 3_600_000;

export const COMMAND_PARAMS = {
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

/** Handed to a shell, or a program with its arguments as they are. */
export type CommandLine =
  | { readonly shell: string }
  | { readonly argv: readonly [program: string, ...args: string[]] };

export interface CommandSurroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly stdin: string | undefined;
}

export interface CommandOutcome {
  readonly details: Readonly<Record<string, string>>;
  /** Numbers as numbers, and output that is no UTF-8 as the bytes it was. */
  readonly data: WireMap;
  readonly error?: string;
}

const ONLY_ZERO: ReadonlySet<number> = new Set([0]);

export async function runCommandLine(
  line: CommandLine,
  { cwd, env, user, timeout, stdin }: CommandSurroundings,
  { system, signal }: { readonly system: System; readonly signal: AbortSignal },
  goodExitCodes = ONLY_ZERO,
): Promise<CommandOutcome> {
  const ended = await system.processes.run({
    ...line,
    cwd,
    env,
    timeoutMs: timeout,
    signal,
    stdoutBytesMax: COMMAND_OUTPUT_BYTES_MAX,
    stderrBytesMax: COMMAND_OUTPUT_BYTES_MAX,
    ...(user === undefined ? {} : { user }),
    ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
  });
  const error = failureOf(ended, timeout, goodExitCodes);
  return { details: detailsOf(ended), data: dataOf(ended), ...(error === undefined ? {} : { error }) };
}

function failureOf(ended: RunResult, timeoutMs: number, good: ReadonlySet<number>): string | undefined {
  if (ended.endedBy === 'timeout') return `timed out after ${formatDuration(timeoutMs)}, killed`;
  if (ended.endedBy === 'abort') return 'killed';
  if (ended.exitCode === undefined) return `ended by ${ended.signal}`;
  return good.has(ended.exitCode) ? undefined : `exited with ${ended.exitCode}`;
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

function dataOf({ exitCode, stdout, stderr }: RunResult): WireMap {
  return {
    ...(exitCode === undefined ? {} : { exitcode: exitCode }),
    ...(isUtf8(stdout) ? {} : { stdout: stdout.bytes }),
    ...(isUtf8(stderr) ? {} : { stderr: stderr.bytes }),
  };
}

/** What stands behind an output that was cut. */
export const OUTPUT_CUT_MARK = /…\n\[\d+ more bytes were not kept\]$/;

/** Without the newlines at its end, as a shell's $(…) gives it. Where it is cut, the mark shows what could be half a secret. */
function keptText(output: ProcessOutput): string {
  const { bytes, bytesDropped } = output;
  if (bytesDropped > 0) return `${wholeCharacters(bytes)}…\n[${bytesDropped} more bytes were not kept]`;
  const text = outputText(output);
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

/** Without the bytes of a character that was cut in two. */
function wholeCharacters(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}

/** What was cut may end in the middle of a character. */
function isUtf8({ bytes, bytesDropped }: ProcessOutput): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: bytesDropped > 0 });
    return true;
  } catch {
    return false;
  }
}

export function refuseOverlong(functionName: string, timeoutMs: number): void {
  if (timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX) return;
  const problems = `timeout must be more than 0 and at most ${formatDuration(TIMEOUT_MS_MAX)}`;
  throw zesterError('MODULE_BAD_ARGUMENTS', { function: functionName, problems });
}

/** `unless: test -d node_modules` means the directory of the command, and asks as its user, never as ours. */
export function guardsAsCommand({ cwd, env, user }: CommandSurroundings): GuardSurroundings {
  return { cwd, env, ...(user === undefined ? {} : { user }) };
}

/** What would keep a command from being started, as the start itself would say it. */
export async function refuseImpossible(
  { user, cwd }: Pick<CommandSurroundings, 'user' | 'cwd'>,
  { files, accounts }: { readonly files: ReadFiles; readonly accounts: Accounts },
): Promise<void> {
  if (user !== undefined && (await accounts.user(user)) === undefined)
    throw zesterError('USER_UNKNOWN', { user });
  if ((await files.stat(cwd))?.kind === 'directory') return;
  const reason = `no working directory ${cwd}`;
  throw zesterError('PROCESS_START_FAILED', { program: '/bin/sh', reason, errno: 'ENOENT' });
}
