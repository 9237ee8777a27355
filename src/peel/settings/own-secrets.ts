/**
 * `OwnSecrets` are the secrets that masters have sealed for this peel: read from its own key in bucket `secrets`, opened with
 * its curve key, and known to the book of secrets before anybody else gets them, so that none can leave this machine in
 * the clear.
 *
 * Only masters write that key, and only they and this peel can make a box that opens; what does not open is left out, and the
 * settings that need it fail. Before the bucket has answered, the values of the last life stand in (settings-snapshot.ts).
 * A record that is damaged changes nothing. Values that were replaced stay in the book.
 *
 * Late: whoever misses a secret asks for a fresh read (`refresh`), because files and secrets come by two watches. Twice the
 * same record: nothing happens.
 */
import type { KvRead, Watch } from '../../bus/port.ts';
import { LruMap } from '../../core/lru-map.ts';
import { type BoxKey, boxKey } from '../../trust/sealed-box.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { sealedSecretsCodec } from '../../wire/records/secrets.ts';
import type { PeelContext } from '../peel-context.ts';
import { FORMER_SECRETS_MAX, type SealedValues } from './settings-snapshot.ts';

export interface OpenedSecrets {
  /** Another whenever the values may be others. */
  readonly identity: string;
  /** Revision of the own key in the bucket; 0 when there is none. */
  readonly revision: number;
  /** By path. */
  readonly values: ReadonlyMap<string, string>;
  /** Paths of values that no key of the masters opens. */
  readonly unopened: readonly string[];
}

type SecretsContext = Pick<PeelContext, 'bus' | 'runtime' | 'peelId' | 'curveKey' | 'keys' | 'secrets'>;

/** The key that peels agree on with each key of the masters; of those there are few. */
const BOX_KEYS_MAX = 16;
const NONE: SealedValues = { sender: '', revision: 0, sealed: {} };

export class OwnSecrets {
  private readonly context: SecretsContext;
  private readonly changed: () => void;
  private readonly boxKeys = new LruMap<string, BoxKey | undefined>(BOX_KEYS_MAX);
  /** The newest first. */
  private records: readonly SealedValues[] = [];
  private problemText = '';
  private isRead = false;
  private opened: OpenedSecrets | undefined;
  private watch: Watch | undefined;

  constructor(context: SecretsContext, changed: () => void) {
    this.context = context;
    this.changed = changed;
    context.keys.onChange(() => this.openAgain());
  }

  /** What the last life knew; what was read since goes before. */
  begin(records: readonly SealedValues[]): void {
    this.records = [...this.records, ...records].slice(0, FORMER_SECRETS_MAX + 1);
    this.opened = undefined;
    for (const record of records) this.open(record, [record.sender, ...this.context.keys.curveKeys()]);
  }

  start(): void {
    const { bus, runtime, peelId } = this.context;
    this.watch = bus.bucket(BUCKETS.secrets.name).watchKeys([peelId], {
      changed: (read) => this.note(read),
      trouble: (error) => runtime.log.debug('cannot see the sealed secrets', { error }),
    });
  }

  stop(): void {
    this.watch?.stop();
  }

  /** Reads the key now. Throws where the bus does. An older answer than what is known comes from a copy that lags. */
  async refresh(): Promise<void> {
    const { bus, peelId } = this.context;
    const read = await bus.bucket(BUCKETS.secrets.name).get(peelId);
    if (read.revision > this.newest().revision) this.note(read);
  }

  current(): OpenedSecrets {
    this.opened ??= this.openCurrent();
    return this.opened;
  }

  /** For the snapshot: what is in use, and what was before. */
  sealed(): readonly SealedValues[] {
    return this.records;
  }

  /** Why the newest are not known; empty when nothing is wrong. */
  problem(): string {
    const { unopened } = this.current();
    if (this.problemText !== '' || unopened.length === 0) return this.problemText;
    return `${unopened.length} sealed values cannot be opened with the keys of the masters that this peel knows`;
  }

  /** By the word of the watch, which tells a copy that lags from a store that lost writes. */
  private note(read: KvRead): void {
    if (this.isRead && read.revision === this.newest().revision) return;
    const record = read.found ? decoded(sealedSecretsCodec, read.value) : undefined;
    if (record?.isReadable === false) {
      const { problem } = record;
      this.problemText = `the sealed secrets are damaged: ${problem}`;
      this.context.runtime.log.error('the sealed secrets of this peel are damaged; those from before stay', {
        problem,
      });
      this.changed();
      return;
    }
    this.problemText = '';
    this.isRead = true;
    const before = this.current().values;
    const [newest, ...former] = this.records;
    this.records = [{ sender: '', revision: read.revision, sealed: record?.value.sealed ?? {} }, ...former];
    this.opened = undefined;
    const now = new Set(this.current().values.values());
    const isGone = [...before.values()].some((value) => !now.has(value));
    // Sealed anew with the same values, it would only push out records whose values are not known otherwise.
    if (newest !== undefined && isGone) this.records = [this.newest(), newest, ...former];
    this.records = this.records.slice(0, FORMER_SECRETS_MAX + 1);
    this.changed();
  }

  private newest(): SealedValues {
    return this.records[0] ?? NONE;
  }

  /** A new key of the masters may open what no other did. */
  private openAgain(): void {
    this.opened = undefined;
    this.current();
    this.changed();
  }

  private openCurrent(): OpenedSecrets {
    const { keys } = this.context;
    const newest = this.newest();
    const senders = keys.curveKeys();
    const known = newest.sender === '' ? senders : [newest.sender, ...senders];
    const { sender, values } = this.open(newest, known);
    if (sender !== '' && sender !== newest.sender)
      this.records = [{ ...newest, sender }, ...this.records.slice(1)];
    return {
      identity: `${newest.revision}/${senders.join(' ')}`,
      revision: newest.revision,
      values,
      unopened: Object.keys(newest.sealed).filter((path) => !values.has(path)),
    };
  }

  /** The values that open, and the first key that opened one; all of them are in the book from here on. */
  private open(
    { sealed }: SealedValues,
    senders: readonly string[],
  ): { readonly sender: string; readonly values: ReadonlyMap<string, string> } {
    const values = new Map<string, string>();
    let opener = '';
    for (const [path, box] of Object.entries(sealed))
      for (const sender of senders) {
        const plain = this.boxKeyOf(sender)?.open(box);
        if (plain === undefined) continue;
        const value = Buffer.from(plain).toString('utf8');
        this.context.secrets.learn(path, value);
        values.set(path, value);
        opener ||= sender;
        break;
      }
    return { sender: opener, values };
  }

  private boxKeyOf(sender: string): BoxKey | undefined {
    if (!this.boxKeys.has(sender)) this.boxKeys.set(sender, boxKey(this.context.curveKey, sender));
    return this.boxKeys.get(sender);
  }
}
