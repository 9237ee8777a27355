/**
 * `lineUp` waits until a connection is up, for commands: one that is given up rejects with the reason. For connections without a
 * bus on them, in the system account.
 */
import type { Connection } from '../../bus/connection.ts';

export function lineUp(connection: Connection): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const look = () => {
      if (connection.status() === 'connected') resolve();
      if (connection.status() === 'closed') reject(connection.failure());
    };
    connection.onStatus(look);
    look();
  });
}
