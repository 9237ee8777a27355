/**
 * These limits bound what a render may use up. Templates come from people, and some of them are wrong: without bounds
 * one loop too many would stop a master or a peel.
 */
import { PythonError, type RenderLimits } from './values/value.ts';

export const DEFAULT_LIMITS: RenderLimits = {
  steps: 10_000_000,
  output: 1 << 25,
  recursion: 200,
  // The bound of Jinja2's own sandbox.
  range: 100_000,
};

/** Something that can say that the render should end, such as an AbortSignal. It is asked every so many steps. */
export interface StopSignal {
  readonly aborted: boolean;
}

/** Steps between two looks at the signal: often enough to be prompt, seldom enough to cost nothing. */
const STEPS_BETWEEN_LOOKS = 256;

/** Counts steps: rounds of loops, calls, items that a filter touches. */
export class StepCounter {
  private readonly stepsMax: number;
  private readonly signal: StopSignal | undefined;
  private steps = 0;
  private lookAt = 0;

  constructor(stepsMax: number, signal: StopSignal | undefined) {
    this.stepsMax = stepsMax;
    this.signal = signal;
  }

  charge(steps: number): void {
    this.steps += steps;
    if (this.steps >= this.lookAt) this.look();
  }

  private look(): void {
    if (this.steps > this.stepsMax) throw limitError(`the render took more than ${this.stepsMax} steps`);
    if (this.signal?.aborted === true) throw new PythonError('RenderAborted', 'the render was aborted');
    this.lookAt = Math.min(this.steps + STEPS_BETWEEN_LOOKS, this.stepsMax + 1);
  }
}

export function limitError(message: string): PythonError {
  return new PythonError('LimitError', message);
}

/** Whether an error is V8's "Maximum call stack size exceeded", which a render that nests too deep may cause. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
