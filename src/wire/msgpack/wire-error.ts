/**
 * A WireError is thrown for bytes or values that are not what the contract says; it is the one exception of this folder.
 * Nobody outside catches it: `decoded` and `tryEncode` make it a value. It never means that the reader is broken.
 */
export class WireError extends Error {
  override readonly name = 'WireError';
  /** What was being read or written: `Job`, `OperatorCertificate`, `value`. */
  readonly record: string;
  /** Where in it: `targets[3]`, `args.env.PATH`; empty for the whole. */
  readonly path: string;
  /** What is wrong there, without the offending value: it may be secret, huge, or full of terminal escapes. */
  readonly problem: string;

  constructor(record: string, path: string, problem: string) {
    super(`${record}${path === '' ? '' : ` at ${path}`}: ${problem}`);
    this.record = record;
    this.path = path;
    this.problem = problem;
  }
}

/** A problem seen by a reader or writer that does not know where it stands; the levels above it add that. */
export function flaw(problem: string): WireError {
  return new WireError('', '', problem);
}

/** The same error, seen from one level above: below `[3]`, below `.env`. Other errors pass unchanged. */
export function atStep(error: unknown, step: string): unknown {
  return error instanceof WireError ? new WireError('', step + error.path, error.problem) : error;
}

/** The same error, with the name of what was being read or written. */
export function inRecord(error: unknown, record: string): unknown {
  return error instanceof WireError
    ? new WireError(record, error.path.replace(/^\./, ''), error.problem)
    : error;
}

/** Longest piece of a stranger's key that is shown in a path. */
const KEY_CHARS_SHOWN = 40;

/** A key as a step of a path. Strange characters become `?`, because a path is shown on terminals. */
export function keyStep(key: string): string {
  const shown = key.length > KEY_CHARS_SHOWN ? `${key.slice(0, KEY_CHARS_SHOWN)}...` : key;
  return `.${shown.replaceAll(/[^\x20-\x7e]/g, '?')}`;
}

export function indexStep(index: number): string {
  return `[${index}]`;
}
