/**
 * `askServers` asks every server of the cluster how it is set, in the system account. Needs sys.creds, which masters
 * have and admins need not; without them nobody can be asked, and the reason says so.
 */

import { lineUp } from '../../bus/line-up.ts';
import { readServerSettings, type ServerSettings } from '../../bus/server-settings.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { jsonLog } from '../../runtime/log.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { credsPath } from '../../trust/auth-dir.ts';
import { hasSecretFile } from '../../trust/key-files.ts';
import { connectFleet, type FleetAddress } from '../connect-fleet.ts';

export type ServersTold = { readonly servers: readonly ServerTold[] } | { readonly notAsked: string };

export interface ServerTold extends Omit<ServerSettings, 'saidMs' | 'receivedMs'> {
  /** Its clock against ours: ahead by this much, give or take `uncertainMs`. */
  readonly aheadMs: number | undefined;
  readonly uncertainMs: number;
}

export async function askServers(address: FleetAddress, runtime: Runtime): Promise<ServersTold> {
  const creds = credsPath(address.authDir, 'system');
  if (!hasSecretFile(creds)) return { notAsked: `there is no ${creds}` };
  const { clock } = runtime;
  // What is refused is part of the answer here, not something to log.
  const quiet = { ...runtime, log: jsonLog({ clock, write: () => undefined }) };
  const connection = connectFleet('system', address, quiet);
  try {
    await lineUp(connection);
    const askedMs = clock.nowMs();
    const servers = await readServerSettings(connection, clock);
    if (servers.length === 0) return { notAsked: 'no server answered in the system account' };
    return { servers: servers.map((server) => serverTold(server, askedMs)) };
  } catch (error) {
    if (isZesterError(error, 'BUS_DENIED'))
      return { notAsked: `${creds} may not ask; an older Zester made it` };
    if (isZesterError(error)) return { notAsked: `${error.message} with ${creds}` };
    throw error;
  } finally {
    await connection.close();
  }
}

function serverTold({ saidMs, receivedMs, ...settings }: ServerSettings, askedMs: number): ServerTold {
  const middleMs = (askedMs + receivedMs) / 2;
  return {
    ...settings,
    aheadMs: saidMs === undefined ? undefined : saidMs - middleMs,
    uncertainMs: (receivedMs - askedMs) / 2,
  };
}
