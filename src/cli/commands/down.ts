import type { Command } from '../command.ts';
import { FORMAT_OPTION, printRecord } from '../common-options.ts';
import { readFleetFile } from '../fleet/fleet-file.ts';
import { endProcess } from '../fleet/fleet-process.ts';
import { fleetDirOf } from './up.ts';

export const downCommand: Command = {
  words: ['down'],
  summary: 'stop the local fleet of a directory',
  examples: ['zester down', 'zester down --dir /tmp/fleet'],
  options: [
    { name: 'dir', value: 'DIR', doc: 'directory of the fleet; default $ZESTER_DIR, else .zester' },
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const dir = fleetDirOf(context, given);
    const fleet = readFleetFile(dir);
    if (fleet !== undefined) await endProcess(fleet.pid, process.argv[1] ?? '', context.runtime);
    const wasUp = fleet !== undefined;
    printRecord(context, given, { dir, was_up: wasUp }, () =>
      wasUp ? `Stopped the fleet in ${dir}\n` : `No fleet is up in ${dir}\n`,
    );
    return 0;
  },
};
