/**
 * The settings directory of a master, for the service that puts secrets into it. A file is replaced as a whole; dying right
 * after leaves an edit as anybody could have made it, which is published as such. Nothing is read or written outside of the
 * tree, also not through a link in it.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { inDirectory, parentOf } from '../../system/file-path.ts';
import type { Files } from '../../system/files.ts';
import { FILE_VALUE_BYTES_MAX } from '../../wire/names/limits.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import { settingsTextOf } from '../secrets/master-settings-read.ts';
import type { SettingsDirectory } from '../secrets/secret-service.ts';
import type { SetStanding } from './running-set.ts';

/** Of a file that was not there: it has a secret in it. */
const FILE_MODE = 0o600;

export function settingsDirectory(
  files: Files,
  directory: string,
  publish: () => Promise<SetStanding>,
): SettingsDirectory {
  const set = FILE_SETS.settings.name;

  /** Where a file of the tree really is. */
  async function placeOf(path: string): Promise<string> {
    const root = await files.realPath(directory);
    if (root === undefined) throw zesterError('MASTER_SOURCE_MISSING', { set, path: directory });
    const place = inDirectory(root, path);
    for (let above = place; above !== root; above = parentOf(above)) {
      const real = await files.realPath(above);
      if (real === undefined) continue;
      if (real.startsWith(`${root}/`)) break;
      throw zesterError('FILES_LINK', { set, path, where: 'out of the tree' });
    }
    return place;
  }

  return {
    async read(path) {
      const bytes = await files.read(await placeOf(path), { bytesMax: FILE_VALUE_BYTES_MAX });
      if (bytes === undefined) return undefined;
      const text = settingsTextOf(bytes);
      if (text === undefined) throw zesterError('FILES_NOT_TEXT', { set, path });
      return text;
    },
    async write(path, text) {
      const place = await placeOf(path);
      await files.makeDirectory(parentOf(place), { parents: true });
      const before = await files.stat(place);
      await files.writeAtomic(place, Buffer.from(text), {
        mode: before?.mode ?? FILE_MODE,
        followLink: true,
      });
    },
    async publish() {
      const { state, note, revision } = await publish();
      const isPublished = state === 'published' || state === 'unchanged';
      return { revision, problem: isPublished ? undefined : `${state}: ${note}` };
    },
  };
}
