/** This file reads the options `--health-addr` and `--health-file`, which are the same for every daemon. */
import { parseHealthAddress } from './health-address.ts';
import type { HealthOptions } from './serve-daemon.ts';

export const HEALTH_VALUES = ['health-addr', 'health-file'] as const;

export function healthHelp(fallback: string): string {
  return [
    `  --health-addr ADDRESS  where /healthz, /readyz and /metrics are served: HOST:PORT, port 0 for a free one, or off;`,
    `                         default ${fallback}`,
    '  --health-file FILE     write the address that is served to this file',
  ].join('\n');
}

export function healthOptions(
  given: Pick<ReadonlyMap<string, string>, 'get'>,
  fallback: string,
  refuse: (problem: string) => Error,
): HealthOptions {
  const text = given.get('health-addr');
  const file = given.get('health-file');
  const address = parseHealthAddress(text ?? fallback);
  if (address === undefined)
    throw refuse(`option --health-addr is HOST:PORT, such as ${fallback}, or off, not ${text}`);
  if (address === 'off' && file !== undefined)
    throw refuse('option --health-file has nothing to tell with --health-addr off');
  return { address, isDefault: text === undefined, file };
}
