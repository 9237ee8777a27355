/**
 * `lineUp` waits until a connection is up; one that is given up rejects with the reason. For connections without a bus on them, in the
 * system account. With a limit it resolves when the time is over, too: who has one looks at the status, or asks and is told.
 */
import { within } from '../runtime/abortable-wait.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Connection } from './connection.ts';
import type { Subscription } from './port.ts';

export async function lineUp(
  connection: Pick<Connection, 'status' | 'onStatus' | 'failure'>,
  limit?: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<void> {
  let statuses: Subscription | undefined;
  const up = new Promise<void>((resolve, reject) => {
    const look = () => {
      if (connection.status() === 'connected') resolve();
      if (connection.status() === 'closed') reject(connection.failure());
    };
    statuses = connection.onStatus(look);
    look();
  });
  try {
    await (limit === undefined ? up : within(limit.clock, limit.timeoutMs, up));
  } finally {
    statuses?.unsubscribe();
  }
}
