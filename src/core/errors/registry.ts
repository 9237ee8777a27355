/**
 * Every error a person can meet: stable code, text with `{placeholders}`, what it means, what to do next, and the
 * exit code of a command that ends with it. `docs/reference/errors.md` equals this table, both ways, by test.
 *
 * One file for each area, so that the table of an area reads on one page.
 */
import { BUS_ERRORS } from './bus-errors.ts';
import { CLI_ERRORS } from './cli-errors.ts';
import { SERVER_ERRORS } from './server-errors.ts';
import { SYSTEM_ERRORS } from './system-errors.ts';
import { TRUST_ERRORS } from './trust-errors.ts';

export const ERRORS = {
  ...BUS_ERRORS,
  ...CLI_ERRORS,
  ...SERVER_ERRORS,
  ...SYSTEM_ERRORS,
  ...TRUST_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;
