/**
 * The registry holds every error a person can meet: stable code, text with `{placeholders}`, what it means, what to do
 * next, and the exit code of a command that ends with it. `docs/reference/errors.md` equals this table, both ways, by
 * test.
 *
 * One file for each area, so that the table of an area reads on one page.
 */
import { BUS_ERRORS } from './bus-errors.ts';
import { CLI_ERRORS } from './cli-errors.ts';
import { DAEMON_ERRORS } from './daemon-errors.ts';
import { ENROLL_COMMAND_ERRORS } from './enroll/enroll-command-errors.ts';
import { ENROLL_ERRORS } from './enroll/enroll-errors.ts';
import { FILE_SET_ERRORS } from './file-set-errors.ts';
import { FILE_STATE_ERRORS } from './file-state-errors.ts';
import { LINT_ERRORS } from './lint-errors.ts';
import { MASTER_ERRORS } from './master-errors.ts';
import { MIRROR_ERRORS } from './mirror-errors.ts';
import { MODULE_ERRORS } from './module-errors.ts';
import { PEEL_ERRORS } from './peel-errors.ts';
import { PUBLISH_ERRORS } from './publish-errors.ts';
import { SECRET_ERRORS } from './secret-errors.ts';
import { SERVER_ERRORS } from './server-errors.ts';
import { SETTINGS_ERRORS } from './settings-errors.ts';
import { STATE_ERRORS } from './state-errors.ts';
import { STATE_FUNCTION_ERRORS } from './state-function-errors.ts';
import { SYSTEM_ERRORS } from './system-errors.ts';
import { TARGET_ERRORS } from './target-errors.ts';
import { TEMPLATE_ERRORS } from './template-errors.ts';
import { TRUST_ERRORS } from './trust-errors.ts';
import { YAML_ERRORS } from './yaml-errors.ts';

export const ERRORS = {
  ...BUS_ERRORS,
  ...CLI_ERRORS,
  ...DAEMON_ERRORS,
  ...ENROLL_ERRORS,
  ...ENROLL_COMMAND_ERRORS,
  ...FILE_SET_ERRORS,
  ...FILE_STATE_ERRORS,
  ...LINT_ERRORS,
  ...MASTER_ERRORS,
  ...MIRROR_ERRORS,
  ...MODULE_ERRORS,
  ...PEEL_ERRORS,
  ...PUBLISH_ERRORS,
  ...SECRET_ERRORS,
  ...SERVER_ERRORS,
  ...SETTINGS_ERRORS,
  ...STATE_ERRORS,
  ...STATE_FUNCTION_ERRORS,
  ...SYSTEM_ERRORS,
  ...TARGET_ERRORS,
  ...TEMPLATE_ERRORS,
  ...TRUST_ERRORS,
  ...YAML_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;
