/**
 * Reads the settings from a directory of this machine (`--settings DIR`), for machines without masters. A directory with a
 * top file is a settings tree, and resolved as one; in any other one all YAML files are merged by their names.
 *
 * They are read anew for every run. A directory that was given and is not there, or a file with a mistake, is an error:
 * states that run with half of their settings do damage. There is no bus, so secrets stand in the files as they are: what
 * comes back names them, and whoever lets something out keeps them in.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { isPlainSettings, type PlainFile, plainSettings } from '../../core/settings/plain-settings.ts';
import { NO_SETTINGS, type ResolvedSettings } from '../../core/settings/resolved-settings.ts';
import { SETTINGS_TOP_PATHS } from '../../core/settings/settings-paths.ts';
import { resolveSourceTree, type SourceTreeInput } from '../../core/settings/source-tree.ts';
import type { ReadFiles } from '../../system/files.ts';
import { localTree } from './local-tree.ts';

const SETTINGS_FILE_BYTES_MAX = 4 * 1024 * 1024;
const SETTINGS_FILES_MAX = 1_000;

export type LocalSettingsInput = Omit<SourceTreeInput, 'tree'> & { readonly files: ReadFiles };

/** No directory, no settings. */
export async function readLocalSettings(
  dir: string | undefined,
  input: LocalSettingsInput,
): Promise<ResolvedSettings> {
  if (dir === undefined) return NO_SETTINGS;
  const { files } = input;
  const names = await namesIn(files, dir);
  return isSettingsTree(names)
    ? resolveSourceTree({ ...input, tree: localTree(files, dir) })
    : readPlainSettings(files, dir, names);
}

/** The names in a directory of settings. Throws SETTINGS_UNREADABLE where there is none. */
export async function namesIn(files: ReadFiles, dir: string): Promise<readonly string[]> {
  const names = (await files.stat(dir))?.kind === 'directory' ? await files.list(dir) : undefined;
  if (names === undefined) throw zesterError('SETTINGS_UNREADABLE', { dir, reason: 'it is not a directory' });
  return names;
}

export function isSettingsTree(names: readonly string[]): boolean {
  return SETTINGS_TOP_PATHS.some((path) => names.includes(path));
}

/** All YAML files of a directory, merged by their names. */
export async function readPlainSettings(
  files: ReadFiles,
  dir: string,
  names: readonly string[],
): Promise<ResolvedSettings> {
  const wanted = names.filter(isPlainSettings);
  if (wanted.length > SETTINGS_FILES_MAX)
    throw zesterError('SETTINGS_UNREADABLE', { dir, reason: `it has more than ${SETTINGS_FILES_MAX} files` });
  const found: PlainFile[] = [];
  for (const name of wanted) {
    const path = `${dir}/${name}`;
    if ((await files.stat(path))?.kind !== 'file') continue;
    const bytes = await files.read(path, { bytesMax: SETTINGS_FILE_BYTES_MAX });
    if (bytes !== undefined) found.push({ name: path, text: Buffer.from(bytes).toString('utf8') });
  }
  return plainSettings(found, dir);
}
