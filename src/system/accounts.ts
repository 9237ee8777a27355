/**
 * These functions look up users and groups of the machine, read from /etc/passwd and /etc/group at each question: both
 * are small, and an account made a moment ago must be found. Accounts that only LDAP or SSSD know are not found. A
 * missing file means no accounts; a file that cannot be read throws.
 */
import type { ReadFiles } from './files.ts';

export interface Accounts {
  /** By name, or by number. The first line that fits, as the C library does. */
  user(key: string | number): Promise<User | undefined>;
  group(key: string | number): Promise<Group | undefined>;
  /** Every group of the user: the primary one first, then those that name it as a member, in order of the file. */
  groupIdsOf(user: User): Promise<readonly number[]>;
}

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

export interface Group {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

export function accountsOn(files: Pick<ReadFiles, 'read'>): Accounts {
  const users = async () => parsePasswd(await readText('/etc/passwd'));
  const groups = async () => parseGroup(await readText('/etc/group'));
  const readText = async (path: string) => Buffer.from((await files.read(path)) ?? []).toString('utf8');
  return {
    user: async (key) => (await users()).find((user) => user.name === key || user.uid === key),
    group: async (key) => (await groups()).find((group) => group.name === key || group.gid === key),
    groupIdsOf: async (user) => {
      const joined = (await groups()).filter((group) => group.members.includes(user.name));
      return [...new Set([user.gid, ...joined.map((group) => group.gid)])];
    },
  };
}

/** Lines that are not accounts (comments, NIS `+` lines, broken ones) are left out, as the C library does. */
export function parsePasswd(text: string): readonly User[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = '', , home = '', shell = ''] = line.split(':');
    if (!isName(name) || !isId(uid) || !isId(gid)) return [];
    return [{ name, uid: Number(uid), gid: Number(gid), home: home || '/', shell: shell || '/bin/sh' }];
  });
}

function parseGroup(text: string): readonly Group[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', , gid = '', members = ''] = line.split(':');
    if (!isName(name) || !isId(gid)) return [];
    return [{ name, gid: Number(gid), members: members.split(',').filter((member) => member !== '') }];
  });
}

const isName = (text: string) => /^[^#+-]/.test(text);
const isId = (text: string) => /^\d{1,10}$/.test(text);
