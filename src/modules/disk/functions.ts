/** The execution functions `disk.*` tell how full the disks are. */

import { optional } from '../../core/params/params.ts';
import { action, type ExecutionFunction } from '../contract.ts';
import { readDiskUsage } from './disk-usage.ts';

// An action, because it has to start a program; it changes nothing.
const usage = action({
  name: 'disk.usage',
  summary: 'Answers with size, used and free bytes of the mounted file systems.',
  description:
    'Asks the program df, which fails after 10s when a network file system is gone. A dry run starts no program.',
  params: {
    path: optional('string', {
      primary: true,
      doc: 'Only the file system that holds this path. Default: all.',
    }),
  },
  changesMachine: false,
  examples: ["zester '*' disk.usage", 'zester db-01 disk.usage /var/lib/postgresql'],
  async run({ path }, { system, signal }) {
    const found = await readDiskUsage(system.processes, path === undefined ? [] : [path], signal);
    const rows = found.map(({ device, mountpoint, total, used, free, usedPercent }) => [
      mountpoint,
      { device, total, used, free, used_percent: usedPercent },
    ]);
    return { changed: false, result: Object.fromEntries(rows) };
  },
  preview: async ({ path }) => ({
    changed: false,
    result: `would ask df about ${path ?? 'all file systems'}`,
  }),
});

export const DISK_FUNCTIONS: readonly ExecutionFunction[] = [usage];
