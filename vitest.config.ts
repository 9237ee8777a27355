import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/harness/slow-first.ts';

/**
 * Two kinds of tests, each a stage of `npm test`; the simulator is a third, with a configuration of its own.
 *
 * `unit` needs nothing but a processor. Its files share one copy of the modules in each worker: loading them anew for every
 * file cost more than all the tests. So a test of `unit` leaves nothing behind in a module.
 *
 * `real` starts servers and programs, and mostly waits for them: more workers than the two cores we count on.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/harness/programs/build-programs.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'test/architecture/**/*.test.ts',
            'test/harness/**/*.test.ts',
            'test/jinja/**/*.test.ts',
            'test/yaml/**/*.test.ts',
            'test/salt-states/**/*.test.ts',
            'test/salt-settings/**/*.test.ts',
          ],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          include: [
            'test/conformance/**/*.test.ts',
            'test/integration/**/*.test.ts',
            'test/e2e/**/*.test.ts',
          ],
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
