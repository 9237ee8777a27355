import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const HOUR_MS = 3_600_000;

/** Long runs, one at a time, each with the whole machine. */
export default defineConfig({
  root: join(dirname(fileURLToPath(import.meta.url)), '..'),
  test: {
    include: ['test/soak/**/*.test.ts'],
    maxWorkers: 1,
    testTimeout: HOUR_MS,
    hookTimeout: HOUR_MS,
  },
});
