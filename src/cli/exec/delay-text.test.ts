import { describe, expect, it } from 'vitest';
import type { DispatchDelay } from '../../client/jobs/submit-job.ts';
import { delayText, resolveText } from './delay-text.ts';

describe('what is said while a target is resolved', () => {
  it('no master answers, and what is done instead', () => {
    expect(resolveText({ kind: 'no-master' })).toBe(
      'no master answers; matching the target against the stored facts',
    );
  });

  it('whose facts cannot be read', () => {
    const record = { kind: 'facts', key: 'web-03', problem: 'Facts: byte 0 is no value' } as const;
    expect(resolveText({ kind: 'unreadable', record })).toBe(
      'the record facts of web-03 cannot be read and is left out: Facts: byte 0 is no value',
    );
  });
});

describe('what is said while a job is not dispatched', () => {
  const pending = 'claim pending: master m has taken job j and not sent it yet';
  it.each<[DispatchDelay['reason'], string, string]>([
    ['no-master', 'nobody listens', 'no master is there to take the job'],
    ['no-answer', 'no answer', 'no master has answered within 5 s'],
    ['cannot-ask', 'the connection is gone', 'no master could be asked: the connection is gone'],
    ['refused', 'this master is stopping', 'a master cannot take the job now: this master is stopping'],
    ['pending', pending, 'the job is not sent yet: master m has taken job j and not sent it yet'],
  ])('%s', (reason, said, words) => {
    expect(delayText({ reason, said, retryForMs: 30_000 })).toBe(`${words}; trying again for up to 30 s`);
  });
});
