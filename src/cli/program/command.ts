/** A command is declared once; parsing, help and the reference page are made from that. */
import type { Runtime } from '../../runtime/runtime.ts';
import type { ProgramInput } from './program-input.ts';

export interface OptionSpec {
  /** Without dashes. */
  readonly name: string;
  /** How the value is shown in help; absent for a switch. */
  readonly value?: string;
  /** The only values it takes; anything else is refused before the command starts. */
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  readonly doc: string;
}

/** What was given on the command line, checked against the declaration. */
export interface GivenOptions {
  /** The value of an option that takes one; undefined when it was not given. */
  text(name: string): string | undefined;
  /** All values of a repeatable option. */
  texts(name: string): readonly string[];
  /** Whether a switch was given. */
  on(name: string): boolean;
  /** Words that are no options; only commands that declare `takesWords` get any. */
  words(): readonly string[];
}

export const EXIT_INTERRUPTED = 130;

export interface CliContext {
  readonly runtime: Runtime;
  /** How the program is called from here, for hints: `zester`, or a path to it. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What the command is asked for. */
  out(text: string): void;
  /** Progress and remarks. */
  say(text: string): void;
  /** Where a value comes from that must not stand on the command line. */
  readonly input: ProgramInput;
  /** Aborts when the user wants the command to end (Ctrl-C, SIGTERM). */
  readonly interrupted: AbortSignal;
  /** Whether progress may be redrawn in place. */
  readonly isTerminal: boolean;
  columns(): number;
}

export interface Command {
  /** The words after `zester`. */
  readonly words: readonly string[];
  readonly summary: string;
  /** Shown first in help; a test runs those that can run alone. */
  readonly examples: readonly string[];
  readonly detail?: string;
  readonly options: readonly OptionSpec[];
  /** Its words as help shows them, `<jid>` or `<peel> [key=value …]`; a command without takes none. */
  readonly takesWords?: string;
  /** What a word too many is answered with, where it must not be repeated. */
  readonly extraWord?: () => Error;
  /** Resolves to the exit code. */
  run(context: CliContext, given: GivenOptions): Promise<number>;
}

/** As it is typed; an execution has no words of its own. */
export const commandName = (command: Command): string =>
  command.words.join(' ') || "'<target>' module.function";
