/**
 * The revocation tables are what this master has read of who must be shut out: revoked enrollments and bans. It reads for itself
 * what was written since it last looked, by the word of the leader, so that whoever has just written a revocation and then asks for
 * it to take effect is not overtaken.
 *
 * A revoked enrollment without a key is of a peel whose key nobody knows (master/enroll/unlisted-peels.ts): there is nothing to shut out yet.
 * A record that cannot be understood counts as nothing new: what was known of it stays. A revocation whose record was
 * deleted stays, too; a ban that was deleted is over. Bound: one entry for each revoked enrollment.
 */
import type { RevocationTablesRead } from '../../accounts/next-docs.ts';
import { openTable } from '../../bus/kv/table.ts';
import type { BannedKey, RevokedEnrollment } from '../../core/accounts/desired-revocations.ts';
import { msFromNanos, type UnixNanos } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { EnrollmentId } from '../../wire/names/ids.ts';
import { kvStreamName } from '../../wire/names/store-subjects.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';

const MS_PER_SECOND = 1_000;

export class RevocationTables {
  private readonly context: Pick<MasterContext, 'bus' | 'agreedTime'>;
  private readonly revoked = new Map<EnrollmentId, RevokedEnrollment>();
  /** Everything up to this revision of bucket enrollments is known. */
  private seen = 0;

  constructor(context: Pick<MasterContext, 'bus' | 'agreedTime'>) {
    this.context = context;
  }

  async read(): Promise<RevocationTablesRead> {
    const [bans, { nowMs, isAgreed }] = await Promise.all([
      this.readBans(),
      this.context.agreedTime.now(),
      this.readEnrollments(),
    ]);
    const nowS = Math.floor(nowMs / MS_PER_SECOND);
    return { revoked: [...this.revoked.values()], bans, nowS, mayForget: isAgreed };
  }

  private async readEnrollments(): Promise<void> {
    const { bus } = this.context;
    const { lastSequence } = await bus.stream(kvStreamName(BUCKETS.enrollments.name)).state();
    // A store that has gone back counts from lower again.
    if (lastSequence < this.seen) this.seen = 0;
    if (lastSequence === this.seen) return;
    const before = this.seen;
    await openTable(bus, TABLES.enrollments).byLastWrite((entry) => {
      if (entry.revision <= before) return false;
      if (entry.is === 'found') this.note(entry.value);
      return true;
    });
    this.seen = lastSequence;
  }

  private async readBans(): Promise<BannedKey[]> {
    const entries = await openTable(this.context.bus, TABLES.floodBans).entries();
    return entries.flatMap((entry) =>
      entry.is === 'found'
        ? [{ publicKey: entry.value.publicKey, untilS: Math.ceil(secondsOf(entry.value.until)) }]
        : [],
    );
  }

  private note(enrollment: Enrollment): void {
    const { id, state, supersededBy, publicKey, decidedAt, issuedAt, updatedAt } = enrollment;
    if (state !== 'revoked' || supersededBy !== '' || publicKey === '') this.revoked.delete(id);
    else
      this.revoked.set(id, {
        publicKey,
        decidedAtS: Math.floor(secondsOf(decidedAt ?? updatedAt)),
        issuedAtS: issuedAt === undefined ? 0 : Math.floor(secondsOf(issuedAt)),
      });
  }
}

function secondsOf(time: UnixNanos): number {
  return msFromNanos(time) / MS_PER_SECOND;
}
