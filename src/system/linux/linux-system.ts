/** `linuxSystem` is the System port on a Linux machine with /proc. The product always runs on this one. */
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import { accountsOn } from '../accounts.ts';
import { filesOn } from '../files-on-calls.ts';
import { processesOn } from '../processes-on-calls.ts';
import type { System } from '../system.ts';
import { watchTreeOn } from '../watch-tree.ts';
import { linuxClockSkew } from './linux-clock-skew.ts';
import { linuxDirectoryWatch } from './linux-directory-watch.ts';
import { linuxFileCalls } from './linux-file-calls.ts';
import { linuxProcessCalls } from './linux-process-calls.ts';

export interface LinuxSystemOptions {
  readonly clock: Clock;
  readonly random: Random;
}

export function linuxSystem({ clock, random }: LinuxSystemOptions): System {
  const files = filesOn(linuxFileCalls, random);
  const accounts = accountsOn(files);
  const processes = processesOn({ calls: linuxProcessCalls(), accounts, files, clock });
  return {
    files,
    accounts,
    processes,
    clockSkew: linuxClockSkew({ files, processes, clock }),
    watchTree: watchTreeOn({ watchDirectory: linuxDirectoryWatch, files, clock }),
  };
}
