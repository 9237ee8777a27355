import { describe, expect, it } from 'vitest';
import { currentUser } from './current-user.ts';

/** As for a uid without an entry in the password file. */
function noAccount(): never {
  throw new Error('uv_os_get_passwd returned ENOENT');
}

describe('currentUser', () => {
  it('is the account, whatever the environment says', () => {
    expect(currentUser({ USER: 'bob' }, () => ({ username: 'alice' }))).toBe('alice');
  });

  it('without one it is $USER, and `unknown` where that says nothing', () => {
    const users = [{ USER: 'bob' }, { USER: '' }, {}].map((env) => currentUser(env, noAccount));
    expect(users).toEqual(['bob', 'unknown', 'unknown']);
  });
});
