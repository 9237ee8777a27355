import type { Command } from './command.ts';
import { authInitCommand } from './commands/auth-init.ts';
import { caFingerprintCommand } from './commands/ca-fingerprint.ts';
import { caInitCommand } from './commands/ca-init.ts';
import { caIssueCommand } from './commands/ca-issue.ts';
import { caPrintCommand } from './commands/ca-print.ts';
import { doctorCommand } from './commands/doctor.ts';
import { downCommand } from './commands/down.ts';
import { jobAttachCommand } from './commands/job-attach.ts';
import { jobKillCommand } from './commands/job-kill.ts';
import { jobActiveCommand, jobListCommand } from './commands/job-list.ts';
import { jobShowCommand } from './commands/job-show.ts';
import { lintCommand } from './commands/lint.ts';
import { masterListCommand } from './commands/master-list.ts';
import { peelListCommand, peelShowCommand } from './commands/peel-list.ts';
import { renderCommand } from './commands/render.ts';
import { simCommand } from './commands/sim.ts';
import { upCommand } from './commands/up.ts';

/** Every command, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  upCommand,
  downCommand,
  jobListCommand,
  jobActiveCommand,
  jobShowCommand,
  jobAttachCommand,
  jobKillCommand,
  peelListCommand,
  peelShowCommand,
  masterListCommand,
  doctorCommand,
  renderCommand,
  lintCommand,
  simCommand,
  authInitCommand,
  caInitCommand,
  caIssueCommand,
  caFingerprintCommand,
  caPrintCommand,
];
