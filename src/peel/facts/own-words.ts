/**
 * `OwnWords` are what operators say of this peel: tags and facts, as masters publish them under its own key in bucket `peel-tags`.
 * Only masters write that key. Facts come sealed to this peel's curve key, because they may be secrets; each text in them is in the
 * book of secrets before anybody else gets it, so that none leaves this machine in the clear.
 *
 * The last record is kept on disk as it came, sealed (`operator-words.msgpack`, mode 0600), so that a peel that starts without NATS
 * goes by what it knew. A key that the store says is absent means that operators say nothing, and the file says so too; one that is
 * damaged changes nothing. Facts that no key of the masters opens are left out, told in the log, and tried again with the next key.
 *
 * If the file cannot be written, the words hold for this life. Twice the same record: nothing happens. `settled` bounds how long
 * somebody waits for the first word of the store: `LATE_MS`, and not at all without a connection.
 */
import type { KvRead, Watch } from '../../bus/port.ts';
import { factTexts, NO_WORDS, type OperatorWords } from '../../core/target/operator-words.ts';
import { within } from '../../runtime/abortable-wait.ts';
import { type WakeLoop, wakeLoop } from '../../runtime/wake-loop.ts';
import { boxKey } from '../../trust/sealed-box.ts';
import { type RecordCodec, record } from '../../wire/msgpack/codec.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { integer, name, optionalRecord } from '../../wire/msgpack/field-types.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { type PeelTags, peelTagsCodec } from '../../wire/records/enroll/peel-tags.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { operatorWordsPath } from '../data-dir.ts';
import type { PeelContext } from '../peel-context.ts';

const LATE_MS = 3_000;
const MODE = 0o600;

type WordsContext = Pick<
  PeelContext,
  'bus' | 'system' | 'runtime' | 'peelId' | 'dataDir' | 'curveKey' | 'keys' | 'secrets'
>;

/** What the file has. */
interface StoredWords {
  /** Curve public key of the masters that opened the facts; empty when none did. */
  readonly sender: string;
  readonly revision: number;
  /** Undefined: the store had none. */
  readonly record: PeelTags | undefined;
}

const storedWordsCodec: RecordCodec<StoredWords> = record<StoredWords>(
  'OperatorWords',
  'What operators say of this peel, in the file `operator-words.msgpack` of its data directory.',
  {
    sender: { key: 'sender', type: name, omitEmpty: true, doc: 'Curve public key of the masters.' },
    revision: { key: 'revision', type: integer, doc: 'Revision in the bucket.' },
    record: {
      key: 'record',
      type: optionalRecord(peelTagsCodec),
      omitEmpty: true,
      doc: 'As it was read, facts sealed.',
    },
  },
);

/** Reads what the last life knew; damaged is as good as absent, for the store has it. */
export async function openOwnWords(context: WordsContext): Promise<OwnWords> {
  const { system, runtime, dataDir } = context;
  const path = operatorWordsPath(dataDir);
  const bytes = await system.files.read(path);
  const stored = bytes === undefined ? undefined : decoded(storedWordsCodec, bytes);
  if (stored?.isReadable === false)
    runtime.log.warn('the file of what operators say of this peel is damaged', {
      path,
      problem: stored.problem,
    });
  return new OwnWords(context, stored?.isReadable === true ? stored.value : undefined);
}

export class OwnWords {
  private readonly context: WordsContext;
  private readonly writing: WakeLoop;
  private readonly listeners = new Set<() => void>();
  private readonly waiting = new Set<() => void>();
  private stored: StoredWords | undefined;
  private words: OperatorWords;
  private isRead = false;
  private watch: Watch | undefined;

  constructor(context: WordsContext, stored: StoredWords | undefined) {
    const { runtime, system, dataDir, keys } = context;
    this.context = context;
    this.stored = stored;
    this.words = this.open();
    this.writing = wakeLoop(
      runtime,
      async () => {
        if (this.stored === undefined) return;
        const bytes = storedWordsCodec.encode(this.stored);
        await system.files.writeAtomic(operatorWordsPath(dataDir), bytes, { mode: MODE });
      },
      (error) => runtime.log.warn('cannot store what operators say of this peel', { error }),
    );
    keys.onChange(() => this.openAgain());
  }

  current(): OperatorWords {
    return this.words;
  }

  /** Tags or facts are others. The listener only notes it. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Resolves when the store has said what it has, or there is no use in waiting for it. */
  async settled(): Promise<void> {
    const { bus, runtime } = this.context;
    if (this.isRead || this.stored !== undefined || bus.status() !== 'connected') return;
    await within(
      runtime.clock,
      LATE_MS,
      new Promise<void>((resolve) => {
        this.waiting.add(resolve);
      }),
    );
  }

  start(): void {
    const { bus, runtime, peelId } = this.context;
    this.watch = bus.bucket(BUCKETS.peelTags.name).watchKeys([peelId], {
      changed: (read) => this.note(read),
      trouble: (error) => runtime.log.debug('cannot see what operators say of this peel', { error }),
    });
  }

  stop(): void {
    this.watch?.stop();
    this.writing.stop();
    this.tellWaiting();
  }

  private note(read: KvRead): void {
    const { log } = this.context.runtime;
    if (this.isRead && read.revision === this.stored?.revision) return;
    const known = read.found ? decoded(peelTagsCodec, read.value) : undefined;
    if (known?.isReadable === false) {
      log.error('what operators say of this peel is damaged; what was known stays', {
        problem: known.problem,
      });
      return;
    }
    this.isRead = true;
    const sender = this.stored?.sender ?? '';
    this.stored = { sender, revision: read.revision, record: known?.value };
    this.openAgain();
    this.tellWaiting();
    this.writing.wake();
  }

  private tellWaiting(): void {
    for (const tell of this.waiting) tell();
    this.waiting.clear();
  }

  private openAgain(): void {
    this.words = this.open();
    for (const listener of this.listeners) listener();
  }

  private open(): OperatorWords {
    const known = this.stored?.record;
    if (known === undefined) return NO_WORDS;
    const { tags, sealedFacts } = known;
    if (sealedFacts === '') return { tags, facts: {} };
    const facts = this.openFacts(sealedFacts);
    if (facts === undefined)
      this.context.runtime.log.warn('facts that operators set cannot be opened with the keys of the masters');
    return { tags, facts: facts ?? {} };
  }

  private openFacts(sealed: string): WireMap | undefined {
    const { curveKey, keys, secrets } = this.context;
    for (const sender of new Set([this.stored?.sender ?? '', ...keys.curveKeys()])) {
      const plain = sender === '' ? undefined : boxKey(curveKey, sender)?.open(sealed);
      const facts = plain === undefined ? undefined : decoded(factsCodec, plain);
      if (facts?.isReadable !== true) continue;
      if (this.stored !== undefined) this.stored = { ...this.stored, sender };
      for (const [path, text] of factTexts({ tags: {}, facts: facts.value })) secrets.learn(path, text);
      return facts.value;
    }
    return undefined;
  }
}
