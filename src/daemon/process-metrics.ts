/** Registers what every daemon tells of its process, under the names that dashboards know. */
import type { Clock } from '../runtime/clock.ts';
import type { Metrics } from './metrics.ts';

const MICROSECONDS = 1_000_000;
const MS_PER_SECOND = 1_000;

export function processMetrics(
  metrics: Metrics,
  {
    component,
    version,
    clock,
  }: { readonly component: string; readonly version: string; readonly clock: Clock },
): void {
  const startSeconds = (clock.nowMs() - process.uptime() * MS_PER_SECOND) / MS_PER_SECOND;
  metrics.gauge(
    { name: 'zester_build_info', help: 'What runs here; always 1.', labels: ['component', 'version'] },
    () => [[{ component, version }, 1]],
  );
  metrics.gauge(
    { name: 'process_start_time_seconds', help: 'When the process started, since 1970 UTC.' },
    () => startSeconds,
  );
  metrics.gauge({ name: 'process_resident_memory_bytes', help: 'Memory of the process.' }, () =>
    process.memoryUsage.rss(),
  );
  metrics.total({ name: 'process_cpu_seconds_total', help: 'CPU time of the process.' }, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS;
  });
}
