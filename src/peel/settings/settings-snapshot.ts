/**
 * The settings snapshot is the last that a peel knew of its settings, for a start at which neither the mirrored tree nor NATS
 * is there: the merged settings with placeholders, and the sealed secrets as they were read, with the key that opens them.
 * So no secret is in it as plain text, and without this peel's own key nobody reads one out of it (decision 21).
 *
 * It also keeps the last few sealed records from before, so that values that were rotated out are still known after a
 * restart, and still redacted: a program may go on printing them.
 *
 *   <data dir>/settings-snapshot.msgpack, mode 0600
 *
 * The settings service writes it after every resolve that succeeded, as a whole (a crash leaves the old one or the new), and
 * only when it has changed. If it cannot be written, this life goes on without it. One that is damaged is as good as none.
 */
import { type DataMap, isDataMap } from '../../core/data/data-value.ts';
import { digest } from '../../runtime/digest.ts';
import type { Log } from '../../runtime/log.ts';
import type { Files } from '../../system/files.ts';
import { type RecordCodec, record } from '../../wire/msgpack/codec.ts';
import { listOf, mapOf } from '../../wire/msgpack/container-types.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { integer, name, text, valueMap } from '../../wire/msgpack/field-types.ts';
import { tryEncode } from '../../wire/msgpack/try-encode.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { settingsSnapshotPath } from '../data-dir.ts';
import { dataOfStored, storedData } from './stored-data.ts';

/** Sealed records from before the newest. */
export const FORMER_SECRETS_MAX = 4;
const MODE = 0o600;

/** Secrets as a master sealed them for this peel. */
export interface SealedValues {
  /** Curve public key of the masters with which they were opened; empty when none did. */
  readonly sender: string;
  /** Revision in the bucket. */
  readonly revision: number;
  /** Path to `ENC[nkey,…]`. */
  readonly sealed: Readonly<Record<string, string>>;
}

export interface SettingsSnapshot {
  /** Of the settings files; 0: nothing was published. */
  readonly revision: number;
  /** With placeholders. */
  readonly settings: DataMap;
  /** The newest first. */
  readonly secrets: readonly SealedValues[];
}

const sealedValuesCodec: RecordCodec<SealedValues> = record<SealedValues>(
  'SealedValues',
  'Secrets as a master sealed them for this peel.',
  {
    sender: { key: 'sender', type: name, omitEmpty: true, doc: 'Curve public key of the masters.' },
    revision: { key: 'revision', type: integer, doc: 'Revision in the bucket.' },
    sealed: { key: 'sealed', type: mapOf(text), doc: 'Path to sealed value.' },
  },
);

interface StoredSnapshot extends Omit<SettingsSnapshot, 'settings'> {
  readonly settings: WireMap;
}

const snapshotCodec: RecordCodec<StoredSnapshot> = record<StoredSnapshot>(
  'SettingsSnapshot',
  'The settings as they were last known, in the file `settings-snapshot.msgpack` of the data directory.',
  {
    revision: { key: 'revision', type: integer, doc: 'Of the settings files.' },
    settings: { key: 'settings', type: valueMap, doc: 'Under `data`, with placeholders for secrets.' },
    secrets: {
      key: 'secrets',
      type: listOf(sealedValuesCodec.type, FORMER_SECRETS_MAX + 1),
      doc: 'Newest first.',
    },
  },
);

export class SnapshotFile {
  private readonly files: Files;
  private readonly log: Log;
  private readonly path: string;
  /** Of what is on disk, as far as this life knows. */
  private written: string | undefined;

  constructor(files: Files, log: Log, dataDir: string) {
    this.files = files;
    this.log = log;
    this.path = settingsSnapshotPath(dataDir);
  }

  /** Where it is, for messages. */
  get where(): string {
    return this.path;
  }

  /** Undefined when there is none that can be read. */
  async read(): Promise<SettingsSnapshot | undefined> {
    const bytes = await this.files.read(this.path);
    if (bytes === undefined) return undefined;
    const stored = decoded(snapshotCodec, bytes);
    const settings = stored.isReadable ? dataOfStored(stored.value.settings.data ?? null) : undefined;
    if (!stored.isReadable || !isDataMap(settings)) {
      const problem = stored.isReadable ? 'its settings are no map' : stored.problem;
      this.log.warn('the snapshot of the settings is damaged', { path: this.path, problem });
      return undefined;
    }
    this.written = hashOf(bytes);
    return { ...stored.value, settings };
  }

  /** Nothing is written where nothing has changed. */
  async write(snapshot: SettingsSnapshot): Promise<void> {
    const bytes = tryEncode(() =>
      snapshotCodec.encode({ ...snapshot, settings: { data: storedData(snapshot.settings) } }),
    );
    if (bytes === undefined) {
      this.log.warn('the settings are too deep or too large for a snapshot', { path: this.path });
      return;
    }
    const hash = hashOf(bytes);
    if (hash === this.written) return;
    try {
      await this.files.writeAtomic(this.path, bytes, { mode: MODE });
      this.written = hash;
    } catch (error) {
      this.log.warn('the snapshot of the settings cannot be written', { path: this.path, error });
    }
  }
}

function hashOf(bytes: Uint8Array): string {
  return Buffer.from(digest('sha256', bytes)).toString('hex');
}
