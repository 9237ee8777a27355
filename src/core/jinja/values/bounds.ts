/**
 * These bounds keep one Python operation from taking the process down: a template may build lists inside lists, or
 * numbers that double in every step, and nothing of that costs the evaluator more than one step.
 */
import { PythonError, type RenderLimits } from './value.ts';

/** Python's own default recursion limit is 1,000; a JavaScript stack holds this many of our frames with room to spare. */
const DEPTH_MAX = 500;
/** Bits of the largest whole number. Python has no such bound; beyond it a multiplication becomes slow to compute. */
export const INT_BITS_MAX = 1 << 16;

/** One kind of recursive walk over values: bounds how deep it nests and how much it touches. */
export class Walk {
  private readonly doing: string;
  private readonly workMax: number;
  private depth = 0;
  private work = 0;

  /** `doing` ends the sentence of Python's RecursionError: ' in comparison'. */
  constructor(doing: string, workMax = Number.POSITIVE_INFINITY) {
    this.doing = doing;
    this.workMax = workMax;
  }

  /** To be followed by `leave` in a finally, unless it throws. */
  enter(): void {
    if (this.depth === 0) this.work = 0;
    if (this.depth >= DEPTH_MAX)
      throw new PythonError('RecursionError', `maximum recursion depth exceeded${this.doing}`);
    this.depth++;
  }

  leave(): void {
    this.depth--;
  }

  charge(work: number): void {
    this.work += work;
    if (this.work > this.workMax)
      throw new PythonError(
        'MemoryError',
        `a value is too large: more than ${this.workMax} items or characters`,
      );
  }
}

/** A string about to be made must not be longer than a render may write. */
export function checkTextLength(length: number, limits: RenderLimits): void {
  if (length > limits.output)
    throw new PythonError(
      'OverflowError',
      `a text of ${length} characters is longer than the limit of ${limits.output}`,
    );
}

/** A list or tuple about to be made must not be longer than a range may be. */
export function checkItemCount(count: number, limits: RenderLimits): void {
  if (count > limits.range)
    throw new PythonError(
      'OverflowError',
      `a sequence of ${count} items is longer than the limit of ${limits.range}`,
    );
}
