/**
 * A file set is a published tree of files: settings, states or reactor rules. The publisher writes the files, then the
 * manifest, then bumps the revision; a reader watches the revision, fetches what the manifest lists and takes all of it
 * or nothing.
 *
 * Two forms of manifest exist and stay: settings are a bare list, the others a map with `files`. Both are sorted by key.
 */
import { bareCodec, type Codec, type RecordCodec, record } from '../msgpack/codec.ts';
import { listOf } from '../msgpack/container-types.ts';
import { text } from '../msgpack/field-types.ts';
import { WireError } from '../msgpack/wire-error.ts';
import { FILES_MAX } from '../names/limits.ts';

export interface FileEntry {
  readonly key: string;
  readonly sha256: string;
}

export const fileEntryCodec: RecordCodec<FileEntry> = record<FileEntry>('FileEntry', 'One file of a set.', {
  key: { key: 'key', type: text, doc: 'Key in the bucket: the path with slashes.' },
  sha256: { key: 'sha256', type: text, doc: 'Of the stored bytes, lower-case hex.' },
});

const entries = listOf(fileEntryCodec.type, FILES_MAX);

/** `settings-files/_manifest`. */
export const settingsManifestCodec: Codec<readonly FileEntry[]> = bareCodec(
  'SettingsManifest',
  'Which settings files belong together: a list.',
  entries,
);

export interface FileManifest {
  readonly files: readonly FileEntry[];
}

/** `state-files/_manifest`, `reactor-files/_manifest`. */
export const fileManifestCodec: RecordCodec<FileManifest> = record<FileManifest>(
  'FileManifest',
  'Which state or reactor files belong together.',
  { files: { key: 'files', type: entries, doc: 'Sorted by key.' } },
);

const REVISION = /^(0|[1-9][0-9]{0,15})$/;

/** `_revision` of a file set: a counter as ASCII decimal, raised by compare-and-set. */
export const revisionCodec: Codec<number> = {
  name: 'Revision',
  doc: 'Counter of a file set, as ASCII decimal.',
  encode: (revision) => {
    if (!Number.isSafeInteger(revision) || revision < 0)
      throw new WireError('Revision', '', 'is not a counter');
    return new TextEncoder().encode(String(revision));
  },
  decode: (bytes) => {
    const revision = bytes.length <= 16 ? new TextDecoder().decode(bytes) : '';
    if (!REVISION.test(revision) || !Number.isSafeInteger(Number(revision))) {
      throw new WireError('Revision', '', 'is not a counter in ASCII decimal');
    }
    return Number(revision);
  },
};
