import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * This configuration runs the simulator's tests by themselves, with the part of masters and peels that they reach. Not
 * counted: what only the programs do around `startMaster` and `startPeel` (reading options, finding directories, listening for health
 * questions, joining over HTTPS, calls without NATS).
 */
export default defineConfig({
  root: join(dirname(fileURLToPath(import.meta.url)), '..'),
  test: {
    include: ['test/sim/**/*.test.ts'],
    globalSetup: ['test/harness/programs/build-programs.ts'],
    maxWorkers: 2,
    coverage: {
      enabled: true,
      provider: 'v8',
      include: ['src/master/**/*.ts', 'src/peel/**/*.ts'],
      exclude: [
        '**/*.test.ts',
        'src/*/main.ts',
        'src/*/*-options.ts',
        'src/*/*-health.ts',
        'src/master/store/store-times.ts',
        'src/master/publish/find-sources.ts',
        'src/master/accounts/own-credentials.ts',
        'src/master/enroll/enroll-options.ts',
        'src/master/enroll/http/*.ts',
        'src/peel/join/!(renew-credentials|peel-jwt).ts',
        'src/peel/run/local-call*.ts',
        'src/peel/run/print-response.ts',
        'src/peel/undo/undo-key-file.ts',
      ],
      reporter: ['text-summary'],
      reportOnFailure: true,
      thresholds: { statements: 80, lines: 80 },
    },
  },
});
