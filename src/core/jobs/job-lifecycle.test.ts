import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '../../wire/records/job-status.ts';
import { isTerminal, mayFollow } from './job-lifecycle.ts';

describe('lifecycle', () => {
  it('no terminal status is followed by a living one', () => {
    for (const from of JOB_STATUSES.filter(isTerminal)) {
      for (const to of JOB_STATUSES) if (mayFollow(from, to)) expect(isTerminal(to)).toBe(true);
    }
  });
});
