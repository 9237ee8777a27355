/**
 * Serves health and metrics of a daemon (`/healthz`, `/readyz`, `/metrics`), from its first moment to its last.
 *
 * healthz answers as long as the event loop turns, and says how late it turns. readyz asks the checks. An address that was
 * asked for must be had; the default one may be taken (port 9090 is popular): then the daemon works without, and says so,
 * because a machine must not lose its agent over a monitoring port.
 *
 * `file` gets the address once it is served, for those who let the system choose the port. If we die right after, it names
 * an address where nobody answers; the next start writes it anew.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { formatDuration } from '../core/duration.ts';
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { addressText, type HealthAddress, isLoopback } from './health-address.ts';
import { type HealthChecks, healthChecks } from './health-checks.ts';
import { type HealthServer, type Page, type Pages, serveHealth } from './health-server.ts';
import type { Metrics } from './metrics.ts';
import { METRICS_CONTENT_TYPE, metricsText } from './metrics-text.ts';
import { processMetrics } from './process-metrics.ts';

/** What the command line says. */
export interface HealthOptions {
  readonly address: HealthAddress | 'off';
  /** Nobody asked for this address. */
  readonly isDefault: boolean;
  readonly file: string | undefined;
}

export interface DaemonParts {
  readonly component: string;
  readonly version: string;
  readonly runtime: Runtime;
  readonly metrics: Metrics;
  readonly checks: HealthChecks;
}

/** An event loop that turns later than this has more to do than it can. */
const STUCK_MS = 5_000;
const JSON_TYPE = 'application/json; charset=utf-8';
const UNAVAILABLE = 503;
const MS_PER_SECOND = 1_000;

export async function serveDaemon(
  parts: DaemonParts,
  { address, isDefault, file }: HealthOptions,
): Promise<{ stop(): Promise<void> }> {
  const { log } = parts.runtime;
  const nothing = { stop: () => Promise.resolve() };
  if (address === 'off') return nothing;
  processMetrics(parts.metrics, { ...parts, clock: parts.runtime.clock });
  let server: HealthServer;
  try {
    server = await serveHealth(address, pagesOf(parts), log);
  } catch (error) {
    if (!isDefault || !isZesterError(error)) throw error;
    log.warn('no health and metrics: the default address is taken; choose one with --health-addr', { error });
    return nothing;
  }
  const served = addressText(server.address);
  log.info('health and metrics', { address: served });
  if (!isLoopback(server.address))
    log.warn('health and metrics can be read from other machines, by anybody', { address: served });
  if (file !== undefined) writeAddress(file, served);
  return {
    async stop() {
      if (file !== undefined) rmSync(file, { force: true });
      await server.stop();
    },
  };
}

function pagesOf({ component, version, runtime, metrics, checks }: DaemonParts): Pages {
  const { clock } = runtime;
  const startMs = clock.monotonicMs();
  const askChecks = healthChecks(checks, clock);
  return {
    '/healthz': async () => {
      const lagMs = Math.round(await loopLagMs(clock));
      const isStuck = lagMs > STUCK_MS;
      const body = { status: isStuck ? 'stuck' : 'ok', component, version, event_loop_lag_ms: lagMs };
      return json(isStuck ? UNAVAILABLE : 200, body);
    },
    '/readyz': async () => {
      const report = await askChecks();
      const wholeSeconds = Math.floor((clock.monotonicMs() - startMs) / MS_PER_SECOND);
      const uptime = formatDuration(wholeSeconds * MS_PER_SECOND);
      return json(report.status === 'down' ? UNAVAILABLE : 200, { ...report, component, version, uptime });
    },
    '/metrics': () => ({
      status: 200,
      contentType: METRICS_CONTENT_TYPE,
      body: metricsText(metrics.families()),
    }),
  };
}

/** How long a timer that is due waits for its turn. */
function loopLagMs(clock: Clock): Promise<number> {
  const askedMs = clock.monotonicMs();
  return new Promise((resolve) => {
    clock.after(0, () => resolve(clock.monotonicMs() - askedMs));
  });
}

function json(status: number, body: object): Page {
  return { status, contentType: JSON_TYPE, body: `${JSON.stringify(body, undefined, 2)}\n` };
}

function writeAddress(file: string, address: string): void {
  try {
    writeFileSync(`${file}.tmp`, `${address}\n`);
    renameSync(`${file}.tmp`, file);
  } catch (cause) {
    throw zesterError('DAEMON_HEALTH_FILE', { file }, { cause });
  }
}
