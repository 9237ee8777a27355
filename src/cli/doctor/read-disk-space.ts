/**
 * `readDiskSpace` tells how much room there is where Zester writes. It asks a program and not a system call: asking a
 * network file system whose server is gone hangs for good, and a program can be killed.
 */
import { existsSync, statSync } from 'node:fs';
import type { DiskSpace } from '../../core/doctor/disk-space.ts';
import { outputText, type Processes } from '../../system/processes.ts';

const STAT_MS_MAX = 3_000;
const NUMBERS = /^(\d+) (\d+) (\d+)\n$/;

/** Of those that are there, one for each file system. */
export async function readDiskSpace(processes: Processes, paths: readonly string[]): Promise<DiskSpace[]> {
  const byDevice = new Map(
    paths.filter((path) => existsSync(path)).map((path) => [statSync(path).dev, path] as const),
  );
  const disks = await Promise.all([...byDevice.values()].map((path) => spaceOf(processes, path)));
  return disks.filter((disk) => disk !== undefined);
}

async function spaceOf(processes: Processes, path: string): Promise<DiskSpace | undefined> {
  const argv = ['stat', '--file-system', '--format=%S %b %a', '--', path] as const;
  const { stdout } = await processes.run({ argv, timeoutMs: STAT_MS_MAX });
  const [, block, total, free] = NUMBERS.exec(outputText(stdout)) ?? [];
  if (block === undefined) return undefined;
  return { path, totalBytes: Number(block) * Number(total), freeBytes: Number(block) * Number(free) };
}
