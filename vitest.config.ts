import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/soak/**'],
    globalSetup: ['test/harness/programs/build-programs.ts'],
    // One more than the two cores we count on: tests of real processes mostly wait. With more, nats-servers fight for time.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
