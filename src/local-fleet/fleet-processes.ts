/**
 * This file finds the processes of a local fleet by asking the kernel: who holds the fleet's lock, which nats-server
 * stands in one of its directories, which masters and peels were started with a health file in it. Nothing that was
 * written down is believed for that, because any record can be older than a restart; what is found is named by pid and
 * start time.
 *
 * A process that is just being started may be missed. So whoever ends them ends `up` first, which starts them, and looks
 * again.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { serversIn } from '../nats-server/orphans.ts';
import { SERVER_END } from '../nats-server/server-process.ts';
import { lockHolder } from '../process/directory-lock.ts';
import { type EndStep, endProcess } from '../process/end-process.ts';
import { type ProcessIdentity, processesCalled } from '../process/process-table.ts';
import type { Clock } from '../runtime/clock.ts';
import { existingPlaces } from './server-places.ts';

export type FleetRole = 'up' | 'peel' | 'master' | 'server';

export interface RunningProcess extends ProcessIdentity {
  readonly role: FleetRole;
  readonly name: string;
}

/** A master hands over its jobs, a peel waits for what it runs. */
export const DAEMON_END: readonly EndStep[] = [
  { signal: 'SIGTERM', waitMs: 15_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
/** It stops peels, masters and servers one after the other, each with their time. */
export const UP_END: readonly EndStep[] = [
  { signal: 'SIGTERM', waitMs: 60_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const STEPS: Readonly<Record<FleetRole, readonly EndStep[]>> = {
  up: UP_END,
  peel: DAEMON_END,
  master: DAEMON_END,
  server: SERVER_END,
};
/** As `up` itself stops them: last returns still find a master, and masters still find the server. */
const ORDER: readonly FleetRole[] = ['up', 'peel', 'master', 'server'];

const DAEMONS: ReadonlyMap<string, FleetRole> = new Map([
  ['zester-master.cjs', 'master'],
  ['zester-peel.cjs', 'peel'],
]);
const HEALTH_FILE_OPTION = '--health-file';

export function healthDir(dir: string): string {
  return join(dir, 'health');
}

/** For the command line of a daemon: where it tells its address, which is also what it is found by. */
export function healthFileArgs(dir: string, name: string): string[] {
  return [HEALTH_FILE_OPTION, join(healthDir(dir), name)];
}

export function fleetProcesses(dir: string): RunningProcess[] {
  if (!existsSync(dir)) return [];
  return [...upOf(dir), ...daemonsOf(dir), ...serversOf(dir)];
}

/** Ends them in order, those that are left by force; looks again and tells who is still there. */
export async function endProcesses(
  clock: Clock,
  dir: string,
  roles: readonly FleetRole[] = ORDER,
): Promise<readonly RunningProcess[]> {
  for (const role of ORDER.filter((each) => roles.includes(each))) {
    const found = fleetProcesses(dir).filter((each) => each.role === role);
    await Promise.all(found.map((each) => endProcess(clock, each, STEPS[role])));
  }
  return fleetProcesses(dir).filter(({ role }) => roles.includes(role));
}

/** For people: `master-1 (pid 17), nats (pid 12)`. */
export function namesOf(processes: readonly { readonly name: string; readonly pid: number }[]): string {
  return processes.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ');
}

function upOf(dir: string): RunningProcess[] {
  const holder = lockHolder(dir);
  if (holder === undefined) return [];
  return [{ pid: holder.pid, startTicks: holder.startTicks, role: 'up', name: 'zester up' }];
}

function serversOf(dir: string): RunningProcess[] {
  return existingPlaces(dir)
    .filter((place) => existsSync(place.dir))
    .flatMap(({ dir: place, name }) =>
      serversIn(place).map(({ pid, startTicks }) => ({ pid, startTicks, role: 'server' as const, name })),
    );
}

function daemonsOf(dir: string): RunningProcess[] {
  return processesCalled((args) => roleOf(args) !== undefined).flatMap(({ pid, startTicks, args }) => {
    const role = roleOf(args);
    const file = healthFileOf(args);
    const isOurs = role !== undefined && file !== undefined && isSameDirectory(dirname(file), healthDir(dir));
    return isOurs ? [{ pid, startTicks, role, name: basename(file) }] : [];
  });
}

/** Two paths may lead to one directory. One that we may not look into is not ours. */
function isSameDirectory(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}

/** Node, the program, its words. */
function roleOf([, program = '']: readonly string[]): FleetRole | undefined {
  return DAEMONS.get(basename(program));
}

function healthFileOf(args: readonly string[]): string | undefined {
  const at = args.indexOf(HEALTH_FILE_OPTION);
  return at < 0 ? undefined : args[at + 1];
}
