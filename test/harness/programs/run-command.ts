/** `runCommand` runs one command of the CLI in this process; what it prints and what it says are kept apart. */
import type { CliContext, Command } from '../../../src/cli/program/command.ts';
import { parseOptions } from '../../../src/cli/program/parse-options.ts';
import { failureOf } from '../../../src/cli/program/print-error.ts';
import type { ProgramInput } from '../../../src/cli/program/program-input.ts';
import { testRuntime } from '../servers/trusted-nats.ts';

export interface CommandEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What is handed in: by a pipe, or line by line where somebody types. */
export interface TypedInput {
  readonly piped?: string;
  readonly lines?: readonly string[];
}

export function typedInput({ piped = '', lines }: TypedInput): ProgramInput {
  const left = [...(lines ?? [])];
  return {
    isTerminal: lines !== undefined,
    text: async () => piped,
    hiddenLine: async () => left.shift() ?? '',
    shownLine: async () => left.shift() ?? '',
  };
}

/** `words`: those behind the command's own. */
export async function runCommand(
  command: Command,
  words: readonly string[],
  typed: TypedInput = {},
): Promise<CommandEnd> {
  let out = '';
  let err = '';
  const context: CliContext = {
    runtime: testRuntime,
    program: 'zester',
    env: { USER: 'tester', LANG: 'C.UTF-8' },
    cwd: '/',
    out: (text) => {
      out += text;
    },
    say: (text) => {
      err += text;
    },
    input: typedInput(typed),
    interrupted: new AbortController().signal,
    isTerminal: false,
    columns: () => 80,
  };
  try {
    const code = await command.run(context, parseOptions(command, words));
    return { code, out, err };
  } catch (error) {
    const { text, exitCode } = failureOf(error, words, 'zester');
    return { code: exitCode, out, err: `${err}${text}` };
  }
}
