/** This is the list of every command but the execution, in the order in which help shows them. */
import { authInitCommand } from './auth/auth-init.ts';
import { authOperatorIssueCommand, authOperatorRenewCommand } from './auth/auth-operator.ts';
import {
  authRotateAgentsKeyCommand,
  authRotateFleetKeyCommand,
  authStatusCommand,
} from './auth/auth-rotate.ts';
import { authRotateOperatorKeyCommand } from './auth/auth-rotate-operator.ts';
import { authUpgradeCommand } from './auth/auth-upgrade.ts';

import { lintCommand } from './authoring/lint.ts';
import { renderCommand } from './authoring/render.ts';
import { simCommand } from './authoring/sim.ts';
import { caInitCommand } from './ca/ca-init.ts';
import { caIssueCommand } from './ca/ca-issue.ts';
import { caRenewCommand, caRotateIntermediateCommand } from './ca/ca-renew.ts';
import { caFingerprintCommand, caPrintCommand } from './ca/ca-root.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { enrollApproveCommand, enrollRejectCommand, enrollRevokeCommand } from './enroll/enroll-decide.ts';
import { enrollListCommand } from './enroll/enroll-list.ts';
import { enrollShowCommand } from './enroll/enroll-show.ts';
import {
  enrollTokenCreateCommand,
  enrollTokenListCommand,
  enrollTokenRevokeCommand,
} from './enroll/enroll-token.ts';
import { filesDiffCommand } from './files/files-diff.ts';
import { filesPublishCommand } from './files/files-publish.ts';
import { filesStatusCommand } from './files/files-status.ts';
import { jobAttachCommand } from './job/job-attach.ts';
import { jobKillCommand } from './job/job-kill.ts';
import { jobActiveCommand, jobListCommand } from './job/job-list.ts';
import { jobShowCommand } from './job/job-show.ts';
import { masterListCommand } from './master/master-list.ts';
import { peelListCommand, peelShowCommand } from './peel/peel-list.ts';
import { peelTagCommand } from './peel/peel-tag.ts';
import { peelUnbanCommand } from './peel/peel-unban.ts';
import type { Command } from './program/command.ts';
import { secretListCommand } from './secret/secret-list.ts';
import { secretReencryptCommand } from './secret/secret-reencrypt.ts';
import { secretRotateCommand, secretSetCommand } from './secret/secret-set.ts';
import { settingsExplainCommand } from './settings/settings-explain.ts';
import { settingsShowCommand } from './settings/settings-show.ts';
import { downCommand } from './up/down.ts';
import { upCommand } from './up/up.ts';

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
  peelTagCommand,
  peelUnbanCommand,
  enrollListCommand,
  enrollShowCommand,
  enrollApproveCommand,
  enrollRejectCommand,
  enrollRevokeCommand,
  enrollTokenCreateCommand,
  enrollTokenListCommand,
  enrollTokenRevokeCommand,
  settingsShowCommand,
  settingsExplainCommand,
  masterListCommand,
  secretSetCommand,
  secretRotateCommand,
  secretListCommand,
  secretReencryptCommand,
  filesStatusCommand,
  filesPublishCommand,
  filesDiffCommand,
  doctorCommand,
  renderCommand,
  lintCommand,
  simCommand,
  authInitCommand,
  authUpgradeCommand,
  authStatusCommand,
  authRotateFleetKeyCommand,
  authRotateAgentsKeyCommand,
  authRotateOperatorKeyCommand,
  authOperatorRenewCommand,
  authOperatorIssueCommand,
  caInitCommand,
  caIssueCommand,
  caRenewCommand,
  caRotateIntermediateCommand,
  caFingerprintCommand,
  caPrintCommand,
];
