/**
 * The fleet file, `<dir>/fleet.json`, says how to reach the deployment that `zester up` runs in a directory. Written as
 * soon as there are processes, again when the start is over and whenever a process id changes; read by every other
 * command to find the servers, and by people. Who runs is not told by it but asked (fleet-processes.ts): it is older
 * than a kill that came right before the write. It holds no secret; keys stay in `<dir>/auth`.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zesterError } from '../core/errors/zester-error.ts';

export interface FleetFile {
  /** Of every server, with commas. */
  readonly url: string;
  readonly authDir: string;
  readonly caFile: string;
  /** Process that runs the fleet. */
  readonly pid: number;
  readonly servers: readonly RecordedProcess[];
  readonly masters: readonly RecordedProcess[];
  readonly peels: readonly RecordedProcess[];
  /** Where machines can join, `https://…`: of each master whose door is open. */
  readonly doors?: readonly string[];
  /** There when the start is over: the masters and peels that have not shown themselves in time. */
  readonly missing?: readonly string[];
}

export interface RecordedProcess {
  readonly name: string;
  readonly pid: number;
}

const NAME = 'fleet.json';

export function writeFleetFile(dir: string, fleet: FleetFile): void {
  const path = join(dir, NAME);
  writeFileSync(`${path}.tmp`, `${JSON.stringify(fleet, undefined, 2)}\n`);
  renameSync(`${path}.tmp`, path);
}

export function removeFleetFile(dir: string): void {
  const path = join(dir, NAME);
  if (existsSync(path)) rmSync(path, { force: true });
}

/** Undefined when no deployment was ever up there, or it was stopped in order. */
export function readFleetFile(dir: string): FleetFile | undefined {
  const path = join(dir, NAME);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as FleetFile;
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw zesterError('CLI_FLEET_FILE', { path }, { cause });
  }
}
