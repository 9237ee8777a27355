/**
 * A local fleet is what `zester up` runs: the deployment, masters and peels as processes of their own, with real
 * credentials. What is needed is made at the first start; what a killed `up` left running is ended (masters, peels) or
 * taken over (the server).
 */
import { join } from 'node:path';
import { zesterError } from '../core/errors/zester-error.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { makeDirectories } from '../trust/key-files.ts';
import { rootPath } from '../trust/x509/ca-dir.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import { doorUrls, enrollArgs, hasJoined, joinPeel, peelAuth, settleDoorPorts } from './fleet-enrollment.ts';
import { removeFleetFile, writeFleetFile } from './fleet-file.ts';
import { FleetProcess } from './fleet-process.ts';
import { endProcesses, healthDir, healthFileArgs, namesOf } from './fleet-processes.ts';
import { whenReady } from './fleet-ready.ts';
import { addScratch, prepareSources, sourceArgs } from './fleet-sources.ts';
import { type DeploymentOptions, type LocalDeployment, startLocalDeployment } from './local-deployment.ts';
import { programPath } from './program-path.ts';

export interface FleetOptions extends DeploymentOptions {
  readonly masters: number;
  readonly peels: number;
}

export interface LocalFleet {
  readonly deployment: LocalDeployment;
  readonly masters: readonly FleetProcess[];
  readonly peels: readonly FleetProcess[];
  /** Masters and peels that have not shown themselves in time; the fleet goes on without them. */
  readonly missing: readonly string[];
  stop(): Promise<void>;
}

/** The first peels have names that examples use; further ones are counted. */
const FIRST_PEELS = ['web-01', 'web-02', 'db-01'];

export async function startLocalFleet(dir: string, options: FleetOptions): Promise<LocalFleet> {
  const { runtime } = options;
  const signal = options.signal ?? new AbortController().signal;
  const deployment = await startLocalDeployment(dir, options);
  const masters: FleetProcess[] = [];
  const peels: FleetProcess[] = [];
  let missing: readonly string[] | undefined;
  const stop = async () => {
    // Peels first: their last returns still find a master, and masters still find the server.
    await Promise.all(peels.map((peel) => peel.stop()));
    await Promise.all(masters.map((master) => master.stop()));
    await deployment.stop();
    removeFleetFile(dir);
  };
  try {
    // Those of an `up` that was killed: two with one name would fight over everything.
    const left = await endProcesses(runtime.clock, dir, ['peel', 'master']);
    if (left.length > 0) throw zesterError('CLI_DOWN_LEFT', { dir, processes: namesOf(left) });
    signal.throwIfAborted();
    makeDirectories(healthDir(dir));
    prepareSources(dir);
    const since = nanosFromMs(runtime.clock.nowMs());
    const names = peelNames(options.peels);
    const note = () => noteFleet(dir, deployment, { masters, peels, missing });
    const doors = await settleDoorPorts(dir, options.masters, runtime.random);
    for (const [i, door] of doors.entries())
      masters.push(startMaster({ dir, name: `master-${i + 1}`, door }, deployment, runtime, note));
    deployment.onServerRestart(note);
    note();
    const place = { dir, deployment, runtime, signal, masters };
    const started = names.map(async (name) => {
      const nowMs = runtime.clock.nowMs();
      if (!hasJoined(dir, name, deployment.caFingerprint, nowMs)) await joinPeel(place, name);
      signal.throwIfAborted();
      peels.push(startPeel(dir, name, deployment, runtime, note));
    });
    // All of them, before an error of one stops what the others started.
    for (const end of await Promise.allSettled(started))
      if (end.status === 'rejected') throw end.reason as Error;
    peels.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
    note();
    missing = await whenReady(
      deployment.bus,
      { masters, peels, since },
      runtime,
      signal,
      options.onEvent ?? (() => undefined),
    );
    note();
    return { deployment, masters, peels, missing, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface FleetNote {
  readonly masters: readonly FleetProcess[];
  readonly peels: readonly FleetProcess[];
  /** Undefined until the start is over. */
  readonly missing: readonly string[] | undefined;
}

/** Written anew whenever a process id changes. */
function noteFleet(dir: string, deployment: LocalDeployment, { masters, peels, missing }: FleetNote): void {
  const named = ({ name, pid }: { readonly name: string; readonly pid: number }) => ({ name, pid });
  writeFleetFile(dir, {
    url: deployment.url,
    authDir: deployment.authDir,
    caFile: rootPath(deployment.authDir),
    pid: process.pid,
    servers: deployment.servers.map(named),
    masters: masters.map(named),
    peels: peels.map(named),
    doors: doorUrls(dir, masters),
    ...(missing === undefined ? {} : { missing }),
  });
}

function peelNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => FIRST_PEELS[i] ?? `peel-${String(i + 1).padStart(2, '0')}`);
}

function startMaster(
  { dir, name, door }: { readonly dir: string; readonly name: string; readonly door: number },
  { url, authDir }: LocalDeployment,
  runtime: Runtime,
  onRestart: () => void,
): FleetProcess {
  const args = [
    '--nats-url',
    url,
    '--auth-dir',
    authDir,
    '--ca',
    rootPath(authDir),
    ...sourceArgs(dir, name),
    ...enrollArgs(dir, name, door),
    ...healthArgs(dir, name),
  ];
  const logFile = join(dir, 'logs', `${name}.log`);
  return new FleetProcess({ name, program: programPath('zester-master'), args, logFile }, runtime, onRestart);
}

function startPeel(
  dir: string,
  name: string,
  { url }: LocalDeployment,
  runtime: Runtime,
  onRestart: () => void,
): FleetProcess {
  const home = join(dir, 'peels', name);
  addScratch(home);
  const args = [
    '--id',
    name,
    '--nats-url',
    url,
    '--auth-dir',
    peelAuth(dir, name),
    '--data-dir',
    home,
    ...healthArgs(dir, name),
  ];
  const logFile = join(dir, 'logs', `${name}.log`);
  return new FleetProcess({ name, program: programPath('zester-peel'), args, logFile }, runtime, onRestart);
}

/** `<dir>/health/<name>` tells where it serves health and metrics: on a free port, as many run on one machine. */
function healthArgs(dir: string, name: string): string[] {
  return ['--health-addr', '127.0.0.1:0', ...healthFileArgs(dir, name)];
}
