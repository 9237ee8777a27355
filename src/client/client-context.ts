/**
 * The client context is what every function of this room asks a fleet with: the bus, and who asks. A program makes one when
 * it has a bus; for one of several requests it is that context with another `signal` or `user`.
 *
 * The functions print nothing. They answer with values, tell of what happens on the way by typed events, name records that
 * they could not read in their answer, and throw errors of the registry.
 */
import type { Bus } from '../bus/port.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { OperatorKey } from '../trust/operator-key.ts';

export interface ClientContext {
  readonly bus: Bus;
  readonly runtime: Runtime;
  /**
   * Aborts when nobody wants the answer any more: whatever is under way rejects with its reason. What was sent is not taken
   * back. Of a `stopSource`: any number of waits hang on it.
   */
  readonly signal: AbortSignal;
  /** Whom the records of jobs name as the one who asked. */
  readonly user: string;
  /** Signs cancels and direct requests. Called when one is sent; throws when there is no key. */
  operatorKey(): OperatorKey;
}

/** A record that could not be read, and is left out of an answer: peels may write anything under their own keys. */
export interface UnreadableRecord {
  readonly kind: 'job' | 'row' | 'return' | 'facts' | 'heartbeat' | 'enrollment' | 'join token';
  /** Its key in the store; of what was heard on the bus, the peel that said it. A stranger may have chosen it. */
  readonly key: string;
  readonly problem: string;
}
