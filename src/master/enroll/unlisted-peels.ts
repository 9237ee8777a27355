/**
 * Unlisted peels are those without an enrollment: an older version made them, and their credentials are good until they expire. No
 * record says which key they have. Facts do not help: they carry the curve key, from which the user key does not follow, and are the
 * word of the peel. But the servers know whose key each connection has proven, and under which peel id.
 *
 * So a revocation of such a peel writes a record for each key under which it is connected, revoked from the start; from there all
 * goes as with any other. Of one that is not connected the record has no key: masters ignore the peel from then on, and as soon
 * as one of its words is seen, the master that leads finds the key and revokes it too. The same holds for another key under the id
 * of any peel that is shut out.
 *
 * Asked twice, the second time finds what is there. Of two masters that are asked at once both may write a record of the same
 * key, which does no harm. Bound: one record for each key.
 */
import { entered } from '../../core/enroll/desk/enrollment-changes.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { type Enrollment, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import type { MasterContext } from '../master-context.ts';
import type { EnrollmentEvents } from './enrollment-events.ts';
import type { EnrollmentStore } from './enrollment-store.ts';

const KEYS_MAX = 16;

export interface UnlistedRevocation {
  readonly peel: PeelId;
  readonly by: string;
  readonly reason: string;
}

export interface UnlistedParts {
  readonly context: MasterContext;
  readonly store: EnrollmentStore;
  readonly events: EnrollmentEvents;
}

export class UnlistedPeels {
  private readonly parts: UnlistedParts;

  constructor(parts: UnlistedParts) {
    this.parts = parts;
  }

  /** Writes what has to be revoked; the newest record, and what is not known. */
  async revoke(
    asked: UnlistedRevocation,
  ): Promise<{ readonly record: Enrollment; readonly warning: string }> {
    const { context } = this.parts;
    const { peel } = asked;
    const known = context.enrollments.view.revokedOf(peel);
    const added = await this.revokeConnected(asked, known);
    const record = added.at(-1) ?? known.at(-1);
    if (record !== undefined) return { record, warning: keyWarning(record) };
    if (context.facts.index.facts(peel) === undefined) throw zesterError('ENROLL_PEEL_UNKNOWN', { peel });
    const keyless = await this.add(asked, '');
    return { record: keyless, warning: keyWarning(keyless) };
  }

  /** A word of a peel that is shut out was seen: if it has a key that is not revoked, it will be. */
  async cutOff(peel: PeelId): Promise<void> {
    const { context } = this.parts;
    const reason = 'it was revoked, and connected with a key that was not known';
    const known = context.enrollments.view.revokedOf(peel);
    const added = await this.revokeConnected({ peel, by: 'masters', reason }, known);
    if (added.length > 0) await context.accounts.settle();
  }

  private async revokeConnected(
    asked: UnlistedRevocation,
    known: readonly Enrollment[],
  ): Promise<readonly Enrollment[]> {
    const isKnown = (key: string) => known.some(({ publicKey }) => publicKey === key);
    const fresh = (await this.connectedKeys(asked.peel)).filter((key) => !isKnown(key));
    const added: Enrollment[] = [];
    for (const key of fresh.slice(0, KEYS_MAX)) added.push(await this.add(asked, key));
    return added;
  }

  private async connectedKeys(peel: PeelId): Promise<readonly string[]> {
    try {
      return await this.parts.context.accounts.keysOf(peel);
    } catch (error) {
      if (!isZesterError(error)) throw error;
      this.parts.context.runtime.log.warn('who is connected could not be asked', { peel, error });
      return [];
    }
  }

  private async add({ peel, by, reason }: UnlistedRevocation, publicKey: string): Promise<Enrollment> {
    const { context, store, events } = this.parts;
    const { clock, random, log } = context.runtime;
    const id = `enr-${newKsuid(clock, random)}` as EnrollmentId;
    const at = context.now();
    const bare = enrollmentCodec.create({ id, peelId: peel, publicKey, state: 'revoked', createdAt: at });
    const revoked = { ...entered(bare, 'revoked', { at, by, reason }), decidedBy: by, decidedAt: at };
    const record = await store.add({ ...revoked, rejectReason: reason });
    log.info('enrollment revoked', { id, peel, by, key: publicKey });
    events.tell(record, 'revoked');
    return record;
  }
}

/** Whether a peel that is shut out may come back under a key that nobody has seen: none was found since. */
export function hasUnknownKey(revoked: readonly Enrollment[]): boolean {
  return revoked.some(
    (keyless) =>
      keyless.publicKey === '' &&
      !revoked.some(({ publicKey, createdAt }) => publicKey !== '' && createdAt >= keyless.createdAt),
  );
}

function keyWarning({ publicKey }: Enrollment): string {
  return publicKey === ''
    ? 'its key is not known, because it never enrolled and is not connected: NATS lets it in, the masters ignore it, and revoke its key when it shows itself'
    : '';
}
