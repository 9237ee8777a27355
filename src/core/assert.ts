/**
 * `assert` stops the program for programmer errors: what may never be false, whatever comes from outside. Stays on in
 * production.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(message);
}

/** Closes a switch over a union: the compiler proves that it is never reached. */
export function never(value: never): never {
  throw new AssertionFailure(`unexpected value ${JSON.stringify(value)}`);
}

/** A bug of ours, as against a mistake of a user or a failure of the world. */
class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure';
}
