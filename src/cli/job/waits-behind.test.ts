import { describe, expect, it } from 'vitest';
import { behindAll } from './waits-behind.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO';
const OTHER = '2hPx2Kd8VnR7YmWqTz4PLsCfNjA';

describe('what targets wait behind, in words', () => {
  it('many are counted, and what a peel made up cannot move the cursor', () => {
    expect(behindAll([OTHER, JID, 'a', 'b'])).toBe(`job ${OTHER}, job ${JID} and 2 more`);
    expect(behindAll(['\u001b[2J'])).not.toContain('\u001b');
  });
});
