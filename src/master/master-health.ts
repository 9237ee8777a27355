/**
 * The health checks of a master: it is ready when it reaches NATS, its stores take writes, it knows the fleet, and takes jobs. A file set
 * that cannot be published, or account documents that servers do not have, make it `degraded`, which keeps it in service.
 */
import type { Connection } from '../bus/connection.ts';
import type { Bus } from '../bus/port.ts';
import type { HealthChecks } from '../daemon/health-checks.ts';
import { natsCheck } from '../daemon/nats-check.ts';
import type { Clock } from '../runtime/clock.ts';
import type { MasterState } from './start-master.ts';
import { timeStores } from './store/store-times.ts';

/** `state` is undefined until the master is being started. */
export function masterChecks(
  connection: Connection,
  bus: Bus,
  clock: Clock,
  state: () => MasterState | undefined,
): HealthChecks {
  return {
    nats: () => natsCheck(connection),
    jetstream: async () => {
      const { status, problem } = await timeStores(bus, clock);
      return problem === '' ? { status } : { status, message: problem };
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
    accounts: () => {
      const problem = state()?.accountsProblem ?? '';
      return problem === '' ? { status: 'ok' } : { status: 'degraded', message: problem };
    },
    // For people, too: requests that wait take nothing from jobs.
    enrollment: () => {
      const waiting = state()?.enrollments.pending ?? 0;
      return { status: 'ok', message: waiting === 0 ? 'nobody waits' : `${waiting} wait for a decision` };
    },
    // For people: a master is ready whether it leads or not.
    'publisher-lease': () => {
      const leases = state()?.leases ?? [];
      return { status: 'ok', message: leases.length === 0 ? 'holds none' : `holds ${leases.join(', ')}` };
    },
  };
}
