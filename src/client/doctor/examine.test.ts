import { describe, expect, it } from 'vitest';
import { type Finding, ok } from '../../core/doctor/finding.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { CHECK_MS_MAX, examine } from './examine.ts';

describe('examine', () => {
  it('names the finding after the check', async () => {
    expect(await examine({ name: 'disk', run: async () => ok('fine') }, virtualClock())).toEqual({
      check: 'disk',
      verdict: 'ok',
      found: 'fine',
      fix: '',
    });
  });

  it('a reading that fails is unknown, with the reason and what to do', async () => {
    const run = () => Promise.reject(zesterError('BUS_TIMEOUT', { what: 'x', ms: 5 }));
    expect(await examine({ name: 'peels', run }, virtualClock())).toMatchObject({
      verdict: 'unknown',
      found: 'no answer to x within 5 ms',
      fix: expect.stringContaining('try again'),
    });
    const broken = () => Promise.reject(new TypeError('oops'));
    expect(await examine({ name: 'peels', run: broken }, virtualClock())).toMatchObject({
      verdict: 'unknown',
      found: 'this check is broken: oops',
    });
  });

  it('one that never answers is given up in time', async () => {
    const clock = virtualClock();
    let finding: Finding | undefined;
    const done = examine({ name: 'slow', run: () => new Promise(() => undefined) }, clock).then((found) => {
      finding = found;
    });
    await clock.advance(CHECK_MS_MAX - 1);
    expect(finding).toBeUndefined();
    await clock.advance(1);
    await done;
    expect(finding).toMatchObject({ check: 'slow', verdict: 'unknown', found: 'no answer within 10 s' });
  });
});
