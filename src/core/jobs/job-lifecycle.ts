/**
 * This table says which status of a job record may follow which. Only its owner writes it, each time by compare-and-set.
 * A terminal record may still be recounted when a return comes late, so it may be followed by another terminal status,
 * never by a living one.
 */
import type { JobStatus } from '../../wire/records/job-status.ts';

const TERMINAL = ['complete', 'partial', 'timeout', 'failed', 'canceled'] as const;

const NEXT: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  pending: ['claimed'],
  claimed: ['claimed', 'running', ...TERMINAL],
  running: ['running', ...TERMINAL],
  complete: TERMINAL,
  partial: TERMINAL,
  timeout: TERMINAL,
  failed: TERMINAL,
  canceled: ['canceled'],
};

export function isTerminal(status: JobStatus): boolean {
  return (TERMINAL as readonly JobStatus[]).includes(status);
}

export function mayFollow(from: JobStatus, to: JobStatus): boolean {
  return NEXT[from].includes(to);
}
