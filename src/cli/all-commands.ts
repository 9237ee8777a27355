import type { Command } from './command.ts';
import { authInitCommand } from './commands/auth-init.ts';
import { caFingerprintCommand } from './commands/ca-fingerprint.ts';
import { caInitCommand } from './commands/ca-init.ts';
import { caIssueCommand } from './commands/ca-issue.ts';
import { caPrintCommand } from './commands/ca-print.ts';
import { upCommand } from './commands/up.ts';

/** Every command, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  upCommand,
  authInitCommand,
  caInitCommand,
  caIssueCommand,
  caFingerprintCommand,
  caPrintCommand,
];
