/**
 * These functions tell how full file systems are, from `df -P -k`. A program and not a system call on purpose: asking a
 * network file system whose server is gone hangs for good, and a program can be killed at its timeout.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { outputText, type Processes } from '../../system/processes.ts';
import { percentOf } from '../percent.ts';

/** Sizes in bytes. */
export interface DiskUsage {
  readonly device: string;
  readonly mountpoint: string;
  readonly total: number;
  readonly used: number;
  /** What an ordinary user can still write. */
  readonly free: number;
  /** Of what an ordinary user can write, with one decimal. */
  readonly usedPercent: number;
}

/** A dead network file system holds `df` up; nobody wants to wait longer for the others. */
const DF_TIMEOUT_MS = 10_000;

/** Of the file systems that hold the paths, or of all. Those that `df` could not ask are left out. */
export async function readDiskUsage(
  processes: Processes,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<readonly DiskUsage[]> {
  const ended = await processes.run({
    argv: ['df', '-P', '-k', ...(paths.length > 0 ? ['--', ...paths] : [])],
    timeoutMs: DF_TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
  const usage = parseDf(outputText(ended.stdout));
  if (usage.length > 0) return usage;
  const said = outputText(ended.stderr).trim();
  const reason =
    ended.endedBy === 'exit' ? said || `it exited with ${ended.exitCode}` : 'it did not answer in time';
  throw zesterError('DISK_USAGE_UNKNOWN', { reason });
}

/** Device and mount point may have spaces; between them stand four numbers. */
const DF_LINE = /^(.+?)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(?:\d+%|-)\s+(\/.*)$/;

export function parseDf(text: string): readonly DiskUsage[] {
  return text.split('\n').flatMap((line) => {
    const [, device, total, used, free, mountpoint] = DF_LINE.exec(line) ?? [];
    if (device === undefined || mountpoint === undefined) return [];
    const bytes = { total: bytesOf(total), used: bytesOf(used), free: Math.max(0, bytesOf(free)) };
    const usedPercent = percentOf(bytes.used, bytes.used + bytes.free);
    return [{ device, mountpoint, ...bytes, usedPercent }];
  });
}

function bytesOf(kibibytes: string | undefined): number {
  return Number(kibibytes) * 1024;
}
