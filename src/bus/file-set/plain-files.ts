/** Plain files are stored as they are, and digested with SHA-256: those of every set that peels read. */
import { createHash } from 'node:crypto';
import type { HashText } from '../../core/files/file-tree.ts';
import type { FileSetSeal } from './file-set.ts';

export const PLAIN_FILES: FileSetSeal = {
  digest: (plain) => createHash('sha256').update(plain).digest('hex'),
  wrap: (plain) => plain,
  unwrap: (stored) => stored,
};

/** For what is no content: the revision in a manifest, the digest of a tree. The same in every set. */
export const hashText: HashText = (text) => createHash('sha256').update(text).digest('hex');
