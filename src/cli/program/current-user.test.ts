import { userInfo } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { currentUser } from './current-user.ts';

vi.mock('node:os', () => ({ userInfo: vi.fn() }));
const account = vi.mocked(userInfo as () => { username: string });
afterEach(() => account.mockReset());

/** As for a uid without an entry in the password file. */
function withoutAccount(): void {
  account.mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
}

describe('currentUser', () => {
  it('is the account, whatever the environment says', () => {
    account.mockReturnValue({ username: 'alice' });
    expect(currentUser({ USER: 'bob' })).toBe('alice');
  });

  it('without one it is $USER, and `unknown` where that says nothing', () => {
    withoutAccount();
    expect([currentUser({ USER: 'bob' }), currentUser({ USER: '' }), currentUser({})]).toEqual([
      'bob',
      'unknown',
      'unknown',
    ]);
  });
});
