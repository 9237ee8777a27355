/** These functions read who owns a file, as a state writes it: names or numbers of a user and a group. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { optional } from '../../core/params/params.ts';
import type { Accounts } from '../../system/accounts.ts';
import type { FileOwner } from '../../system/files.ts';

export const OWNER_PARAMS = {
  user: optional('string', { doc: 'Who owns it: a name or a number. Not given: as it is.' }),
  group: optional('string', { doc: 'The group it belongs to: a name or a number. Not given: as it is.' }),
};

export interface OwnerNames {
  readonly user: string | undefined;
  readonly group: string | undefined;
}

/** Only what was declared is in it. A number needs no account. */
export async function ownerOf({ user, group }: OwnerNames, accounts: Accounts): Promise<FileOwner> {
  const uid = user === undefined ? undefined : (idOf(user) ?? (await accounts.user(user))?.uid);
  const gid = group === undefined ? undefined : (idOf(group) ?? (await accounts.group(group))?.gid);
  if (user !== undefined && uid === undefined)
    throw zesterError('FILE_OWNER_UNKNOWN', { kind: 'user', name: user, table: '/etc/passwd' });
  if (group !== undefined && gid === undefined)
    throw zesterError('FILE_OWNER_UNKNOWN', { kind: 'group', name: group, table: '/etc/group' });
  return { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) };
}

/** 4294967295 means "leave as it is" to chown(2). */
const ID_MAX = 0xffff_fffe;

function idOf(text: string): number | undefined {
  if (!/^\d{1,10}$/.test(text)) return undefined;
  return Number(text) <= ID_MAX ? Number(text) : undefined;
}
