import { describe, expect, it } from 'vitest';
import { JID, PEEL, REACTION_JID } from '../../../test/fixtures/go/samples.ts';
import { activeJobKey, isKey, jobReturnKey, parseActiveJobKey, parseJobReturnKey } from './keys.ts';

describe('keys', () => {
  it('are parsed back to what they were built from', () => {
    for (const jid of [JID, REACTION_JID]) {
      expect(parseActiveJobKey(activeJobKey(jid))).toBe(jid);
      expect(parseJobReturnKey(jobReturnKey(jid, PEEL))).toEqual({ jid, peel: PEEL });
    }
  });

  it.each(['', JID, 'active.', 'active.x', `active.${JID}.x`, `inactive.${JID}`])(
    'of no index entry: %j',
    (key) => {
      expect(parseActiveJobKey(key)).toBeUndefined();
    },
  );

  it.each(['', JID, `${JID}.`, `.${PEEL}`, `${JID}.a.b`, `x.${PEEL}`, `${JID}.*`])('of no row: %j', (key) => {
    expect(parseJobReturnKey(key)).toBeUndefined();
  });

  it.each(['a', 'common/base.zy', '_manifest', 'a=b', '-x'])('take %s', (key) =>
    expect(isKey(key)).toBe(true),
  );

  it.each(['', '.', '.a', 'a.', 'a..b', 'a b', 'a*', '>', 'ä', 'a\n', 'x'.repeat(1_025)])(
    'do not take %j',
    (key) => {
      expect(isKey(key)).toBe(false);
    },
  );
});
