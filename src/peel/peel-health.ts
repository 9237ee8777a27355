/** The health checks and metrics of a peel: it is ready when it reaches NATS and the store, and takes jobs. */
import type { Connection } from '../bus/connection.ts';
import type { AgentBus } from '../bus/port.ts';
import type { HealthChecks } from '../daemon/health-checks.ts';
import type { Metrics } from '../daemon/metrics.ts';
import { natsCheck } from '../daemon/nats-check.ts';
import type { Clock } from '../runtime/clock.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import { COMMAND_KEY } from '../wire/names/keys.ts';
import type { PeelState } from './peel-ports.ts';

const MS_PER_SECOND = 1_000;

/** `state` is undefined until the peel is being started. */
export function peelChecks(
  connection: Connection,
  bus: AgentBus,
  state: () => PeelState | undefined,
): HealthChecks {
  return {
    nats: () => natsCheck(connection),
    kv: async () => {
      const read = await bus.bucket(BUCKETS.secrets.name).get(COMMAND_KEY);
      if (read.found) return { status: 'ok' };
      return {
        status: 'degraded',
        message: 'no master has published the key that commands are checked with',
      };
    },
    jobs: () => {
      const phase = state()?.phase ?? 'starting';
      return phase === 'ready' ? { status: 'ok' } : { status: 'down', message: `the peel is ${phase}` };
    },
  };
}

export function peelMetrics(metrics: Metrics, state: () => PeelState, clock: Clock): void {
  const startMs = clock.monotonicMs();
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge({ name, help }, read);
  gauge('zester_peel_connected', 'Whether NATS is connected: 1 or 0.', () =>
    state().connection === 'connected' ? 1 : 0,
  );
  gauge('zester_peel_uptime_seconds', 'Since the start of the peel.', () => {
    return (clock.monotonicMs() - startMs) / MS_PER_SECOND;
  });
  gauge('zester_peel_jobs_queued', 'Jobs that wait for their turn.', () => state().queued);
  gauge('zester_peel_jobs_running', 'Jobs that run.', () => state().running);
  gauge('zester_peel_returns_spooled', 'Returns that no stream has confirmed yet.', () => state().spooled);
  metrics.total(
    {
      name: 'zester_peel_requests_total',
      help: 'What became of the requests, cancels and returns of this peel.',
      labels: ['result'],
    },
    () =>
      Object.entries(state().counts).map(([name, count]) => [{ result: snakeCase(name) }, count] as const),
  );
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
