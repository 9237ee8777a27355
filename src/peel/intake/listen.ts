/** Keeps a subscription that is asked for again when the server refuses it: credentials may be renewed at any time. */
import type { AgentBus, Message, Subscription } from '../../bus/port.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { stopSource } from '../../runtime/signals.ts';

const REFUSED_MS = 30_000;

export interface Listening {
  /** Resolves when the server has it, or has refused it for the first time. */
  readonly asked: Promise<void>;
  stop(): void;
}

export function listen(
  bus: AgentBus,
  subject: string,
  deliver: (message: Message) => void,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Listening {
  const stopped = stopSource();
  let subscription: Subscription | undefined;

  async function ask(): Promise<void> {
    try {
      subscription = await bus.subscribe(subject, deliver);
      if (stopped.signal.aborted) subscription.unsubscribe();
    } catch (error) {
      log.error('NATS refuses a subscription that a peel needs', { subject, error });
      void sleep(clock, REFUSED_MS, stopped.signal).then(ask, () => undefined);
    }
  }

  return {
    asked: ask(),
    stop() {
      stopped.abort();
      subscription?.unsubscribe();
    },
  };
}
