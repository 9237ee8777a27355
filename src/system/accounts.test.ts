import { describe, expect, it } from 'vitest';
import { zesterError } from '../core/errors/zester-error.ts';
import { accountsOn, parsePasswd } from './accounts.ts';

const PASSWD = `root:x:0:0:root:/root:/bin/bash
web:x:33:33:web server:/var/www:/usr/sbin/nologin
twin:x:33:34::/twin:
# a comment
+::::::
broken:x:notanumber:1::/:/bin/sh
short
`;
const GROUP = `root:x:0:
web:x:33:
ssl:x:110:web,other
log:x:4:other,web
web2:x:33:web
`;

const accounts = accountsOn({
  read: async (path) => Buffer.from(path === '/etc/passwd' ? PASSWD : GROUP),
});

describe('accounts', () => {
  it('finds users and groups by name and by number, the first line winning', async () => {
    expect(await accounts.user('web')).toEqual({
      name: 'web',
      uid: 33,
      gid: 33,
      home: '/var/www',
      shell: '/usr/sbin/nologin',
    });
    expect((await accounts.user(33))?.name).toBe('web');
    expect((await accounts.user('twin'))?.shell).toBe('/bin/sh');
    expect((await accounts.group(110))?.members).toEqual(['web', 'other']);
    expect(await accounts.user('33')).toBeUndefined();
  });

  it('gives every group of a user once, the primary one first', async () => {
    const web = await accounts.user('web');
    expect(web && (await accounts.groupIdsOf(web))).toEqual([33, 110, 4]);
  });

  it('leaves out lines that are no accounts', () => {
    expect(parsePasswd(PASSWD).map((user) => user.name)).toEqual(['root', 'web', 'twin']);
  });

  it('takes a missing file for no accounts and an unreadable one for an error', async () => {
    expect(await accountsOn({ read: async () => undefined }).user('root')).toBeUndefined();
    const denied = zesterError('FILE_READ_FAILED', {
      operation: 'read',
      path: '/etc/passwd',
      reason: 'permission denied',
      errno: 'EACCES',
    });
    await expect(accountsOn({ read: () => Promise.reject(denied) }).user('root')).rejects.toBe(denied);
  });
});
