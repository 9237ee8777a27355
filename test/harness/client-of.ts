/** `clientOf` makes a client context on a bus that is there. It signs with no key, unless one is given. */
import type { Bus } from '../../src/bus/port.ts';
import type { ClientContext } from '../../src/client/client-context.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { stopSource } from '../../src/runtime/signals.ts';

export function clientOf(bus: Bus, runtime: Runtime, given: Partial<ClientContext> = {}): ClientContext {
  return {
    bus,
    runtime,
    signal: stopSource().signal,
    user: 'tester',
    operatorKey() {
      throw new Error('this test has no operator key');
    },
    ...given,
  };
}
