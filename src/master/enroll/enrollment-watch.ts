/**
 * The enrollment watch keeps the enrollments of the fleet in memory on every master: who is shut out, which curve key was approved,
 * where a request stands. What follows from the records is decided in core/enroll/desk/enrollment-view.ts.
 *
 * It is read before facts and presence, so that no word of a peel that is shut out is ever taken. It may be some milliseconds
 * behind the store: whoever writes reads the store first. A record that cannot be read is told of and changes nothing: it is
 * never taken for the end of an enrollment.
 */
import type { KvRead, Subscription, Watch } from '../../bus/port.ts';
import { EnrollmentView } from '../../core/enroll/desk/enrollment-view.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { NO_WORDS, type OperatorWords } from '../../core/target/operator-words.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { type EnrollmentId, type PeelId, parseEnrollmentId } from '../../wire/names/ids.ts';
import { parseEnrolledPeelKey } from '../../wire/names/keys.ts';
import { type Enrollment, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import type { MasterContext } from '../master-context.ts';

const EVERY_KEY = '>';
const BEHIND_MS_MAX = 5_000;
const utf8 = new TextDecoder();

/** A record has changed, or the index of its peel. `record` is undefined when it is gone. */
export interface EnrollmentNews {
  readonly peel: PeelId;
  readonly id: EnrollmentId | undefined;
}

type WatchContext = Pick<MasterContext, 'bus' | 'runtime' | 'operatorFacts'>;

export class EnrollmentWatch {
  readonly view = new EnrollmentView();
  private readonly context: WatchContext;
  private readonly listeners = new Set<(news: EnrollmentNews) => void>();
  private watch: Watch | undefined;
  private seeded = false;

  constructor(context: WatchContext) {
    this.context = context;
  }

  /** Resolves when everything that was there has been read. */
  start(): Promise<void> {
    const { bus, runtime } = this.context;
    return new Promise((resolve) => {
      this.watch = bus.bucket(BUCKETS.enrollments.name).watch(EVERY_KEY, {
        changed: (read) => this.note(read),
        replayed: () => {
          this.seeded = true;
          resolve();
        },
        trouble: (error) => runtime.log.warn('enrollments cannot be read for the moment', { error }),
      });
    });
  }

  stop(): void {
    this.watch?.stop();
  }

  get isSeeded(): boolean {
    return this.seeded;
  }

  /** Also of what was there at the start. Listeners only note. */
  onNews(listener: (news: EnrollmentNews) => void): Subscription {
    this.listeners.add(listener);
    return { unsubscribe: () => void this.listeners.delete(listener) };
  }

  get(id: EnrollmentId): Enrollment | undefined {
    return this.view.get(id);
  }

  /**
   * Resolves when the record is in memory, and with it everything that was written before it, because all of it comes in one stream. Throws
   * ENROLL_BUSY where that takes longer than `BEHIND_MS_MAX`.
   */
  caughtUpWith({ id, peelId: peel }: Enrollment): Promise<void> {
    if (this.get(id) !== undefined) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const late = this.context.runtime.clock.after(BEHIND_MS_MAX, () => {
        news.unsubscribe();
        reject(zesterError('ENROLL_BUSY', { peel, reason: 'this master does not hear what is stored' }));
      });
      const news = this.onNews((told) => {
        if (told.id !== id || this.get(id) === undefined) return;
        news.unsubscribe();
        late.cancel();
        resolve();
      });
    });
  }

  currentOf(peel: PeelId): Enrollment | undefined {
    return this.view.currentOf(peel);
  }

  isShutOut(peel: PeelId): boolean {
    return this.view.isShutOut(peel);
  }

  /** The curve key that was approved. It counts more than what the peel says of itself. */
  curveKeyOf(peel: PeelId): string | undefined {
    return this.view.liveOf(peel)?.curvePublicKey;
  }

  /** What operators say of the peel, as long as it is in. Facts that cannot be opened for the moment are left out. */
  wordsOf(peel: PeelId): OperatorWords {
    const { context } = this;
    const record = this.view.liveOf(peel);
    if (record === undefined) return NO_WORDS;
    const facts = context.operatorFacts.of(record);
    if (facts === undefined) {
      const id = record.id;
      context.runtime.log.warn('facts that operators set cannot be opened with any generation known here', {
        peel,
        id,
      });
    }
    return { tags: record.tags, facts: facts ?? {} };
  }

  /** More can be opened than before: whoever goes by sealed facts looks again. */
  keyLearned(): void {
    for (const peel of this.view.peels()) {
      const record = this.view.liveOf(peel);
      if (record !== undefined && Object.keys(record.sealedFacts).length > 0)
        this.tell({ peel, id: record.id });
    }
  }

  private note(read: KvRead): void {
    const peel = parseEnrolledPeelKey(read.key);
    if (peel !== undefined) {
      const id = read.found ? parseEnrollmentId(utf8.decode(read.value)) : undefined;
      this.view.point(peel, id);
      this.tell({ peel, id });
      return;
    }
    const id = parseEnrollmentId(read.key);
    if (id !== undefined) this.noteRecord(id, read);
  }

  private noteRecord(id: EnrollmentId, read: KvRead): void {
    if (!read.found) {
      const gone = this.view.get(id);
      this.view.remove(id);
      if (gone !== undefined) this.tell({ peel: gone.peelId, id });
      return;
    }
    const record = decoded(enrollmentCodec, read.value);
    if (!record.isReadable) {
      const { problem } = record;
      this.context.runtime.log.error('a record of an enrollment cannot be read', { id, problem });
      return;
    }
    this.view.put(record.value);
    this.tell({ peel: record.value.peelId, id });
  }

  private tell(news: EnrollmentNews): void {
    for (const listener of this.listeners) listener(news);
  }
}
