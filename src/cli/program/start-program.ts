/**
 * `startProgram` is what stands around a program that a person calls: its output, Ctrl-C, and errors as words and an
 * exit code.
 */
import { dirname, join } from 'node:path';
import { jsonLog } from '../../runtime/log.ts';
import { stopSource } from '../../runtime/signals.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { systemRandom } from '../../runtime/system-random.ts';
import { aboveLiveLine } from '../terminal/live-line.ts';
import { type CliContext, EXIT_INTERRUPTED } from './command.ts';
import { failureOf } from './print-error.ts';
import { programInput } from './program-input.ts';
import { programName } from './program-name.ts';
import { type ProgramOutput, programOutput } from './program-output.ts';

const INSIST_MS = 1_000;

/** Resolves to the exit code. `program` is how a person calls it from here. */
export type Dispatch = (words: readonly string[], program: string, output: ProgramOutput) => Promise<number>;

export function startProgram(dispatch: Dispatch): void {
  void run(dispatch, process.argv.slice(2)).then((code) => {
    // Not `exitCode`: the NATS client leaves its socket open when a frozen server does not greet, and that would hold us here.
    process.exit(code);
  });
}

async function run(dispatch: Dispatch, words: readonly string[]): Promise<number> {
  // The bundle lies in dist/, beside bin/ with the files that people run.
  const file = join(dirname(process.argv[1] ?? ''), '..', 'bin', 'zester');
  const program = programName({ file, cwd: process.cwd(), path: process.env.PATH });
  const output = programOutput(process.stdout);
  // Nobody is left to tell that nobody listens.
  process.stderr.on('error', () => undefined);
  try {
    const code = await dispatch(words, program, output);
    await output.finish();
    return code;
  } catch (error) {
    const { text, exitCode } = failureOf(error, words, program);
    process.stderr.write(text);
    return exitCode;
  }
}

export function makeContext(program: string, output: ProgramOutput): CliContext {
  const interruption = stopSource();
  let askedMs = 0;
  const interrupt = () => {
    // Once asks to end in order, again insists. A second signal right behind the first is the same wish: a terminal and
    // a parent may both pass it on.
    const nowMs = systemClock.monotonicMs();
    if (interruption.signal.aborted && nowMs - askedMs > INSIST_MS) process.exit(EXIT_INTERRUPTED);
    askedMs ||= nowMs;
    interruption.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  const say = aboveLiveLine((text) => void process.stderr.write(text));
  return {
    runtime: {
      clock: systemClock,
      random: systemRandom,
      log: jsonLog({ clock: systemClock, write: say, level: 'warn' }),
    },
    program,
    env: process.env,
    cwd: process.cwd(),
    out: (text) => output.write(text),
    say,
    input: programInput(process.stdin, say, interrupt),
    interrupted: interruption.signal,
    isTerminal: process.stderr.isTTY === true && process.stdout.isTTY === true,
    columns: () => process.stderr.columns || 80,
  };
}
