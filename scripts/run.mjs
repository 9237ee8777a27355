/**
 * This file runs child processes for the scripts: their output is kept or passed on, signals passed on, the exit code
 * kept.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';

/** Part of every Debian; asks the kernel to stop the program when we die, so that a killed set-up ends its npm too. */
const SETPRIV = '/usr/bin/setpriv';

const OUTPUT_CHARS_MAX = 1_000_000;

/**
 * Runs a program to its end. With `show`, it has our terminal; otherwise its output is kept and returned.
 * Returns `{ code, output }`; a program that a signal ended has 128 and its number, as in a shell. If we were told to
 * stop meanwhile, the script ends with the program, unless `outlast` says that the program's own end is the answer.
 */
export function run(file, args, { cwd, env = process.env, show = false, outlast = false } = {}) {
  return new Promise((resolve) => {
    let output = '';
    const command = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'TERM', file, ...args] : [file, ...args];
    const child = spawn(command[0], command.slice(1), {
      cwd,
      env,
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const signals = passSignals(child);
    const keep = (chunk) => {
      output = (output + chunk).slice(-OUTPUT_CHARS_MAX);
    };
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    child.on('error', (error) => keep(`${file}: ${error.message}\n`));
    child.on('close', (code, signal) => {
      signals.stop();
      if (signals.seen !== undefined && !outlast) process.exit(128 + constants.signals[signals.seen]);
      resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), output });
    });
  });
}

/**
 * A terminal sends Ctrl-C and hang-up to the whole group, the child included, and npm sends us a second one: there,
 * passing them on would reach the child twice, and the second often means "at once". Without a terminal nobody else
 * tells the child. Either way we wait for it, and it decides when it is over.
 */
function passSignals(child) {
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const passing = { seen: undefined, stop };
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const handler = () => {
      passing.seen ??= signal;
      if (signal === 'SIGTERM' || !hasTerminal) child.kill(signal);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  function stop() {
    for (const remove of handlers) remove();
  }
  return passing;
}
