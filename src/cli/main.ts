/** The program `zester`: finds the command, runs it, turns what went wrong into words and an exit code. */
import { dirname, join } from 'node:path';
import { jsonLog } from '../runtime/log.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { systemRandom } from '../runtime/system-random.ts';
import { versionLine } from '../runtime/version.ts';
import { COMMANDS } from './all-commands.ts';
import { type CliContext, EXIT_INTERRUPTED } from './command.ts';
import { execCommand } from './exec/exec-command.ts';
import { helpForAll, helpForCommand, helpForGroup } from './help.ts';
import { parseOptions } from './parse-options.ts';
import { failureOf } from './print-error.ts';
import { programName } from './program-name.ts';
import { type ProgramOutput, programOutput } from './program-output.ts';
import { commandMeant, commandsOf } from './words-meant.ts';

const INSIST_MS = 1_000;

void main(process.argv.slice(2)).then((code) => {
  // Not `exitCode`: the NATS client leaves its socket open when a frozen server does not greet, and that would hold us here.
  process.exit(code);
});

async function main(words: readonly string[]): Promise<number> {
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

async function dispatch(words: readonly string[], program: string, output: ProgramOutput): Promise<number> {
  const [first] = words;
  if (first === '--version' || first === 'version') {
    output.write(`${versionLine('zester')}\n`);
    return 0;
  }
  if (first === undefined || first === 'help' || asksForHelp(words)) {
    output.write(helpFor(words, program));
    return first === undefined ? 1 : 0;
  }
  const command = commandMeant(words);
  return command.run(makeContext(program, output), parseOptions(command, words.slice(command.words.length)));
}

/** `-h` behind a function belongs to what it runs: `cmd.run df -h`. Everything behind `--` does. */
function asksForHelp(words: readonly string[]): boolean {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  if (own.includes('--help') || own[0] === '-h') return true;
  return own.includes('-h') && commandMeant(words) !== execCommand;
}

/** For `help`, `help job`, `help job list`, and the same with --help at the end. */
function helpFor(words: readonly string[], program: string): string {
  const topic = words.filter((word, index) => !word.startsWith('-') && !(index === 0 && word === 'help'));
  const [group = ''] = topic;
  if (topic.length === 0) return helpForAll(COMMANDS, versionLine('zester'), program);
  if (topic.length === 1 && commandsOf(group).length > 0) return helpForGroup(commandsOf(group), program);
  return helpForCommand(commandMeant(topic), program);
}

function makeContext(program: string, output: ProgramOutput): CliContext {
  const interruption = new AbortController();
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
  const write = (line: string) => void process.stderr.write(line);
  return {
    runtime: {
      clock: systemClock,
      random: systemRandom,
      log: jsonLog({ clock: systemClock, write, level: 'warn' }),
    },
    program,
    env: process.env,
    cwd: process.cwd(),
    out: (text) => output.write(text),
    say: (text) => void process.stderr.write(text),
    interrupted: interruption.signal,
    isTerminal: process.stderr.isTTY === true && process.stdout.isTTY === true,
    columns: () => process.stderr.columns || 80,
  };
}
