/**
 * `PeelCredentials` mints the JWTs of peels, with the agents key (master/keys/agents-key-book.ts): the first one at enrollment, later ones over the bus
 * before it expires. The seed stays with the peel; what is made here is worth nothing without it.
 *
 * The first one is handed out once: the record says `issued` before the answer is sent. If that answer is lost, or we die before it,
 * the machine enrolls again with the same key. Renewing twice gives two JWTs of the same key, and both are good. The record has the
 * time of the newest one before it is handed out, because a revocation counts from there. Bound: `RENEWALS` of one peel at one
 * master; beyond: ENROLL_BUSY, before anything is read or written.
 */
import { entered } from '../../core/enroll/desk/enrollment-changes.ts';
import { carriedFrom, isKeyRevoked, isLive, laterTimes } from '../../core/enroll/desk/enrollment-state.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { LruMap } from '../../core/lru-map.ts';
import { RateBudget } from '../../core/rate-budget.ts';
import { mintPeelUser } from '../../trust/accounts/users.ts';
import { isPublicKey, verifyWithPublicKey } from '../../trust/nkeys.ts';
import { msFromNanos, NANOS_PER_SECOND, nanosFromMs, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { enrollCredsBytes } from '../../wire/records/enroll/enroll-http.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import type { MasterContext } from '../master-context.ts';
import type { Decisions } from './decisions.ts';
import type { EnrollmentEvents } from './enrollment-events.ts';
import type { EnrollmentStore } from './enrollment-store.ts';

const ROUNDS_MAX = 4;
/** A peel renews some weeks before the end; what asks more often is broken or hostile, and must not keep others waiting. */
const RENEWALS = { burst: 5, perSecond: 1 / 60 };
const PEELS_MAX = 4_096;

interface Minted {
  readonly jwt: string;
  readonly issuedAt: UnixNanos;
  readonly expiresAt: UnixNanos;
}

export interface IssuedCredentials {
  readonly peelId: PeelId;
  /** The user JWT. */
  readonly jwt: string;
  readonly expiresAt: UnixNanos;
}

/** Who asks for the credentials, and its signature for the id of the enrollment. */
export interface CredentialsProof {
  readonly publicKey: string;
  readonly signature: Uint8Array;
}

export interface CredentialsParts {
  readonly context: MasterContext;
  readonly store: EnrollmentStore;
  readonly decisions: Decisions;
  readonly events: EnrollmentEvents;
}

export class PeelCredentials {
  private readonly parts: CredentialsParts;
  private readonly renewals = new LruMap<PeelId, RateBudget>(PEELS_MAX);

  constructor(parts: CredentialsParts) {
    this.parts = parts;
  }

  async issue(id: EnrollmentId, { publicKey, signature }: CredentialsProof): Promise<IssuedCredentials> {
    const { store, events, context } = this.parts;
    const isSigned =
      isPublicKey(publicKey, 'user') &&
      verifyWithPublicKey(publicKey, 'user', enrollCredsBytes(id), signature);
    if (!isSigned) throw zesterError('ENROLL_SIGNATURE', { what: 'the id is not signed by the key' });
    const { record, revision } = await store.get(id);
    if (record.publicKey !== publicKey)
      throw zesterError('ENROLL_SIGNATURE', { what: 'the key is not that of the enrollment' });
    const { state, peelId: peel } = record;
    if (state === 'issued' || state === 'active') throw zesterError('ENROLL_ALREADY_ISSUED', { id });
    if (state !== 'approved') throw zesterError('ENROLL_NOT_APPROVED', { id, state });
    const current = await store.currentOf(peel);
    if (current?.record.id !== id)
      throw zesterError('ENROLL_SUPERSEDED', { id, peel, current: current?.record.id ?? 'none' });
    // Of a master that died when it had the new enrollment, and the old one not yet ended.
    const from = carriedFrom(record);
    if (from !== undefined) await this.parts.decisions.supersede(from, record);
    // By now it has what the old one had.
    const approved = from === undefined ? { record, revision } : await store.get(id);
    if (approved.record.state !== 'approved') throw zesterError('ENROLL_ALREADY_ISSUED', { id });
    const { jwt, expiresAt, ...times } = this.mint(approved.record);
    const issued: Enrollment = {
      ...entered(approved.record, 'issued', { at: context.now() }),
      ...laterTimes(approved.record, { expiresAt, ...times }),
    };
    if (!(await store.change(issued, approved.revision))) throw zesterError('ENROLL_ALREADY_ISSUED', { id });
    context.runtime.log.info('credentials issued', { id, peel });
    events.tell(issued, 'issued');
    return { peelId: peel, jwt, expiresAt };
  }

  /** `peel` is who asks, by the word of the server. */
  async renew(peel: PeelId, publicKey: string): Promise<IssuedCredentials> {
    const { store, context } = this.parts;
    const budget = this.renewals.getOrMake(peel, () => new RateBudget(RENEWALS));
    if (!budget.take(context.runtime.clock.monotonicMs()))
      throw zesterError('ENROLL_BUSY', { peel, reason: 'its credentials were renewed just now' });
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const current = await store.currentOf(peel);
      if (current === undefined) throw zesterError('ENROLL_NOT_ENROLLED', { peel });
      const { record, revision } = current;
      if (!isLive(record.state))
        throw zesterError('ENROLL_OTHER_KEY', { peel, problem: `its enrollment is ${record.state}` });
      if (record.publicKey !== publicKey)
        throw zesterError('ENROLL_OTHER_KEY', { peel, problem: 'its enrollment has another key' });
      const { jwt, expiresAt, ...times } = this.mint(record);
      const renewed = { ...record, updatedAt: context.now(), ...laterTimes(record, { expiresAt, ...times }) };
      if (!(await store.change(renewed, revision))) continue;
      context.runtime.log.info('credentials renewed', { id: record.id, peel });
      return { peelId: peel, jwt, expiresAt };
    }
    throw zesterError('ENROLL_BUSY', { peel, reason: 'its record is changed by others all the time' });
  }

  private mint(record: Enrollment): Minted {
    const { issuer, agentsKeys } = this.parts.context;
    const { agentsAccount } = issuer;
    const { peelId, publicKey: userPublicKey } = record;
    const issuedAt = this.issueTime(record);
    const expiresAt = issuedAt + nanosFromMs(this.parts.context.settings.peelCredsValidMs);
    const [nowMs, expiresAtMs] = [msFromNanos(issuedAt), msFromNanos(expiresAt)];
    return {
      jwt: mintPeelUser(agentsKeys.signer(), { agentsAccount, peelId, userPublicKey, nowMs, expiresAtMs }),
      issuedAt,
      expiresAt,
    };
  }

  /** Servers go by whole seconds: what is issued in the second in which the same key was revoked would be revoked too. */
  private issueTime({ publicKey, peelId }: Enrollment): UnixNanos {
    let time = this.parts.context.now();
    for (const other of this.parts.context.enrollments.view.revokedOf(peelId)) {
      if (!isKeyRevoked(other) || other.publicKey !== publicKey) continue;
      for (const revokedAt of [other.decidedAt ?? 0n, other.issuedAt ?? 0n]) {
        const after = (revokedAt / NANOS_PER_SECOND + 1n) * NANOS_PER_SECOND;
        if (after > time) time = after;
      }
    }
    return time;
  }
}
