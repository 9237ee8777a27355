import { describe, expect, it } from 'vitest';
import { zesterError } from '../../core/errors/zester-error.ts';
import { exitCodeOf } from '../../core/jobs/exit-code.ts';
import { outcomeOf } from '../../core/jobs/target-row.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { leftAlone, silentReturn } from './run-direct.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const [WEB, DB] = ['web-01', 'db-01'] as [PeelId, PeelId];

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

it('who leaves is told until when it may run where nothing was heard, not that it runs', () => {
  expect(leftAlone([WEB, DB], new Map([[DB, {}]]), 1_770_733_845_000).message).toBe(
    'interrupted while waiting for 1 of 2 peels to answer: what was asked may run there until 2026-02-10T14:30:45Z, and its answer is lost: web-01',
  );
});
