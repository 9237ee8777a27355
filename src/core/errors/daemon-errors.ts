/** Errors that masters and peels have in common. */
import type { ErrorSpec } from './error-spec.ts';

export const DAEMON_ERRORS = {
  DAEMON_HEALTH_ADDRESS: {
    exit: 1,
    http: 500,
    text: 'health and metrics cannot be served on {address}: {reason}',
    meaning:
      'The address given with --health-addr is not of this machine, or its port is taken; the program did not start.',
    hint: 'name a free port with --health-addr HOST:PORT, take any free one with port 0, or switch it off with --health-addr off',
  },
  DAEMON_HEALTH_FILE: {
    exit: 1,
    http: 500,
    text: 'cannot write the address of health and metrics to {file}',
    meaning: 'The file given with --health-file cannot be written; the program did not start.',
    hint: 'name a file in a directory that exists and that the program may write',
  },
} as const satisfies Record<string, ErrorSpec>;
