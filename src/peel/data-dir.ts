/** Names what is in the peel's own directory, and makes and sweeps it at the start. */
import { type Files, TEMPORARY_NAME } from '../system/files.ts';

/** Where packages put it (decision 42). */
export const PEEL_HOME = '/var/lib/zester/peel';
/** Who the peel is and whom it trusts (join/peel-auth-dir.ts). */
export const peelAuthDir = (dataDir: string): string => `${dataDir}/auth`;
export const jobsDir = (dataDir: string): string => `${dataDir}/jobs`;
export const commandsDir = (dataDir: string): string => `${dataDir}/commands`;
export const dedupPath = (dataDir: string): string => `${dataDir}/peel-dedup.msgpack`;
export const cancelsPath = (dataDir: string): string => `${dataDir}/peel-cancels.msgpack`;
/** Mirrors of published files; what stands beside them: mirror/linked-trees.ts. */
export const statesCachePath = (dataDir: string): string => `${dataDir}/cache/states`;
export const settingsCachePath = (dataDir: string): string => `${dataDir}/cache/settings`;
export const settingsSnapshotPath = (dataDir: string): string => `${dataDir}/settings-snapshot.msgpack`;
export const operatorWordsPath = (dataDir: string): string => `${dataDir}/operator-words.msgpack`;
export const keysPath = (dataDir: string): string => `${dataDir}/peel-keys.msgpack`;

const PRIVATE_MODE = 0o700;

export async function prepareDataDir(files: Files, dataDir: string): Promise<void> {
  await files.makeDirectory(dataDir, { parents: true, mode: PRIVATE_MODE });
  for (const directory of [jobsDir(dataDir), commandsDir(dataDir)])
    await files.makeDirectory(directory, { mode: PRIVATE_MODE });
  for (const directory of [dataDir, jobsDir(dataDir)]) await sweep(files, directory);
}

/** What a kill in mid-write left behind. The directory is ours alone, so nobody is writing these. */
async function sweep(files: Files, directory: string): Promise<void> {
  const names = (await files.list(directory)) ?? [];
  for (const name of names.filter((each) => TEMPORARY_NAME.test(each)))
    await files.removeFile(`${directory}/${name}`);
}
