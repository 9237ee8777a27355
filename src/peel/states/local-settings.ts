/**
 * Reads the settings from a directory of this machine (`--settings DIR`), until masters publish them. They are read
 * anew for every run. A directory that was given and is not there, or a file with a mistake, is an error: states that
 * run with half of their settings do damage.
 */
import type { DataMap } from '../../core/data/data-value.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { isSettingsFile, mergeSettings, type SettingsFile } from '../../core/states/settings-files.ts';
import type { ReadFiles } from '../../system/files.ts';

const SETTINGS_FILE_BYTES_MAX = 4 * 1024 * 1024;
const SETTINGS_FILES_MAX = 1_000;

/** No directory, no settings. */
export async function readLocalSettings(files: ReadFiles, dir: string | undefined): Promise<DataMap> {
  if (dir === undefined) return {};
  const names = (await files.stat(dir))?.kind === 'directory' ? await files.list(dir) : undefined;
  if (names === undefined) throw zesterError('SETTINGS_UNREADABLE', { dir, reason: 'it is not a directory' });
  const wanted = names.filter(isSettingsFile);
  if (wanted.length > SETTINGS_FILES_MAX)
    throw zesterError('SETTINGS_UNREADABLE', { dir, reason: `it has more than ${SETTINGS_FILES_MAX} files` });
  const found: SettingsFile[] = [];
  for (const name of wanted) {
    const path = `${dir}/${name}`;
    if ((await files.stat(path))?.kind !== 'file') continue;
    const bytes = await files.read(path, { bytesMax: SETTINGS_FILE_BYTES_MAX });
    if (bytes !== undefined) found.push({ name: path, text: Buffer.from(bytes).toString('utf8') });
  }
  return mergeSettings(found);
}
