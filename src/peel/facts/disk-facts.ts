/**
 * Collects `disk.mounts`: the file systems on disks of this machine. Not network file systems, which may hang and are
 * the same on a hundred machines; not what lives in memory; not bind mounts, which would count a disk twice; not images
 * that are always full (squashfs). The root is there whatever it is on, so that a container has one too.
 *
 * Sizes come from `df`. Where it fails, mounts are listed without them.
 */
import { type DiskUsage, readDiskUsage } from '../../modules/disk/disk-usage.ts';
import type { Processes } from '../../system/processes.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { knownFacts, readText, type TextFiles } from './machine-text.ts';

/** More are left out: the list goes into one message. */
const MOUNTS_MAX = 128;

export interface DiskMachine {
  readonly files: TextFiles;
  readonly processes: Processes;
}

export async function diskFacts(
  { files, processes }: DiskMachine,
  onNoSizes: (error: unknown) => void,
): Promise<WireMap> {
  const mounts = diskMounts((await readText(files, '/proc/self/mountinfo')) ?? '').slice(0, MOUNTS_MAX);
  if (mounts.length === 0) return {};
  const usage = await readDiskUsage(
    processes,
    mounts.map((mount) => mount.mountpoint),
  ).catch((error: unknown) => {
    onNoSizes(error);
    return [];
  });
  return { mounts: mounts.map((mount) => mountFact(mount, usage)) };
}

interface Mount {
  readonly device: string;
  readonly mountpoint: string;
  readonly fstype: string;
  readonly opts: readonly string[];
}

/** Sorted by mount point. Of two mounts on one point the later one is seen. */
export function diskMounts(mountinfo: string): readonly Mount[] {
  const byPoint = new Map<string, Mount>();
  for (const line of mountinfo.split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const [, , , root, mountpoint, opts] = left.split(' ');
    const [fstype, device] = right.split(' ');
    if (mountpoint === undefined || fstype === undefined || device === undefined) continue;
    const mount = {
      device: withoutEscapes(device),
      mountpoint: withoutEscapes(mountpoint),
      fstype,
      opts: opts?.split(',') ?? [],
    };
    if (isOnDisk(mount, root)) byPoint.set(mount.mountpoint, mount);
    else byPoint.delete(mount.mountpoint);
  }
  return [...byPoint.values()].sort((a, b) => (a.mountpoint < b.mountpoint ? -1 : 1));
}

function isOnDisk({ device, mountpoint, fstype }: Mount, root: string | undefined): boolean {
  if (mountpoint === '/') return true;
  if (fstype === 'squashfs') return false;
  // A part of a file system mounted elsewhere is a bind mount, except for btrfs, where it is a subvolume.
  if (root !== '/' && fstype !== 'btrfs') return false;
  return device.startsWith('/dev/') || fstype === 'zfs';
}

/** The kernel writes space, tab, newline and backslash as three octal digits. */
function withoutEscapes(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function mountFact({ opts, ...mount }: Mount, usage: readonly DiskUsage[]): WireMap {
  const sizes = usage.find(({ mountpoint }) => mountpoint === mount.mountpoint);
  return knownFacts({
    ...mount,
    opts,
    total: sizes?.total,
    used: sizes?.used,
    free: sizes?.free,
    used_percent: sizes?.usedPercent,
  });
}
