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
  UNIT_USAGE: {
    exit: 1,
    http: 400,
    text: 'wrong command line: {problem}',
    meaning:
      'The unit of a daemon was to be written, with options that are not known or lack something; nothing was written.',
    hint: 'run `{daemon} install --help` for an example and the options',
  },
  UNIT_CHANGED: {
    exit: 1,
    http: 409,
    text: 'the unit {file} was changed by hand, or is not ours',
    meaning: 'It is not as `install` wrote it. Nothing was written, so that nobody loses their changes.',
    hint: 'compare it with what --print prints; put changes into {file}.d/*.conf, and overwrite it with --force',
  },
  UNIT_UNWRITABLE: {
    exit: 1,
    http: 500,
    text: 'the unit {file} cannot be written',
    meaning: 'The directory or the file does not let us.',
    hint: 'run it as root, or give a place of your own with --root, or print it with --print',
  },
} as const satisfies Record<string, ErrorSpec>;
