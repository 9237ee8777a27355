/** Before any test: the programs as they are now, so that no test runs an old build. */
import { build } from '../../../scripts/build.mjs';

export async function setup(): Promise<void> {
  await build();
}
