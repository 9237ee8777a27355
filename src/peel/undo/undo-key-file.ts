/**
 * The secret of an undo journal where there is no seed to derive it from: masterless runs. Random bytes in a file of
 * the data directory that only we can read. Who dies before the write: there is no journal yet, and the next run makes
 * another. Of two that make one at the same time both use the one that is there in the end.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Random } from '../../runtime/random.ts';
import type { Files } from '../../system/files.ts';
import { UNDO_SECRET_BYTES } from '../../trust/undo-key.ts';
import { octal } from './image.ts';

const SECRET_MODE = 0o600;
const OTHERS_MASK = 0o077;

export const undoKeyPath = (dataDir: string): string => `${dataDir}/undo.key`;

export async function undoSecret(files: Files, dataDir: string, random: Random): Promise<Uint8Array> {
  const file = undoKeyPath(dataDir);
  if ((await files.lstat(file)) === undefined) await makeSecret(files, file, random);
  const stat = await files.lstat(file);
  if (stat !== undefined && (stat.mode & OTHERS_MASK) !== 0)
    throw zesterError('TRUST_FILE_EXPOSED', { file, mode: octal(stat.mode) });
  const secret = stat?.kind === 'file' ? await files.read(file) : undefined;
  if (secret?.length !== UNDO_SECRET_BYTES) throw zesterError('TRUST_FILE_INVALID', { file });
  return secret;
}

/** By a second name for a finished file: that fails when the name is taken, where a rename would replace. */
async function makeSecret(files: Files, file: string, random: Random): Promise<void> {
  const chance = Buffer.from(random.bytes(8)).toString('hex');
  const draft = `${file}.${chance}`;
  await files.writeAtomic(draft, random.bytes(UNDO_SECRET_BYTES), { mode: SECRET_MODE });
  try {
    await files.hardLink({ from: draft, to: file });
  } catch (error) {
    if ((await files.lstat(file)) === undefined) throw error;
  } finally {
    await files.removeFile(draft);
  }
}
