/**
 * This table has the files of an auth directory: what each holds and who needs it. `zester auth init` writes all of
 * them; a machine gets only those of its role.
 *
 *   every master      account.seed, operator-signing.seed, agents-signing.seed, master.creds, sys.creds and the public
 *                     files. The three seeds must be the same on all masters: each of them seals secrets, proves
 *                     commands, mints peels and pushes revocations, and peels cannot tell which master did it.
 *   an admin          admin.creds, admin-operator.key
 *   a nats-server     resolver-preload.conf, or the four .jwt files
 *   a peel            none of them: it gets its own credentials at enrollment
 *
 *   a safe            operator-identity.seed, which only `zester auth rotate operator-key` needs
 *
 * Two seeds are not here because nothing needs them again: those of AGENTS and of SYS. The key
 * that signs the system user is derived from operator-signing.seed (accounts/system-signing-key.ts).
 */
import { PUBLIC_MODE, SECRET_MODE } from './key-files.ts';

export const AUTH_FILES = {
  operatorJwt: { path: 'operator.jwt', mode: PUBLIC_MODE, doc: 'who the NATS operator is' },
  controlJwt: { path: 'account.jwt', mode: PUBLIC_MODE, doc: 'account ZESTER: masters, admins, JetStream' },
  agentsJwt: { path: 'agents.jwt', mode: PUBLIC_MODE, doc: 'account AGENTS: peels' },
  systemJwt: { path: 'sys.jwt', mode: PUBLIC_MODE, doc: 'account SYS: of the server itself' },
  preload: {
    path: 'resolver-preload.conf',
    mode: PUBLIC_MODE,
    doc: 'operator and accounts, to be included in the configuration of a nats-server',
  },
  controlSeed: {
    path: 'account.seed',
    mode: SECRET_MODE,
    doc: 'signs masters and admins; root of the command key and the curve key; shared by all masters',
  },
  operatorIdentitySeed: {
    path: 'operator-identity.seed',
    mode: SECRET_MODE,
    doc: 'signs the operator, for a rotation of its signing key: keep it in a safe, and not here',
  },
  operatorSigningSeed: {
    path: 'operator-signing.seed',
    mode: SECRET_MODE,
    doc: 'signs accounts, for revocations; shared by all masters',
  },
  agentsSigningSeed: {
    path: 'agents-signing.seed',
    mode: SECRET_MODE,
    doc: 'signs peels, within the template of AGENTS; shared by all masters',
  },
  masterCreds: { path: 'master.creds', mode: SECRET_MODE, doc: 'lets a master into ZESTER' },
  systemCreds: {
    path: 'sys.creds',
    mode: SECRET_MODE,
    doc: 'lets a master push account updates, and doctor ask servers how they are set',
  },
  adminCreds: { path: 'admin.creds', mode: SECRET_MODE, doc: 'lets the CLI into ZESTER' },
  adminOperatorKey: {
    path: 'admin-operator.key',
    mode: SECRET_MODE,
    doc: 'signs cancels and direct requests of the admin; with its certificate',
  },
} as const;

export type AuthFile = keyof typeof AUTH_FILES;
