/**
 * The secret of an undo journal is random bytes in a file of the data directory that only we can read. It is the
 * journal's own, so that a peel that is enrolled anew, under another seed, can still read what it wrote (decision 52).
 *
 * A journal that is older than this file was sealed under the peel's seed: then the seed is what the file gets, as the
 * first secret. If the peel dies before the write, there is no journal yet, and the next run makes another secret. Of
 * two that make one at the same time both use the one that is there in the end.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Random } from '../../runtime/random.ts';
import type { Files } from '../../system/files.ts';
import { UNDO_SECRET_BYTES } from '../../trust/undo-key.ts';
import { octal } from './image.ts';

const SECRET_MODE = 0o600;
const OTHERS_MASK = 0o077;

export const undoKeyPath = (dataDir: string): string => `${dataDir}/undo.key`;

export interface UndoSecretParts {
  readonly files: Files;
  readonly dataDir: string;
  readonly random: Random;
  /** What a journal without a key file is sealed under. */
  readonly former?: Uint8Array | undefined;
}

export async function undoSecret({ files, dataDir, random, former }: UndoSecretParts): Promise<Uint8Array> {
  const file = undoKeyPath(dataDir);
  if ((await files.lstat(file)) === undefined) {
    const isOlder = (await files.lstat(`${dataDir}/undo`)) !== undefined;
    const secret = (isOlder ? former : undefined) ?? random.bytes(UNDO_SECRET_BYTES);
    await makeSecret(files, file, secret, random);
  }
  const stat = await files.lstat(file);
  if (stat !== undefined && (stat.mode & OTHERS_MASK) !== 0)
    throw zesterError('TRUST_FILE_EXPOSED', { file, mode: octal(stat.mode) });
  const secret = stat?.kind === 'file' ? await files.read(file) : undefined;
  if (secret?.length !== UNDO_SECRET_BYTES) throw zesterError('TRUST_FILE_INVALID', { file });
  return secret;
}

/** By a second name for a finished file: that fails when the name is taken, where a rename would replace. */
async function makeSecret(files: Files, file: string, secret: Uint8Array, random: Random): Promise<void> {
  const chance = Buffer.from(random.bytes(8)).toString('hex');
  const draft = `${file}.${chance}`;
  await files.writeAtomic(draft, secret, { mode: SECRET_MODE });
  try {
    await files.hardLink({ from: draft, to: file });
  } catch (error) {
    if ((await files.lstat(file)) === undefined) throw error;
  } finally {
    await files.removeFile(draft);
  }
}
