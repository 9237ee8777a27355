/**
 * This file lets the peels of a local fleet join as any machine does: `zester-peel join` at the enrollment door of a master of the fleet,
 * with the pin of its CA and a join token for this peel alone. Only peels that have not joined this deployment yet do, and those
 * whose credentials have expired while the fleet was down. The others start at once. A peel that an older Zester made keeps its key.
 *
 *   <dir>/enroll/<master>           the address of that master's door, written by the master
 *   <dir>/enroll/ports.json         the ports of the doors. They stay the same, because peels remember where they joined: a peel
 *                                   whose credentials are refused later asks there
 *   <dir>/peels/<peel>/auth/        what the join leaves
 *
 * If we die in between, the next start joins those that are missing. A token that was made for nothing expires.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientContext } from '../client/client-context.ts';
import { createJoinToken } from '../client/enroll/join-tokens.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import { freePorts, isPortFree } from '../nats-server/free-ports.ts';
import { runProgram } from '../process/run-program.ts';
import { sleep } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { isExpired } from '../trust/accounts/jwt.ts';
import { loadCreds, loadOperatorKey } from '../trust/auth-dir.ts';
import { hasSecretFile, makeDirectories, SECRET_MODE, writeKeyFiles } from '../trust/key-files.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import type { LocalDeployment } from './local-deployment.ts';
import { programPath } from './program-path.ts';

export interface EnrollmentPlace {
  readonly dir: string;
  readonly deployment: LocalDeployment;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  readonly masters: readonly { readonly name: string }[];
}

const TOKEN_MS = 600_000;
const JOIN_MS_MAX = 60_000;
const DOOR_MS_MAX = 60_000;
const LOOK_MS = 50;
/** Until a peel that is started is connected and has renewed its credentials. */
const CONNECT_MS = 60_000;
const TOKEN_FILE = 'join-token';
/** Below the ports that Linux gives to outgoing connections: nobody has them by chance. */
const DOOR_PORTS = { first: 20_000, count: 12_000, triesMax: 100 };
const ADDRESS = /^127\.0\.0\.1:\d+$/;

/** The ports of so many doors: those of last time where nobody else has them now. */
export async function settleDoorPorts(
  dir: string,
  count: number,
  random: Random,
): Promise<readonly number[]> {
  makeDirectories(join(dir, 'enroll'));
  const path = join(dir, 'enroll', 'ports.json');
  const ports: number[] = [];
  for (const recorded of readPorts(path).slice(0, count))
    ports.push((await isPortFree(recorded)) ? recorded : await freeDoorPort(ports, random));
  while (ports.length < count) ports.push(await freeDoorPort(ports, random));
  writeFileSync(`${path}.tmp`, `${JSON.stringify({ door_ports: ports })}\n`);
  renameSync(`${path}.tmp`, path);
  return ports;
}

/** Of no record, or none that makes sense: then all are new. */
function readPorts(path: string): readonly number[] {
  try {
    const { door_ports: ports } = JSON.parse(readFileSync(path, 'utf8')) as { readonly door_ports: unknown };
    return Array.isArray(ports) && ports.every((port) => Number.isInteger(port)) ? (ports as number[]) : [];
  } catch {
    return [];
  }
}

async function freeDoorPort(taken: readonly number[], random: Random): Promise<number> {
  for (let tries = 0; tries < DOOR_PORTS.triesMax; tries++) {
    const port = DOOR_PORTS.first + Math.floor(random.fraction() * DOOR_PORTS.count);
    if (!taken.includes(port) && (await isPortFree(port))) return port;
  }
  // Whatever the system has left.
  const [port = 0] = await freePorts(1);
  return port;
}

/** For the command line of a master. All who join come from one address. */
export function enrollArgs(dir: string, name: string, port: number): string[] {
  // One that a killed master left says that a door is open before it is.
  rmSync(doorFile(dir, name), { force: true });
  const door = ['--enroll-addr', `127.0.0.1:${port}`, '--enroll-name', '127.0.0.1,localhost'];
  return [...door, '--enroll-file', doorFile(dir, name), '--enroll-rate', '1000'];
}

export function peelAuth(dir: string, peel: string): string {
  return join(dir, 'peels', peel, 'auth');
}

/** Of the doors that are open by now, `https://127.0.0.1:…`. */
export function doorUrls(dir: string, masters: readonly { readonly name: string }[]): readonly string[] {
  return masters.flatMap(({ name }) => {
    try {
      const address = readFileSync(doorFile(dir, name), 'utf8').trim();
      return ADDRESS.test(address) ? [`https://${address}`] : [];
    } catch {
      return [];
    }
  });
}

/** Whether it has credentials of this deployment with which it can still connect, to renew them. */
export function hasJoined(dir: string, peel: string, caFingerprint: string, nowMs: number): boolean {
  const auth = peelAuth(dir, peel);
  const creds = join(auth, `${peel}.creds`);
  if (!hasSecretFile(creds)) return false;
  try {
    if (isExpired(loadCreds(creds).claims, nowMs + CONNECT_MS)) return false;
    const text = readFileSync(join(auth, 'enrollment.json'), 'utf8');
    return (JSON.parse(text) as { readonly ca_pin?: unknown }).ca_pin === caFingerprint;
  } catch {
    // Missing or cut off: a join makes it anew.
    return false;
  }
}

export async function joinPeel(place: EnrollmentPlace, peel: string): Promise<void> {
  const { dir, deployment, runtime, signal } = place;
  const auth = peelAuth(dir, peel);
  keepOldKey(dir, peel);
  const doors = await firstDoors(place);
  const token = await tokenFor(place, peel);
  writeKeyFiles(auth, [{ path: TOKEN_FILE, mode: SECRET_MODE, text: `${token}\n` }], { force: true });
  const words = [
    'join',
    doors.join(','),
    ...['--pin', deployment.caFingerprint],
    ...['--id', peel],
    ...['--auth-dir', auth],
    ...['--token-file', join(auth, TOKEN_FILE)],
    ...['--timeout', `${JOIN_MS_MAX}ms`],
    '--again',
  ];
  const args = [programPath('zester-peel'), ...words];
  const end = await runProgram(runtime.clock, {
    file: process.execPath,
    args,
    timeoutMs: JOIN_MS_MAX,
    signal,
  });
  rmSync(join(auth, TOKEN_FILE), { force: true });
  signal.throwIfAborted();
  if (!end.ok) throw zesterError('CLI_UP_JOIN', { peel }, { cause: end.output.trim() || end.reason });
}

/** An older Zester made the credentials of its peels itself, beside their data. */
function keepOldKey(dir: string, peel: string): void {
  const [old, auth] = [join(dir, 'peels', peel, `${peel}.creds`), peelAuth(dir, peel)];
  const seed = `${peel}.seed`;
  if (hasSecretFile(join(auth, seed)) || !hasSecretFile(old)) return;
  const text = `${loadCreds(old).key.exposeSeed()}\n`;
  writeKeyFiles(auth, [{ path: seed, mode: SECRET_MODE, text }], { force: false });
}

/** As soon as one is open: whoever joins needs one. */
async function firstDoors({ dir, masters, runtime, signal }: EnrollmentPlace): Promise<readonly string[]> {
  const untilMs = runtime.clock.monotonicMs() + DOOR_MS_MAX;
  for (;;) {
    const doors = doorUrls(dir, masters);
    if (doors.length > 0) return doors;
    if (runtime.clock.monotonicMs() > untilMs)
      throw zesterError('CLI_UP_JOIN', { peel: 'any peel' }, { cause: 'no master opened its door' });
    await sleep(runtime.clock, LOOK_MS, signal);
  }
}

/** Good for this peel, once. */
async function tokenFor({ deployment, runtime, signal }: EnrollmentPlace, peel: string): Promise<string> {
  const { bus, authDir } = deployment;
  const client: ClientContext = {
    bus,
    runtime,
    signal,
    user: 'zester up',
    operatorKey: () => loadOperatorKey(authDir),
  };
  const expiresAt = nanosFromMs(runtime.clock.nowMs() + TOKEN_MS);
  return (await createJoinToken(client, { uses: 1, expiresAt, peelPattern: peel, tags: {} })).text;
}

function doorFile(dir: string, master: string): string {
  return join(dir, 'enroll', master);
}
