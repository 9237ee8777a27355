/**
 * `readFileSetHead` and `fetchFile` read a published file set by direct gets of named keys, so a peel can do it
 * (decision 24).
 *
 * A set is whole when its manifest names the revision that was read. Between the two writes of a publish it is not, and
 * neither where one of the two answers came from a replica that lags: then both are read again, at once and a few times.
 * What stays torn is told to the caller, who tries later. A content counts only when its digest is the listed one. So
 * whatever a publisher did half, twice or late, and whoever else wrote: a reader that takes all files of one head has one
 * tree that somebody published, or has nothing.
 */
import { keyOfFile, type ListedFile, readManifest } from '../../core/files/file-manifest.ts';
import { treeDigest } from '../../core/files/file-tree.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { MANIFEST_KEY, REVISION_KEY } from '../../wire/names/keys.ts';
import { FILE_BYTES_MAX } from '../../wire/names/limits.ts';
import { OBJECT_STORES } from '../../wire/names/streams.ts';
import { type FileSetSpec, revisionCodec } from '../../wire/records/file-set.ts';
import type { AgentBus, KvEntry, KvRead } from '../port.ts';
import type { FetchedFile, FileSetHead, FileSetRevision, FileSetSeal } from './file-set.ts';
import { hashText, PLAIN_FILES } from './plain-files.ts';

const HEAD_READS_MAX = 3;

export async function readFileSetHead(
  bus: Pick<AgentBus, 'bucket'>,
  spec: FileSetSpec,
): Promise<FileSetHead> {
  const bucket = bus.bucket(spec.bucket.name);
  for (let reads = 1; ; reads++) {
    const revision = await bucket.get(REVISION_KEY);
    const head = headOf(spec, revision, await bucket.get(MANIFEST_KEY));
    if (head.is !== 'torn' || reads === HEAD_READS_MAX) return head;
  }
}

/** The revision alone, for whoever asks only whether there is another. Undefined: none is there that can be read. */
export async function readFileSetRevision(
  bus: Pick<AgentBus, 'bucket'>,
  spec: FileSetSpec,
): Promise<FileSetRevision | undefined> {
  return revisionOf(await bus.bucket(spec.bucket.name).get(REVISION_KEY));
}

/** The content of one file of a head. The set may have moved on meanwhile: then it is torn for this head. */
export async function fetchFile(
  bus: Pick<AgentBus, 'bucket' | 'objects'>,
  spec: FileSetSpec,
  file: ListedFile,
  seal: FileSetSeal = PLAIN_FILES,
): Promise<FetchedFile> {
  const stored = await storedContent(bus, spec, file);
  if (stored === undefined) return torn(`${file.path} is listed and not there`);
  const bytes = seal.unwrap(stored);
  if (bytes === undefined) return torn(`${file.path} cannot be opened`);
  if (seal.digest(bytes) !== file.sha256) return torn(`${file.path} has another content than is listed`);
  return { is: 'found', bytes };
}

async function storedContent(
  bus: Pick<AgentBus, 'bucket' | 'objects'>,
  spec: FileSetSpec,
  { path, sha256, blob }: ListedFile,
): Promise<Uint8Array | undefined> {
  if (blob) return bus.objects(OBJECT_STORES.fileBlobs.name).get(sha256, { bytesMax: FILE_BYTES_MAX });
  const read = await bus.bucket(spec.bucket.name).get(keyOfFile(spec, path));
  return read.found ? read.value : undefined;
}

function headOf(spec: FileSetSpec, revisionRead: KvRead, manifestRead: KvRead): FileSetHead {
  if (!revisionRead.found && !manifestRead.found) return { is: 'empty' };
  if (!revisionRead.found) return torn('there is a manifest and no revision');
  if (!manifestRead.found) return torn('there is a revision and no manifest');
  const revision = decoded(revisionCodec, revisionRead.value);
  if (!revision.isReadable) return torn(revision.problem);
  const entries = decoded(spec.manifest, manifestRead.value);
  if (!entries.isReadable) return torn(entries.problem);
  const manifest = readManifest(spec, entries.value, hashText);
  if (!manifest.isTree) return torn(manifest.problem);
  if (!manifest.names(revision.value))
    return torn(`the manifest is of another revision than ${revision.value}, which is the newest`);
  const { writtenMs } = revisionRead;
  return {
    is: 'whole',
    revision: revision.value,
    identity: identityOf(revision.value, revisionRead),
    digest: treeDigest(manifest.files, hashText),
    writtenMs,
    files: manifest.files,
  };
}

function revisionOf(read: KvRead): FileSetRevision | undefined {
  const revision = read.found ? decoded(revisionCodec, read.value) : undefined;
  if (!read.found || revision?.isReadable !== true) return undefined;
  return { revision: revision.value, identity: identityOf(revision.value, read) };
}

/** Tells two publishes apart that have the same number, in a store that lost writes. */
function identityOf(revision: number, read: KvEntry): string {
  return `${revision}/${read.revision}/${read.writtenMs}`;
}

function torn(problem: string): { readonly is: 'torn'; readonly problem: string } {
  return { is: 'torn', problem };
}
