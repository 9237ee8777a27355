/** The program `zester`: finds the command, runs it, turns what went wrong into words and an exit code. */
import { explainError, isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { nearestWord } from '../core/suggest.ts';
import { jsonLog } from '../runtime/log.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { systemRandom } from '../runtime/system-random.ts';
import { versionLine } from '../runtime/version.ts';
import { COMMANDS } from './all-commands.ts';
import { type CliContext, type Command, commandName } from './command.ts';
import { execCommand } from './exec/exec-command.ts';
import { isFunctionName } from './exec/exec-words.ts';
import { helpForAll, helpForCommand } from './help.ts';
import { parseOptions } from './parse-options.ts';

const EXIT_BUG = 1;
const EXIT_INTERRUPTED = 130;
const INSIST_MS = 1_000;

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

async function main(words: readonly string[]): Promise<number> {
  try {
    return await dispatch(words);
  } catch (error) {
    if (isZesterError(error)) {
      process.stderr.write(`zester: ${explainError(error)}\n`);
      return error.exitCode;
    }
    process.stderr.write(`zester: this is a bug in zester; please report it.\n${(error as Error).stack}\n`);
    return EXIT_BUG;
  }
}

async function dispatch(words: readonly string[]): Promise<number> {
  const [first] = words;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    process.stdout.write(helpForAll(COMMANDS, versionLine('zester')));
    return first === undefined ? 1 : 0;
  }
  if (first === '--version' || first === 'version') {
    process.stdout.write(`${versionLine('zester')}\n`);
    return 0;
  }
  const command = findCommand(words) ?? execOrUnknown(words);
  const rest = words.slice(command.words.length);
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(helpForCommand(command));
    return 0;
  }
  return command.run(makeContext(), parseOptions(command, rest));
}

function findCommand(words: readonly string[]): Command | undefined {
  return COMMANDS.find((each) => each.words.every((word, index) => words[index] === word));
}

/** What is no command is a target with a function; what is neither was perhaps meant as a command. */
function execOrUnknown(words: readonly string[]): Command {
  const plain = words.filter((word) => !word.startsWith('--'));
  if (plain.slice(0, 2).some(isFunctionName) || /[*?@]/.test(plain[0] ?? '')) return execCommand;
  const group = COMMANDS.filter((each) => each.words.length > 1 && each.words[0] === plain[0]);
  if (group.length > 0 && plain.length === 1)
    throw zesterError('CLI_WHICH_COMMAND', {
      group: plain[0] ?? '',
      commands: group.map(commandName).join(', '),
    });
  const typed = plain.slice(0, 2).join(' ');
  const near =
    nearestWord(typed, COMMANDS.map(commandName)) ?? nearestWord(plain[0] ?? '', COMMANDS.map(commandName));
  const suggestion = near === undefined ? '' : `; did you mean \`zester ${near}\`?`;
  throw zesterError('CLI_UNKNOWN_COMMAND', { command: typed || (words[0] ?? ''), suggestion });
}

function makeContext(): CliContext {
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
    env: process.env,
    cwd: process.cwd(),
    out: (text) => void process.stdout.write(text),
    say: (text) => void process.stderr.write(text),
    interrupted: interruption.signal,
    isTerminal: process.stderr.isTTY === true && process.stdout.isTTY === true,
    columns: () => process.stderr.columns ?? 80,
  };
}
