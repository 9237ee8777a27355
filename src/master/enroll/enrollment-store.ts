/**
 * The enrollment store reads and writes bucket `enrollments` for the desk, by the word of its leader and by compare-and-set only.
 *
 * The key `peel.<peel>` is the commit of everything: it says which enrollment holds a peel id. It is created before the first
 * record, so that two machines never both get the id; a record that it does not name has no effect.
 *
 * Nothing that an operator said in a fact is written in clear, whatever the record has.
 */
import { openTable, type Table } from '../../bus/kv/table.ts';
import type { Bucket } from '../../bus/port.ts';
import type { IdHolder } from '../../core/enroll/desk/judge-request.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { type EnrollmentId, type PeelId, parseEnrollmentId } from '../../wire/names/ids.ts';
import { enrolledPeelKey } from '../../wire/names/keys.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';
import { untilKnown } from '../retry.ts';

/** A record and the revision at which it can be changed. */
export interface ReadEnrollment {
  readonly record: Enrollment;
  readonly revision: number;
}

/** Who holds a peel id, with what it takes to change that. */
export interface ReadHolder {
  readonly holder: IdHolder;
  /** Of the index key; 0 when there is none. */
  readonly indexRevision: number;
  readonly recordRevision: number;
}

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() };

type StoreContext = Pick<MasterContext, 'bus' | 'runtime' | 'life' | 'operatorFacts'>;

export class EnrollmentStore {
  readonly records: Table<EnrollmentId, Enrollment>;
  private readonly bucket: Bucket;
  private readonly context: StoreContext;

  constructor(context: StoreContext) {
    this.context = context;
    this.records = openTable(context.bus, TABLES.enrollments);
    this.bucket = context.bus.bucket(BUCKETS.enrollments.name);
  }

  /** Undefined: the store says that there is none. */
  async find(id: EnrollmentId): Promise<ReadEnrollment | undefined> {
    const read = await this.records.getLatest(id);
    if (read.is === 'absent') return undefined;
    if (read.is === 'unreadable') throw unreadable(id, read.problem);
    return { record: read.value, revision: read.revision };
  }

  async get(id: EnrollmentId): Promise<ReadEnrollment> {
    const found = await this.find(id);
    if (found === undefined) throw zesterError('ENROLL_UNKNOWN', { id });
    return found;
  }

  async holderOf(peel: PeelId): Promise<ReadHolder> {
    const key = enrolledPeelKey(peel);
    const index = await this.bucket.getLatest(key);
    if (!index.found) return { holder: { is: 'nobody' }, indexRevision: 0, recordRevision: 0 };
    const id = parseEnrollmentId(utf8.decoder.decode(index.value));
    if (id === undefined) throw unreadable(key, 'it is no id of an enrollment');
    const found = await this.find(id);
    const indexRevision = index.revision;
    if (found === undefined) {
      const ageMs = this.context.runtime.clock.nowMs() - index.writtenMs;
      return { holder: { is: 'half-made', ageMs }, indexRevision, recordRevision: 0 };
    }
    return { holder: { is: 'record', record: found.record }, indexRevision, recordRevision: found.revision };
  }

  /** The enrollment that holds the id of the peel; undefined when there is none. */
  async currentOf(peel: PeelId): Promise<ReadEnrollment | undefined> {
    const { holder, recordRevision } = await this.holderOf(peel);
    return holder.is === 'record' ? { record: holder.record, revision: recordRevision } : undefined;
  }

  /** Makes `id`, which is nobody else's, the enrollment of the peel, if the index is still what was read. */
  point(peel: PeelId, id: EnrollmentId, indexRevision: number): Promise<boolean> {
    const [key, value] = [enrolledPeelKey(peel), utf8.encoder.encode(id)];
    return this.untilKnown(async () => {
      const { won } = await (indexRevision === 0
        ? this.bucket.create(key, value)
        : this.bucket.update(key, value, indexRevision));
      if (won) return true;
      const there = await this.bucket.getLatest(key);
      return there.found && utf8.decoder.decode(there.value) === id;
    });
  }

  /**
   * Of an id that nobody else has, so what stands under it is this record or what has become of it: between a write whose answer
   * was lost and the next try an operator may have decided.
   */
  async add(record: Enrollment): Promise<Enrollment> {
    const { id, peelId: peel } = record;
    const sealed = this.context.operatorFacts.sealed(record);
    const added = await this.untilKnown(() => this.records.createOrRead(id, sealed));
    if (added.isOurs) return sealed;
    const { there } = added;
    if (there.is === 'unreadable') throw unreadable(id, there.problem);
    if (there.is === 'absent')
      throw zesterError('ENROLL_BUSY', { peel, reason: 'somebody has removed its record at once' });
    return there.value;
  }

  /** False when somebody was faster. Throws where the outcome cannot be known: it may have happened. */
  async change(record: Enrollment, revision: number): Promise<boolean> {
    const sealed = this.context.operatorFacts.sealed(record);
    return (await this.records.update(record.id, sealed, revision)).won;
  }

  private untilKnown<T>(attempt: () => Promise<T>): Promise<T> {
    return untilKnown(this.context.runtime, this.context.life, attempt);
  }

  /** Removes a record that counts no more, and with it the index key that names it. */
  async forget({ record, revision }: ReadEnrollment): Promise<void> {
    const key = enrolledPeelKey(record.peelId);
    const index = await this.bucket.getLatest(key);
    const isNamed = index.found && utf8.decoder.decode(index.value) === record.id;
    const { won } = await this.records.remove(record.id, { revision });
    if (won && isNamed) await this.bucket.remove(key, { revision: index.revision });
  }

  /** Takes the id back from an enrollment that is not to be, first the record: an index key without one frees itself. */
  async withdraw(record: Enrollment): Promise<void> {
    const { holder, indexRevision, recordRevision } = await this.holderOf(record.peelId);
    if (holder.is !== 'record' || holder.record.id !== record.id || holder.record.state !== 'pending') return;
    const { won } = await this.records.remove(record.id, { revision: recordRevision });
    if (won) await this.bucket.remove(enrolledPeelKey(record.peelId), { revision: indexRevision });
  }
}

function unreadable(key: string, problem: string) {
  return zesterError('ENROLL_RECORD_UNREADABLE', { key, problem });
}
