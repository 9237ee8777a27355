/**
 * This file says who the trusted users are: masters, admins and the system user, each with its name, its grants and the key
 * that signs it. `zester auth init` makes them, and `auth-upgrade.ts` makes them anew, for the same user key, when the grants have
 * changed.
 */
import { ADMIN_GRANT, MASTER_GRANT, type Permissions, SYS_GRANT } from '../../wire/names/grants.ts';
import type { SigningKey } from '../nkeys.ts';
import { mintTrustedUser } from './users.ts';

export type CredsRole = 'master' | 'admin' | 'system';
export const CREDS_ROLES: readonly CredsRole[] = ['master', 'admin', 'system'];

const USERS: Readonly<Record<CredsRole, { readonly name: string; readonly permissions: Permissions }>> = {
  master: { name: 'zester-master', permissions: MASTER_GRANT },
  admin: { name: 'zester-admin', permissions: ADMIN_GRANT },
  system: { name: 'zester-master-sys', permissions: SYS_GRANT },
};

/** What signs trusted users. */
export interface UserSigners {
  readonly control: SigningKey;
  readonly systemSigning: SigningKey;
  readonly public: { readonly system: { readonly publicKey: string } };
}

export function mintUserOf(
  role: CredsRole,
  signers: UserSigners,
  userPublicKey: string,
  nowMs: number,
): string {
  const user = { ...USERS[role], userPublicKey, nowMs };
  return role === 'system'
    ? mintTrustedUser(signers.systemSigning, { ...user, account: signers.public.system.publicKey })
    : mintTrustedUser(signers.control, user);
}
