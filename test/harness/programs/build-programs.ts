/** This setup builds the programs before any test, so that no test runs an old build. */
import { build } from '../../../scripts/build.mjs';

export async function setup(): Promise<void> {
  await build();
}
