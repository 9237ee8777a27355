/**
 * The record of a mirrored tree says which published revision the tree is: a file in it, written last, so that a tree with
 * a record has all of its files. The stage writes it; whoever opens the mirror at the next start reads it.
 */

import { isZesterError } from '../core/errors/zester-error.ts';
import type { ListedFile } from '../core/files/file-manifest.ts';
import type { ReadFiles } from '../system/files.ts';
import { type Codec, type RecordCodec, record } from '../wire/msgpack/codec.ts';
import { listOf } from '../wire/msgpack/container-types.ts';
import { decoded } from '../wire/msgpack/decoded.ts';
import { integer, name, text } from '../wire/msgpack/field-types.ts';
import { fileKeyOf, pathOfFileKey } from '../wire/names/file-keys.ts';
import { FILES_MAX } from '../wire/names/limits.ts';
import { type FileEntry, fileEntryCodec } from '../wire/records/file-set.ts';

/** Of every mirrored tree, at its top. */
export const RECORD_NAME = '.zester-tree.msgpack';
/** What begins so, at the top of a tree, is ours and no published file's. */
export const OWN_NAMES = '.zester-';
/** The record of as many files as a manifest can list. */
const RECORD_BYTES_MAX = 8 * 1024 * 1024;

export interface TreeRecord {
  readonly revision: number;
  /** Of the revision as it was written: compare, do not order. Empty: this is no published tree. */
  readonly identity: string;
  /** Of all paths and hashes. */
  readonly digest: string;
  readonly files: readonly ListedFile[];
}

/** A tree on the disk of this machine. */
export interface LaidTree {
  readonly directory: string;
  readonly record: TreeRecord;
}

/** With keys in place of paths: a name that is not UTF-8 has one too. */
interface StoredRecord extends Omit<TreeRecord, 'files'> {
  readonly files: readonly FileEntry[];
}

const storedRecordCodec: RecordCodec<StoredRecord> = record<StoredRecord>(
  'TreeRecord',
  'Which published revision a mirrored tree is, in the file `.zester-tree.msgpack` at its top.',
  {
    revision: { key: 'revision', type: integer, doc: 'Of the file set.' },
    identity: { key: 'identity', type: text, doc: 'Of that revision as it was written.' },
    digest: { key: 'digest', type: name, doc: 'Of all paths and hashes.' },
    files: { key: 'files', type: listOf(fileEntryCodec.type, FILES_MAX), doc: 'Every file of the tree.' },
  },
);

export const treeRecordCodec: Codec<TreeRecord> = {
  name: storedRecordCodec.name,
  doc: storedRecordCodec.doc,
  encode: ({ files, ...head }) =>
    storedRecordCodec.encode({
      ...head,
      files: files.map(({ path, ...file }) => ({ ...file, key: fileKeyOf(path) ?? '' })),
    }),
  decode: (bytes) => {
    const { files, ...head } = storedRecordCodec.decode(bytes);
    return { ...head, files: files.map(({ key, ...file }) => ({ ...file, path: pathOfFileKey(key) ?? '' })) };
  },
};

/** Undefined when there is none, or one that is damaged: then the tree is as good as none. */
export async function readTree(files: ReadFiles, directory: string): Promise<LaidTree | undefined> {
  const bytes = await readRecord(files, `${directory}/${RECORD_NAME}`);
  const read = bytes && decoded(treeRecordCodec, bytes);
  return read?.isReadable ? { directory, record: read.value } : undefined;
}

async function readRecord(files: ReadFiles, path: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(path, { bytesMax: RECORD_BYTES_MAX });
  } catch (error) {
    // Not one of ours, however it came there.
    if (isZesterError(error, 'FILE_TOO_LARGE')) return undefined;
    throw error;
  }
}
