/**
 * `currentUser` tells who is at the keyboard, as jobs and certificates name them: the account, else $USER, else
 * `unknown`.
 */
import { userInfo } from 'node:os';

export function currentUser(
  env: Readonly<Record<string, string | undefined>>,
  account: () => { readonly username: string } = userInfo,
): string {
  try {
    return account().username;
  } catch {
    // A uid without an entry in the password file, as in many containers.
    return env.USER || 'unknown';
  }
}
