import { describe, expect, it } from 'vitest';
import { endingOfInterrupted } from './make-return.ts';

describe('the row of a job that was interrupted', () => {
  const pids = [1, 2, 3, 4, 5, 6, 7];

  it('says what became of its commands', () => {
    expect(endingOfInterrupted([]).error).toBe('interrupted by restart');
    expect(endingOfInterrupted([{ is: 'gone' }, { is: 'gone' }]).error).toBe(
      'interrupted by restart; its command was no longer running',
    );
    expect(
      endingOfInterrupted([{ is: 'alive', pid: 8 }, { is: 'gone' }, { is: 'ended', pid: 9 }]).error,
    ).toBe(
      'interrupted by restart; its command (pid 9) was still running and was ended; ' +
        'its command (pid 8) was still running and could not be ended: it may still run; ' +
        'its command was no longer running',
    );
  });

  it('names a few of many', () => {
    expect(endingOfInterrupted(pids.map((pid) => ({ is: 'ended', pid }))).error).toContain(
      'its command (pid 1, 2, 3, 4, 5 and 2 more) was still running',
    );
  });
});
