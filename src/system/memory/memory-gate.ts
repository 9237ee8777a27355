/**
 * Where every call of the memory adapter passes before it does anything: here a test or the simulator makes it fail or
 * never answer, and here the calls of a process that was killed end. A call that got through takes effect at once and
 * as a whole.
 */
import { Errno } from '../errno.ts';

/** `name` is the system call: `open`, `write`, `sync`, `rename`, `start`, … `path` the file or program. */
export interface SystemCall {
  readonly name: string;
  readonly path: string;
}

/** What becomes of a call: undefined lets it through, `{ fail: 'ENOSPC' }` fails it, `'hang'` never answers. */
export type FaultHook = (call: SystemCall) => { readonly fail: string } | 'hang' | undefined;

/** Resolves when the call may take effect. */
export type Gate = (call: SystemCall) => Promise<void>;

export function gateFor(caller: { readonly alive: () => boolean; readonly fault: FaultHook }): Gate {
  return async (call) => {
    if (!caller.alive()) return NEVER;
    const fault = caller.fault(call);
    if (fault === 'hang') return NEVER;
    if (fault !== undefined) throw new Errno(fault.fail);
  };
}

const NEVER = new Promise<never>(() => undefined);
