/**
 * A file set is a published tree of files: settings, states or reactor rules. The publisher writes the files, then the
 * manifest, then bumps the revision; a reader watches the revision, fetches what the manifest lists and takes all of it
 * or nothing.
 *
 * Two forms of manifest exist and stay: settings are a bare list, the others a map with `files`. Both are sorted by key.
 * A manifest lists its revision too, as a file: an entry of key `_revision` with the hash of the counter's text. So a
 * reader that got an older or a newer manifest than the revision it read sees that they do not belong together, in both
 * forms and whichever copy of the bucket answered.
 */
import { bareCodec, type Codec, type RecordCodec, record } from '../msgpack/codec.ts';
import { listOf } from '../msgpack/container-types.ts';
import { boolean, integer, text } from '../msgpack/field-types.ts';
import { WireError } from '../msgpack/wire-error.ts';
import { BUCKETS, type BucketSpec } from '../names/buckets.ts';
import { FILES_MAX } from '../names/limits.ts';

export interface FileEntry {
  readonly key: string;
  readonly sha256: string;
  /** 0 in manifests from before it. */
  readonly size: number;
  /** The content is an object of store file-blobs, named by its hash, and the key has no value. */
  readonly blob: boolean;
}

export const fileEntryCodec: RecordCodec<FileEntry> = record<FileEntry>('FileEntry', 'One file of a set.', {
  key: { key: 'key', type: text, doc: 'Key in the bucket: the path with slashes.' },
  sha256: {
    key: 'sha256',
    type: text,
    doc: 'Of the content, lower-case hex; in master-settings an HMAC of it.',
  },
  size: { key: 'size', type: integer, omitEmpty: true, doc: 'Additive. Bytes of the content.' },
  blob: {
    key: 'blob',
    type: boolean,
    omitEmpty: true,
    doc: 'Additive. The content is too large for a value: an object in file-blobs, named by its hash.',
  },
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

/** `_revision` of a file set: raised by compare-and-set. */
export const revisionCodec = decimalCodec('Revision', 'Counter of a file set, as ASCII decimal.');
/** `_spread` of a file set. */
export const spreadCodec = decimalCodec(
  'Spread',
  'Additive. Over how many milliseconds peels spread their fetching of a new revision, as ASCII decimal.',
);

/** One kind of tree that masters publish. */
export interface FileSetSpec {
  /** As commands and replies call it. */
  readonly name: FileSetName;
  readonly bucket: BucketSpec;
  readonly manifest: Codec<readonly FileEntry[]>;
  /** What every key begins with, before the path. */
  readonly keyPrefix: string;
  /** Large files may go to the object store, which every peel can read. Not where the content is sealed. */
  readonly blobs: boolean;
}

export type FileSetName = 'states' | 'settings' | 'reactor' | 'master-settings';

const fileListCodec: Codec<readonly FileEntry[]> = {
  name: fileManifestCodec.name,
  doc: fileManifestCodec.doc,
  encode: (files) => fileManifestCodec.encode({ files }),
  decode: (bytes) => fileManifestCodec.decode(bytes).files,
};

export const FILE_SETS = {
  states: {
    name: 'states',
    bucket: BUCKETS.stateFiles,
    manifest: fileListCodec,
    keyPrefix: '',
    blobs: true,
  },
  settings: {
    name: 'settings',
    bucket: BUCKETS.settingsFiles,
    manifest: settingsManifestCodec,
    keyPrefix: '',
    blobs: false,
  },
  reactor: {
    name: 'reactor',
    bucket: BUCKETS.reactorFiles,
    manifest: fileListCodec,
    keyPrefix: 'reactor/',
    blobs: false,
  },
  masterSettings: {
    name: 'master-settings',
    bucket: BUCKETS.masterSettings,
    manifest: fileListCodec,
    keyPrefix: '',
    blobs: false,
  },
} as const satisfies Record<string, FileSetSpec>;

const DECIMAL = /^(0|[1-9][0-9]{0,15})$/;

function decimalCodec(name: string, doc: string): Codec<number> {
  return {
    name,
    doc,
    encode: (value) => {
      if (!Number.isSafeInteger(value) || value < 0) throw new WireError(name, '', 'is not a counter');
      return new TextEncoder().encode(String(value));
    },
    decode: (bytes) => {
      const digits = bytes.length <= 16 ? new TextDecoder().decode(bytes) : '';
      if (!DECIMAL.test(digits) || !Number.isSafeInteger(Number(digits)))
        throw new WireError(name, '', 'is not a counter in ASCII decimal');
      return Number(digits);
    },
  };
}
