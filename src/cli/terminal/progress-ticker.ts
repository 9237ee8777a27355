/**
 * A progress ticker tells how far something is while it goes on: in place on a terminal, as a line now and then
 * elsewhere.
 */
import type { CliContext } from '../program/command.ts';
import { liveLine } from './live-line.ts';

const TICK_MS = 1_000;
/** Without a terminal the progress is told after a moment, and then this often. */
const PLAIN_FIRST_MS = 3_000;
const PLAIN_PROGRESS_MS = 10_000;

export interface ProgressTicker {
  /** Takes the line away, so that something else can be printed; the next tick shows it again. */
  clear(): void;
  stop(): void;
}

/** `textNow` gets the time since the start. */
export function startTicker(context: CliContext, textNow: (elapsedMs: number) => string): ProgressTicker {
  const { clock } = context.runtime;
  const startedMs = clock.monotonicMs();
  const line = liveLine(context.say, context.columns);
  let tellAtMs = startedMs + PLAIN_FIRST_MS;
  let timer: { cancel(): void } | undefined;
  const tick = () => {
    const nowMs = clock.monotonicMs();
    if (context.isTerminal) line.show(textNow(nowMs - startedMs));
    else if (nowMs >= tellAtMs) {
      context.say(`${textNow(nowMs - startedMs)}\n`);
      tellAtMs = nowMs + PLAIN_PROGRESS_MS;
    }
    timer = clock.after(TICK_MS, tick);
  };
  tick();
  return {
    clear: () => line.clear(),
    stop() {
      timer?.cancel();
      line.clear();
    },
  };
}

/** For formats that programs read: they get the result and nothing else. */
export const NO_TICKER: ProgressTicker = { clear: () => undefined, stop: () => undefined };
