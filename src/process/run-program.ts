/**
 * Runs a program to its end and keeps the end of what it printed. It never throws for what the program does: not
 * being there, failing and taking too long are answers, because callers here try one way after another.
 */
import { spawn } from 'node:child_process';
import type { Clock } from '../runtime/clock.ts';

export interface ProgramRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The program is killed after this long. */
  readonly timeoutMs: number;
  /** Kills it as well. */
  readonly signal?: AbortSignal;
}

export interface ProgramEnd {
  readonly ok: boolean;
  /** Both streams, the last `OUTPUT_CHARS_MAX` characters. */
  readonly output: string;
  /** Why not ok, in words; empty when ok. */
  readonly reason: string;
}

const OUTPUT_CHARS_MAX = 64 * 1024;

export function runProgram(clock: Clock, command: ProgramRun): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command.file, command.args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(command.env === undefined ? {} : { env: command.env }),
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    });
    const timer = clock.after(command.timeoutMs, () => {
      child.kill('SIGKILL');
      // Resolve now: a grandchild may keep the pipes open for as long as it likes.
      end(`no end within ${Math.round(command.timeoutMs / 1000)} s`);
    });
    const onAbort = () => child.kill('SIGKILL');
    const end = (reason: string) => {
      timer.cancel();
      command.signal?.removeEventListener('abort', onAbort);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ ok: reason === '', output, reason });
    };
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-OUTPUT_CHARS_MAX);
    };
    command.signal?.addEventListener('abort', onAbort, { once: true });
    if (command.signal?.aborted) onAbort();
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    child.on('close', (code, signal) => end(code === 0 ? '' : `ended with ${signal ?? `exit code ${code}`}`));
  });
}
