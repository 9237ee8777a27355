/** Which nats-server a binary is, and whether it is new enough for us. */
import type { Clock } from '../../runtime/clock.ts';
import { runCommand } from './run-command.ts';

/** Below this, several stream and consumer settings are silently ignored (reference/nats.md, section 1). */
export const SERVER_FLOOR = '2.10.0';

const PROBE_MS_MAX = 10_000;

export type ServerProbe =
  | { readonly usable: true; readonly version: string }
  | { readonly usable: false; readonly reason: string };

/** Runs `binary --version`. What does not answer like a nats-server of at least the floor is not usable. */
export async function probeServer(clock: Clock, binary: string): Promise<ServerProbe> {
  const run = await runCommand(clock, { file: binary, args: ['--version'], timeoutMs: PROBE_MS_MAX });
  if (!run.ok) return { usable: false, reason: run.reason };
  const version = /^nats-server: v?(\d+\.\d+\.\d+\S*)/m.exec(run.output)?.[1];
  if (version === undefined) return { usable: false, reason: 'does not answer --version like a nats-server' };
  if (!isVersionEnough(version)) return { usable: false, reason: `is version ${version}` };
  return { usable: true, version };
}

/** Compares the three numbers; a pre-release (2.10.0-RC.1) counts as its release. */
export function isVersionEnough(version: string, floor: string = SERVER_FLOOR): boolean {
  const have = numbers(version);
  const need = numbers(floor);
  for (let i = 0; i < need.length; i++) {
    const difference = (have[i] ?? 0) - (need[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbers(version: string): number[] {
  return (/^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number);
}
