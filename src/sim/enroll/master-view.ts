/**
 * A master view is what one life of a master has been told of enrollments, message by message: masters act on what they have heard,
 * and what they must ignore is judged by that. Somebody who is told late is not wrong; who acts against what he was told is.
 */
import type { RawMessage } from '../../bus/connection.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { KV_OPERATION_HEADER } from '../../wire/names/headers.ts';
import { type EnrollmentId, type PeelId, parseEnrollmentId } from '../../wire/names/ids.ts';
import { parseEnrolledPeelKey } from '../../wire/names/keys.ts';
import { parseKvSubject } from '../../wire/names/store-subjects.ts';
import { type Enrollment, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';

export class MasterView {
  private readonly nowMs: () => number;
  private readonly records = new Map<EnrollmentId, Enrollment>();
  private readonly index = new Map<PeelId, EnrollmentId>();
  private readonly shutSinceMs = new Map<PeelId, number>();

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  heard({ subject, data, headers }: Pick<RawMessage, 'subject' | 'data' | 'headers'>): void {
    const kv = parseKvSubject(subject);
    if (kv?.bucket !== BUCKETS.enrollments.name) return;
    const isGone = headers.has(KV_OPERATION_HEADER);
    const peel = parseEnrolledPeelKey(kv.key);
    const id = parseEnrollmentId(kv.key);
    if (peel !== undefined) {
      const named = isGone ? undefined : parseEnrollmentId(Buffer.from(data).toString());
      if (named === undefined) this.index.delete(peel);
      else this.index.set(peel, named);
      this.look(peel);
    } else if (id !== undefined) {
      const record = isGone ? this.records.get(id) : enrollmentCodec.decode(data);
      if (isGone) this.records.delete(id);
      else if (record !== undefined) this.records.set(id, record);
      if (record !== undefined) this.look(record.peelId);
    }
  }

  /** How long it has known that the peel is shut out; 0 when it does not. */
  shutOutMs(peel: PeelId): number {
    const sinceMs = this.shutSinceMs.get(peel);
    return sinceMs === undefined ? 0 : this.nowMs() - sinceMs;
  }

  private look(peel: PeelId): void {
    const current = this.records.get(this.index.get(peel) ?? ('' as EnrollmentId));
    const wasRevoked = [...this.records.values()].some(
      ({ peelId, state, supersededBy }) => peelId === peel && state === 'revoked' && supersededBy === '',
    );
    const isShutOut = wasRevoked && current?.state !== 'issued' && current?.state !== 'active';
    if (!isShutOut) this.shutSinceMs.delete(peel);
    else if (!this.shutSinceMs.has(peel)) this.shutSinceMs.set(peel, this.nowMs());
  }
}
