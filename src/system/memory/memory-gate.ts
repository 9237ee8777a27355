/**
 * `Gate` is where every call of the memory adapter passes before it does anything: here a test or the simulator makes
 * it fail or never answer, and here the calls of a process that was killed end. A call that got through takes effect at
 * once and as a whole.
 */
import { type Clock, sleep } from '../../runtime/clock.ts';
import { Errno } from '../errno.ts';

/** `name` is the system call: `open`, `write`, `sync`, `rename`, `start`, … `path` the file or program. */
export interface SystemCall {
  readonly name: string;
  readonly path: string;
  /** Of a write: what is written. */
  readonly bytes?: Uint8Array;
}

/** What becomes of a call: undefined lets it through, `{ fail: 'ENOSPC' }` fails it, `'hang'` never answers. */
export type Fault = { readonly fail: string } | { readonly delayMs: number } | 'hang' | undefined;

export type FaultHook = (call: SystemCall) => Fault;

/** Resolves when the call may take effect. */
export type Gate = (call: SystemCall) => Promise<void>;

export function gateFor(caller: {
  readonly alive: () => boolean;
  readonly fault: FaultHook;
  readonly clock: Clock;
}): Gate {
  return async (call) => {
    if (!caller.alive()) return NEVER;
    const fault = caller.fault(call);
    if (fault === 'hang') return NEVER;
    if (fault === undefined) return;
    if ('fail' in fault) throw new Errno(fault.fail);
    await sleep(caller.clock, fault.delayMs);
    if (!caller.alive()) return NEVER;
  };
}

const NEVER = new Promise<never>(() => undefined);
