/**
 * `bringBack` starts a node of a cluster that was killed, and waits until it is current. In about one of five cases a node of
 * nats-server 2.10.27 stays behind the meta leader for good after its start; started once more it has caught up within two
 * seconds. docs/guides/operations.md tells people so.
 */
import { until } from '../until.ts';
import type { TestServer } from './nats-server.ts';

const STARTS_MAX = 4;
const CURRENT_MS_MAX = 15_000;

export async function bringBack(
  node: Pick<TestServer, 'name' | 'restart'>,
  isCurrent: () => Promise<boolean>,
): Promise<void> {
  for (let starts = 1; ; starts++) {
    await node.restart();
    try {
      await until(isCurrent, `${node.name} to be current again`, CURRENT_MS_MAX);
      return;
    } catch (error) {
      if (starts === STARTS_MAX) throw error;
    }
  }
}
