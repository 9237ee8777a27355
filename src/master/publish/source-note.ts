/**
 * The note of a source directory is what a master remembers of it across its own deaths, in `<data-dir>/files/<set>.msgpack`:
 * the published tree with which the directory was last in step, and what the master was about to do (source-standing.ts says
 * what for). Only this master writes and reads it. It names the directory it is about: for another one, after a change of the
 * options, it counts as none, because what that was in step with says nothing about this one.
 *
 * Each write replaces the file as a whole and is on disk when it returns, so what was about to be done is known before it
 * is begun. Dying between a deed and the note of it is what `publishing` and `updating` are for. Nobody can make a note
 * that fits: one that cannot be understood counts as none, and the directory is then compared with what is published alone.
 * Bound: the trees must fit the largest record; with more files nothing is done that would have to be remembered.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { PublishedSight } from '../../core/files/source-standing.ts';
import type { Log } from '../../runtime/log.ts';
import type { Files } from '../../system/files.ts';
import { type RecordCodec, record } from '../../wire/msgpack/codec.ts';
import { listOf } from '../../wire/msgpack/container-types.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { boolean, integer, name } from '../../wire/msgpack/field-types.ts';
import { tryEncode } from '../../wire/msgpack/try-encode.ts';
import { fileKeyOf, pathOfFileKey } from '../../wire/names/file-keys.ts';
import { FILES_MAX, MESSAGE_BYTES_MAX } from '../../wire/names/limits.ts';
import { type FileEntry, fileEntryCodec } from '../../wire/records/file-set.ts';

export interface SourceNote {
  readonly base: PublishedSight | undefined;
  /** Digests of the trees that it has tried to publish since it was in step, the newest last. */
  readonly publishing: readonly string[];
  /** What the directory is about to be updated to, and was before that; the newest last. */
  readonly updating: readonly ReadonlyMap<string, string>[];
}

export interface SourceNotes {
  read(): Promise<SourceNote>;
  /** Writes nothing where it says so already. */
  write(note: SourceNote): Promise<void>;
  /** Where it is, for people. */
  readonly path: string;
}

export const NO_NOTE: SourceNote = { base: undefined, publishing: [], updating: [] };
/** Of more publishes in a row whose outcome is not known, the first may be taken for somebody else's: a conflict. */
const PUBLISHES_NOTED_MAX = 16;
/** An update that was interrupted so often in a row, for another tree each time, ends in a conflict. */
export const UPDATES_NOTED_MAX = 4;

/** How it is stored. Of the trees to which it is updated only what differs from the base; an empty hash: the file goes. */
interface StoredNote {
  readonly source: string;
  readonly hasBase: boolean;
  readonly digest: string;
  readonly revision: number;
  readonly writtenMs: number;
  readonly files: readonly FileEntry[];
  readonly publishing: readonly string[];
  readonly updating: readonly StoredUpdate[];
}

interface StoredUpdate {
  readonly files: readonly FileEntry[];
}

const entries = listOf(fileEntryCodec.type, FILES_MAX);

const updateCodec: RecordCodec<StoredUpdate> = record<StoredUpdate>(
  'SourceUpdate',
  'A tree to which a source directory was being updated.',
  { files: { key: 'files', type: entries, doc: 'What differs from the base.' } },
);

const noteCodec: RecordCodec<StoredNote> = record<StoredNote>(
  'SourceNote',
  'What a master remembers of a source directory, in a file of its data directory.',
  {
    source: { key: 'source', type: name, omitEmpty: true, doc: 'The source directory.' },
    hasBase: { key: 'has_base', type: boolean, omitEmpty: true, doc: 'It was in step with something.' },
    digest: { key: 'digest', type: name, omitEmpty: true, doc: 'Of the tree that was.' },
    revision: { key: 'revision', type: integer, omitEmpty: true, doc: 'Its revision.' },
    writtenMs: { key: 'written_ms', type: integer, omitEmpty: true, doc: 'When that was written.' },
    files: { key: 'files', type: entries, doc: 'Its files.' },
    publishing: {
      key: 'publishing',
      type: listOf(name, PUBLISHES_NOTED_MAX),
      doc: 'Digests of what is being published, the newest last.',
    },
    updating: {
      key: 'updating',
      type: listOf(updateCodec.type, UPDATES_NOTED_MAX),
      doc: 'What the directory is being updated to, the newest last.',
    },
  },
);

const MODE = 0o600;
const DIRECTORY_MODE = 0o700;

export interface NotedSource {
  /** Where notes are kept. */
  readonly dataDir: string;
  readonly set: string;
  /** The directory that the note is about. */
  readonly source: string;
}

export function sourceNotes(
  files: Files,
  log: Log,
  { dataDir: directory, set, source }: NotedSource,
): SourceNotes {
  const path = `${directory}/files/${set}.msgpack`;
  let written: Buffer | undefined;

  async function stored(): Promise<Buffer | undefined> {
    const bytes = await files.read(path, { bytesMax: MESSAGE_BYTES_MAX });
    return bytes === undefined ? undefined : Buffer.from(bytes);
  }

  return {
    path,
    async read() {
      written = await stored();
      const note = written === undefined ? undefined : decoded(noteCodec, written);
      if (note?.isReadable === false)
        log.warn('the note of a source directory cannot be understood and counts as none', {
          path,
          problem: note.problem,
        });
      if (note?.isReadable !== true) return NO_NOTE;
      if (note.value.source === source) return noteOf(note.value);
      log.warn('the note is of another source directory and counts as none', {
        path,
        directory: source,
        noted: note.value.source,
      });
      return NO_NOTE;
    },
    async write(note) {
      const encoded = tryEncode(() => noteCodec.encode(storedNote(note, source)));
      const kept = Math.max(...[note.base?.files, ...note.updating].map((tree) => tree?.size ?? 0));
      if (encoded === undefined) throw zesterError('FILES_NOTE_TOO_LARGE', { set, path, files: kept });
      const bytes = Buffer.from(encoded);
      if (written?.equals(bytes) === true) return;
      written = undefined;
      await files.makeDirectory(`${directory}/files`, { parents: true, mode: DIRECTORY_MODE });
      await files.writeAtomic(path, bytes, { mode: MODE });
      written = bytes;
    },
  };
}

function storedNote({ base, publishing, updating }: SourceNote, source: string): StoredNote {
  return {
    source,
    hasBase: base !== undefined,
    digest: base?.digest ?? '',
    revision: base?.revision ?? 0,
    writtenMs: Math.floor(base?.writtenMs ?? 0),
    files: entriesOf(base?.files),
    publishing: publishing.slice(-PUBLISHES_NOTED_MAX),
    updating: updating
      .slice(-UPDATES_NOTED_MAX)
      .map((tree) => ({ files: entriesOf(changesOf(base?.files, tree)) })),
  };
}

function noteOf(stored: StoredNote): SourceNote {
  const { hasBase, digest, revision, writtenMs, publishing } = stored;
  const files = filesOf(stored.files);
  return {
    base: hasBase ? { digest, revision, writtenMs, files } : undefined,
    publishing,
    updating: stored.updating.map((update) => changed(files, filesOf(update.files))),
  };
}

const GONE = '';

function changesOf(base: ReadonlyMap<string, string> = new Map(), tree: ReadonlyMap<string, string>) {
  const paths = [...new Set([...base.keys(), ...tree.keys()])];
  const different = paths.filter((path) => base.get(path) !== tree.get(path));
  return new Map(different.map((path) => [path, tree.get(path) ?? GONE]));
}

function changed(base: ReadonlyMap<string, string>, changes: ReadonlyMap<string, string>) {
  return new Map([...base, ...changes].filter(([path]) => changes.get(path) !== GONE));
}

/** With keys in place of paths: a name that is not UTF-8 has one too. */
function entriesOf(files: ReadonlyMap<string, string> = new Map()): readonly FileEntry[] {
  return [...files].map(([path, sha256]) => ({ key: fileKeyOf(path) ?? '', sha256, size: 0, blob: false }));
}

function filesOf(list: readonly FileEntry[]): ReadonlyMap<string, string> {
  return new Map(list.map(({ key, sha256 }) => [pathOfFileKey(key) ?? '', sha256]));
}
