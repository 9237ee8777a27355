/**
 * This file starts commands that live in a program of their own beside this one, because they hold what no other
 * command needs and what every other command would have to load. The words were checked here; the other program is
 * given the same ones.
 */
import { spawn } from 'node:child_process';
import { programPath } from '../../local-fleet/program-path.ts';
import { type CliContext, type Command, EXIT_INTERRUPTED, type GivenOptions } from '../program/command.ts';

/** Runs it to its end, with our terminal; resolves to its exit code. */
export function runOtherProgram(
  name: 'zester-sim' | 'zester-states',
  words: readonly string[],
  context: CliContext,
): Promise<number> {
  const program = spawn(process.execPath, [programPath(name), ...words], { stdio: 'inherit' });
  context.interrupted.addEventListener('abort', () => program.kill());
  return new Promise((resolve, reject) => {
    program.once('error', reject);
    program.once('exit', (code) => resolve(code ?? EXIT_INTERRUPTED));
  });
}

/** Options and words as they were given, in one order. */
export function givenWords(command: Command, given: GivenOptions): string[] {
  const options = command.options.flatMap(({ name, value }) => {
    if (value !== undefined) return given.texts(name).flatMap((text) => [`--${name}=${text}`]);
    return given.on(name) ? [`--${name}`] : [];
  });
  const words = command.takesWords === undefined ? [] : ['--', ...given.words()];
  return [...options, ...words];
}
