/** This configuration runs the long runs of test/soak, one at a time, each with the whole machine. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** An hour of trouble, and the time until all is well again; `--minutes` may ask for more. */
const MINUTES_MAX = Math.max(90, 2 * Number(process.env.ZESTER_SOAK_MINUTES ?? 0));

export default defineConfig({
  root: join(dirname(fileURLToPath(import.meta.url)), '..'),
  test: {
    include: ['test/soak/**/*.test.ts'],
    globalSetup: ['test/harness/programs/build-programs.ts'],
    maxWorkers: 1,
    testTimeout: MINUTES_MAX * 60_000,
    hookTimeout: 600_000,
  },
});
