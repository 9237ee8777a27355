/** `withClient` connects a command to its deployment with the admin's credentials, or says why not within seconds. */
import { openBus } from '../../bus/bus.ts';
import type { Bus } from '../../bus/port.ts';
import { ELECTION_MS_MAX, type RetryBudget } from '../../bus/retry-budget.ts';
import type { ClientContext } from '../../client/client-context.ts';
import { connectFleet } from '../../client/connect-fleet.ts';
import { loadOperatorKey } from '../../trust/auth-dir.ts';
import type { CliContext, GivenOptions } from '../program/command.ts';
import { currentUser } from '../program/current-user.ts';
import { type WaitFor, waitsOf } from '../terminal/wait-for.ts';
import { findPlace, type Place } from './find-place.ts';

const RUN_AGAIN = 'run the command again';

/** Runs `use` on a connected bus and closes it afterwards. Every wait goes through `waitFor`, so that nobody wonders. */
export async function withClient<T>(
  context: CliContext,
  given: GivenOptions,
  use: (client: ClientContext, waitFor: WaitFor) => Promise<T>,
): Promise<T> {
  const place = findPlace(context, given);
  const { runtime, interrupted } = context;
  const isText = (given.text('format') ?? 'text') === 'text';
  const connection = connectFleet('admin', place, runtime);
  const bus = openBus(connection, runtime, { retryBudget: retryBudgetOf(context, isText) });
  const waitFor = waitsOf(context, { isText });
  const connecting = {
    what: `NATS at ${place.servers.join(', ')}`,
    ifLeft: 'nothing was sent',
    next: RUN_AGAIN,
  };
  try {
    await waitFor(connecting, bus.connected());
    return await use(clientOn(context, place, bus), waitFor);
  } finally {
    const closed = bus.close();
    // Who leaves does not wait for a server that may not answer.
    if (interrupted.aborted) closed.catch(() => undefined);
    else await closed;
  }
}

export function clientOn(context: CliContext, { authDir }: Place, bus: Bus): ClientContext {
  return {
    bus,
    runtime: context.runtime,
    signal: context.interrupted,
    user: currentUser(context.env),
    operatorKey: () => loadOperatorKey(authDir),
  };
}

/** For commands that only look: the whole of it is one wait. `what` stands behind "waiting for". */
export function lookWithClient<T>(
  context: CliContext,
  given: GivenOptions,
  what: string,
  look: (client: ClientContext) => Promise<T>,
): Promise<T> {
  return withClient(context, given, (client, waitFor) =>
    waitFor({ what, ifLeft: 'nothing was changed', next: RUN_AGAIN }, look(client)),
  );
}

/**
 * A command bears an election, and says to people after a moment why nothing happens; once, however many questions
 * wait.
 */
function retryBudgetOf(context: CliContext, isText: boolean): RetryBudget {
  let isTold = !isText;
  return {
    ms: ELECTION_MS_MAX,
    waiting: (why) => {
      if (!isTold) context.say(`zester: waiting for NATS: ${why.message}\n`);
      isTold = true;
    },
  };
}
