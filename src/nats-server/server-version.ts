/** Finds out which nats-server a binary is, and whether it is new enough for us. */

import { isVersionEnough } from '../bus/server-floor.ts';
import { runProgram } from '../process/run-program.ts';
import type { Clock } from '../runtime/clock.ts';

const PROBE_MS_MAX = 10_000;

export type ServerProbe =
  | { readonly usable: true; readonly version: string }
  | { readonly usable: false; readonly reason: string };

/** Runs `binary --version`. What does not answer like a nats-server of at least the floor is not usable. */
export async function probeServer(clock: Clock, binary: string): Promise<ServerProbe> {
  const run = await runProgram(clock, { file: binary, args: ['--version'], timeoutMs: PROBE_MS_MAX });
  if (!run.ok) return { usable: false, reason: run.reason };
  const version = /^nats-server: v?(\d+\.\d+\.\d+\S*)/m.exec(run.output)?.[1];
  if (version === undefined) return { usable: false, reason: 'does not answer --version like a nats-server' };
  if (!isVersionEnough(version)) return { usable: false, reason: `is version ${version}` };
  return { usable: true, version };
}
