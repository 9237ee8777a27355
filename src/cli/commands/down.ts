import type { Command } from '../command.ts';
import { FORMAT_OPTION, printRecord } from '../common-options.ts';
import { readFleetFile, removeFleetFile } from '../fleet/fleet-file.ts';
import { endProcess } from '../fleet/fleet-process.ts';
import { endLeftovers } from '../fleet/local-fleet.ts';
import { fleetDirOf } from './up.ts';

export const downCommand: Command = {
  words: ['down'],
  summary: 'stop the local fleet of a directory',
  examples: ['zester down', 'zester down --dir /tmp/fleet'],
  detail: 'Ends `zester up`, which stops its processes in order; and what a killed `up` has left running.',
  options: [
    { name: 'dir', value: 'DIR', doc: 'directory of the fleet; default $ZESTER_DIR, else .zester' },
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const { runtime } = context;
    const dir = fleetDirOf(context, given);
    const fleet = readFleetFile(dir);
    if (fleet !== undefined) {
      await endProcess(fleet.pid, process.argv[1] ?? '', runtime);
      await endLeftovers(dir, runtime);
      await endProcess(fleet.serverPid, SERVER_PROGRAM, runtime);
      removeFleetFile(dir);
    }
    const wasUp = fleet !== undefined;
    printRecord(context, given, { dir, was_up: wasUp }, () =>
      wasUp ? `Stopped the fleet in ${dir}\n` : `No fleet is up in ${dir}\n`,
    );
    return 0;
  },
};

/** How the embedded server calls itself, wherever its binary lies. */
const SERVER_PROGRAM = /(^|\/)nats-server$/;
