import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JoinTokenId, PeelId } from '../../../wire/names/ids.ts';
import type { JoinToken } from '../../../wire/records/enroll/join-token.ts';
import {
  judgeToken,
  newTokenProblem,
  parseTokenText,
  shutOutProblem,
  tokenState,
  tokenUsed,
} from './join-token-rules.ts';

const DAY = 86_400_000_000_000n;
const token: JoinToken = {
  id: `tok-${'1'.repeat(27)}` as JoinTokenId,
  hash: 'ab'.repeat(32),
  usesMax: 2,
  peelPattern: 'web-*',
  tags: {},
  createdBy: 'alice',
  createdAt: 0n,
  expiresAt: 100n,
  revokedBy: '',
  revokedAt: undefined,
  enrollments: [],
};
const web = 'web-1' as PeelId;
const use = { hash: token.hash, peel: web, enrollment: 'enr-1', now: 50n };

describe('a join token', () => {
  it('lets in what it covers, until it is used up, and counts an enrollment once', () => {
    expect(judgeToken(token, use)).toEqual({ is: 'good', isCounted: false });
    const once = tokenUsed(token, 'enr-1');
    expect(judgeToken(once, use)).toEqual({ is: 'good', isCounted: true });
    const twice = tokenUsed(once, 'enr-2');
    expect(judgeToken(twice, use)).toEqual({ is: 'good', isCounted: true });
    expect(judgeToken(twice, { ...use, enrollment: 'enr-3' })).toMatchObject({ problem: 'it is used up' });
    expect(judgeToken(twice, { ...use, enrollment: undefined })).toMatchObject({ problem: 'it is used up' });
  });

  it('does not let in anybody else, nor later, nor after it was revoked, a counted one included', () => {
    const other = { ...use, peel: 'db-1' as PeelId };
    expect(judgeToken(token, other)).toMatchObject({ problem: expect.stringContaining('db-1') });
    for (const given of [token, tokenUsed(token, 'enr-1')]) {
      expect(judgeToken(given, { ...use, now: 100n })).toMatchObject({ problem: 'it has expired' });
      expect(judgeToken({ ...given, revokedAt: 1n }, use)).toMatchObject({ problem: 'it was revoked' });
    }
  });

  it('that is unknown and one with a wrong secret get the same answer, whatever else is wrong', () => {
    const spent = { ...token, revokedAt: 1n, expiresAt: 1n };
    for (const hash of ['', 'ab', 'ac'.repeat(32), `${token.hash}0`]) {
      expect(judgeToken(spent, { ...use, hash })).toEqual(judgeToken(undefined, use));
    }
    expect(judgeToken(undefined, use)).toEqual({ is: 'unknown' });
  });

  it('approves neither an id nor a key that was revoked', () => {
    const problem = (isIdRevoked: boolean, isKeyRevoked: boolean) =>
      shutOutProblem(web, { isIdRevoked, isKeyRevoked });
    expect(problem(false, false)).toBe(undefined);
    expect(problem(true, false)).toContain('web-1 was revoked');
    for (const id of [true, false]) expect(problem(id, true)).toContain('key of this machine was revoked');
  });

  it('stands as it would be judged', () => {
    const used = tokenUsed(tokenUsed(token, 'enr-1'), 'enr-2');
    expect(tokenState(token, 50n)).toBe('good');
    expect(tokenState(used, 50n)).toBe('used up');
    expect(tokenState(used, 100n)).toBe('expired');
    expect(tokenState({ ...used, revokedAt: 1n }, 100n)).toBe('revoked');
  });

  it('is read from its text, and from nothing else', () => {
    const secret = 's'.repeat(43);
    expect(parseTokenText(`${token.id}.${secret}`)).toEqual({ id: token.id, secret });
    for (const wrong of [
      '',
      token.id,
      `${token.id}.`,
      `${token.id}.short`,
      `${token.id}.${secret}.x`,
      `x.${secret}`,
    ])
      expect(parseTokenText(wrong)).toBe(undefined);
    fc.assert(fc.property(fc.string(), (text) => parseTokenText(text) === undefined));
  });

  it('is made within its bounds only', () => {
    const problem = (given: Partial<JoinToken>) => newTokenProblem({ ...token, ...given }, 0n);
    expect(problem({})).toBe(undefined);
    expect(problem({ hash: 'AB'.repeat(32) })).toContain('hash');
    for (const usesMax of [0, -1, 1.5, 10_001]) expect(problem({ usesMax })).toContain('uses');
    for (const peelPattern of ['', 'a.b', 'a b', 'x'.repeat(129), 'web-['])
      expect(problem({ peelPattern })).toContain('pattern');
    expect(problem({ expiresAt: 0n })).toContain('at once');
    expect(problem({ expiresAt: 367n * DAY })).toContain('366 days');
  });
});
