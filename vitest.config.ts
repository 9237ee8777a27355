import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/soak/**'],
    globalSetup: ['test/harness/build-programs.ts'],
    // Two cores: more workers only make real nats-servers and child processes fight for time.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
