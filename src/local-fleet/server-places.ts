/**
 * This file says where the NATS servers of a local fleet live, and how many there are: one in `<dir>/nats`, or three in
 * `<dir>/nats-1` to `<dir>/nats-3` that keep three copies of everything. The number is chosen at the first start and
 * stays.
 *
 * `<dir>/cluster.json` is what makes a fleet one of three, and holds the ports on which its servers talk to each other.
 * Written under the fleet's lock before the first server starts: if we die right after, the next start goes on with it.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zesterError } from '../core/errors/zester-error.ts';
import { freePorts, isPortFree } from '../nats-server/free-ports.ts';
import { serversIn } from '../nats-server/orphans.ts';
import { CONFIG_NAME } from '../nats-server/server-dir.ts';

export interface ServerPlace {
  readonly name: string;
  readonly dir: string;
}

/** Three is the most copies that are kept, and the least with which one may be lost. */
export const SERVER_COUNTS: readonly number[] = [1, 3];

const RECORD = 'cluster.json';
const SINGLE = 'nats';

export function serverPlaces(dir: string, count: number): readonly ServerPlace[] {
  if (count === 1) return [{ name: SINGLE, dir: join(dir, SINGLE) }];
  return Array.from({ length: count }, (_, i) => `${SINGLE}-${i + 1}`).map((name) => ({
    name,
    dir: join(dir, name),
  }));
}

/** Of the fleet that is there; none when there is none. */
export function existingPlaces(dir: string): readonly ServerPlace[] {
  const ports = readRoutePorts(dir);
  if (ports !== undefined) return serverPlaces(dir, ports.length);
  return existsSync(join(dir, SINGLE)) ? serverPlaces(dir, 1) : [];
}

/** The configuration of one of its servers: those of one fleet have the same settings. */
export function localServerConfig(dir: string): string | undefined {
  const [place] = existingPlaces(dir);
  if (place === undefined) return undefined;
  try {
    return readFileSync(join(place.dir, CONFIG_NAME), 'utf8');
  } catch {
    // Another user's: then its settings are not known.
    return undefined;
  }
}

/** How many to start: as many as there are already, else as asked for, else one. */
export function settleCount(dir: string, asked: number | undefined): number {
  const has = existingPlaces(dir).length;
  if (has !== 0 && asked !== undefined && asked !== has)
    throw zesterError('CLI_FLEET_SERVERS', { dir, has, wanted: asked });
  return has || (asked ?? 1);
}

/**
 * The ports on which three servers talk to each other, those of the record if they can be had. If one of them belongs to
 * another program now, all are new; servers that still run on the old ones are then replaced as having other settings.
 */
export async function settleRoutePorts(dir: string, count: number): Promise<readonly number[]> {
  const recorded = readRoutePorts(dir);
  if (recorded !== undefined && (await areOurs(dir, recorded))) return recorded;
  const ports = await freePorts(count);
  const path = join(dir, RECORD);
  writeFileSync(`${path}.tmp`, `${JSON.stringify({ route_ports: ports })}\n`);
  renameSync(`${path}.tmp`, path);
  return ports;
}

function readRoutePorts(dir: string): readonly number[] | undefined {
  const path = join(dir, RECORD);
  if (!existsSync(path)) return undefined;
  try {
    const { route_ports: ports } = JSON.parse(readFileSync(path, 'utf8')) as { route_ports: number[] };
    if (ports.every((port) => Number.isInteger(port)) && SERVER_COUNTS.includes(ports.length)) return ports;
    throw zesterError('CLI_FLEET_FILE', { path });
  } catch (cause) {
    throw zesterError('CLI_FLEET_FILE', { path }, { cause });
  }
}

/** A server of ours that runs has its port. */
async function areOurs(dir: string, ports: readonly number[]): Promise<boolean> {
  for (const [i, place] of serverPlaces(dir, ports.length).entries()) {
    const runs = existsSync(place.dir) && serversIn(place.dir).length > 0;
    if (!runs && !(await isPortFree(ports[i] ?? 0))) return false;
  }
  return true;
}
