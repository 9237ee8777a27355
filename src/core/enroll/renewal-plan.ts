/**
 * These functions say when a peel renews its credentials, and when it takes them into use. Pure: chance comes in as a number from 0 to 1.
 *
 * Renewal is due at two thirds of their life, give or take a twentieth, so that a fleet that joined in one hour does not renew in
 * one. The server cuts a connection whose credentials expire, so the peel connects anew before that, at a moment of its own choice: in
 * what is left up to the last tenth of the life.
 */
import type { Backoff } from '../backoff.ts';

export interface CredentialsLife {
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

const DUE_PART = 2 / 3;
const DUE_SPREAD = 1 / 10;
const LAST_PART = 1 / 10;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 3_600_000;

export function renewalDueMs({ issuedAtMs, expiresAtMs }: CredentialsLife, chance: number): number {
  return issuedAtMs + (expiresAtMs - issuedAtMs) * (DUE_PART + DUE_SPREAD * (chance - 0.5));
}

/** When to connect anew, where the connection still stands on the old credentials, whose life this is. */
export function reconnectDueMs(
  { issuedAtMs, expiresAtMs }: CredentialsLife,
  nowMs: number,
  chance: number,
): number {
  const latestMs = expiresAtMs - (expiresAtMs - issuedAtMs) * LAST_PART;
  return nowMs + Math.max(0, latestMs - nowMs) * chance;
}

/** Between two tries to renew: often enough that many fit into what is left. */
export function renewalPauses({ issuedAtMs, expiresAtMs }: CredentialsLife): Backoff {
  const lifeMs = expiresAtMs - issuedAtMs;
  const within = (ms: number) => Math.min(Math.max(ms, PAUSE_MS_MIN), PAUSE_MS_MAX);
  return { firstMs: within(lifeMs / 10_000), maxMs: within(lifeMs / 100) };
}
