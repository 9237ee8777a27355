/** `connectFleet` connects to the NATS of a fleet with credentials of its auth directory. */
import type { Connection } from '../bus/connection.ts';
import { connectNats } from '../bus/nats/nats-connection.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CredsRole } from '../trust/accounts/trusted-roles.ts';
import { credsPath, loadCreds } from '../trust/auth-dir.ts';
import { natsAuthenticator } from '../trust/nats-authenticator.ts';

export interface FleetAddress {
  readonly servers: readonly string[];
  readonly authDir: string;
  readonly caFile: string;
}

const CONNECT_MS_MAX = 30_000;

/** Gives up at once on what would fail again, and soon where nobody listens; a busy machine gets its time. */
export function connectFleet(role: CredsRole, address: FleetAddress, runtime: Runtime): Connection {
  return connectNats({
    servers: address.servers,
    name: 'zester',
    inboxName: role,
    authenticator: natsAuthenticator(() => loadCreds(credsPath(address.authDir, role))),
    caFile: address.caFile,
    runtime,
    giveUpAfterMs: CONNECT_MS_MAX,
  });
}
