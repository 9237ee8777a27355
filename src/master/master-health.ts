/**
 * The health checks of a master: it is ready when it reaches NATS and JetStream, knows the fleet, and takes jobs. A file set
 * that cannot be published makes it `degraded`, which keeps it in service.
 */
import type { Connection } from '../bus/connection.ts';
import type { Bus } from '../bus/port.ts';
import type { HealthChecks } from '../daemon/health-checks.ts';
import { natsCheck } from '../daemon/nats-check.ts';
import { STREAMS } from '../wire/names/streams.ts';
import type { MasterState } from './start-master.ts';

/** `state` is undefined until the master is being started. */
export function masterChecks(
  connection: Connection,
  bus: Bus,
  state: () => MasterState | undefined,
): HealthChecks {
  return {
    nats: () => natsCheck(connection),
    jetstream: async () => {
      await bus.stream(STREAMS.jobEvents.name).state();
      return { status: 'ok' };
    },
    'target-service': () =>
      state()?.seeded === true
        ? { status: 'ok' }
        : { status: 'down', message: 'the facts of the fleet are not read yet' },
    dispatch: () => {
      const phase = state()?.phase ?? 'starting';
      return phase === 'ready' ? { status: 'ok' } : { status: 'down', message: `the master is ${phase}` };
    },
    files: () => {
      const problem = state()?.filesProblem ?? '';
      return problem === '' ? { status: 'ok' } : { status: 'degraded', message: problem };
    },
    // For people: a master is ready whether it leads or not.
    'publisher-lease': () => {
      const leases = state()?.leases ?? [];
      return { status: 'ok', message: leases.length === 0 ? 'holds none' : `holds ${leases.join(', ')}` };
    },
  };
}
