/** This setup builds the programs before any test, so that no test runs an old build. A build that is current stays. */
import { ensureBuilt } from '../../../scripts/setup.mjs';

export async function setup(): Promise<void> {
  await ensureBuilt();
}
