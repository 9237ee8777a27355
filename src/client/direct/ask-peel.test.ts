import { describe, expect, it } from 'vitest';
import { zesterError } from '../../core/errors/zester-error.ts';
import { exitCodeOf } from '../../core/jobs/exit-code.ts';
import { outcomeOf } from '../../core/jobs/target-row.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { silentReturn } from './ask-peel.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const WEB = 'web-01' as PeelId;

describe('a peel that did not answer a direct request', () => {
  const noOne = zesterError('BUS_NO_RESPONDERS', { what: 'x' });
  const late = zesterError('BUS_TIMEOUT', { what: 'x', ms: 1_000 });
  it.each([
    ['nobody is connected there', noOne, 'unreachable', /^UNREACHABLE: not connected$/],
    [
      'it was connected',
      late,
      'running',
      /^NO ANSWER within 1s: it was connected .* may have run or still run$/,
    ],
    [
      'our own connection is gone',
      new Error('gone'),
      'running',
      /^NO ANSWER: gone; .* may have run or still run$/,
    ],
  ])('%s', (_, error, outcome, words) => {
    const row = silentReturn(JID, WEB, error, 1_000);
    expect([outcomeOf(row), row.error]).toEqual([outcome, expect.stringMatching(words)]);
    expect(exitCodeOf([outcomeOf(row)])).toBe(3);
  });
});
