/** The local checks say what can be said about this machine without NATS. */

import type { Check } from '../../client/doctor/examine.ts';
import { judgeCredentials } from '../../core/doctor/credentials-age.ts';
import { judgeDiskSpace } from '../../core/doctor/disk-space.ts';
import { judgeFileModes } from '../../core/doctor/file-modes.ts';
import { judgeTimeSync } from '../../core/doctor/time-sync.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { linuxSystem } from '../../system/linux/linux-system.ts';
import { readCredentialAges } from './read-credential-ages.ts';
import { readDiskSpace } from './read-disk-space.ts';
import { readFileModes } from './read-file-modes.ts';

/** Where packages put what the daemons write (decision 42). */
const SYSTEM_DATA_DIR = '/var/lib/zester';

export interface LocalPlace {
  readonly authDir: string;
  readonly fleetDir?: string;
}

export function localChecks({ authDir, fleetDir }: LocalPlace, runtime: Runtime): Check[] {
  const { processes, clockSkew } = linuxSystem(runtime);
  const dataDirs = [SYSTEM_DATA_DIR, authDir, ...(fleetDir === undefined ? [] : [fleetDir])];
  return [
    { name: 'time-sync', run: async () => judgeTimeSync(await clockSkew()) },
    { name: 'auth-files', run: async () => judgeFileModes(readFileModes(authDir, fleetDir)) },
    { name: 'credentials', run: async () => judgeCredentials(readCredentialAges(authDir)) },
    { name: 'disk', run: async () => judgeDiskSpace(await readDiskSpace(processes, dataDirs)) },
  ];
}
