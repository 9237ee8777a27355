/** The health check of NATS passes when the connection stands and the server answers. */
import type { Connection } from '../bus/connection.ts';
import type { CheckResult } from './health-checks.ts';

export async function natsCheck(connection: Connection): Promise<CheckResult> {
  const status = connection.status();
  if (status !== 'connected') {
    const why = connection.failure()?.message;
    return { status: 'down', message: why === undefined ? status : `${status}: ${why}` };
  }
  await connection.flush();
  return { status: 'ok', message: `connected to ${connection.server()?.name ?? 'a server'}` };
}
