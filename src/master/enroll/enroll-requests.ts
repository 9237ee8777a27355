/**
 * `EnrollRequests` takes requests to join. What becomes of one is decided in core/enroll/desk/judge-request.ts; here it is written, in
 * an order that a death after any write leaves the id with one key or with nobody:
 *
 *   new         index key, then the record. Dying in between: the index key frees itself after a while.
 *   same        nothing: the answer is the record that is there.
 *   displace    the request that waits is rejected, by compare-and-set, so that an operator who approves it at the same moment
 *               wins or is told; then it is `new`.
 *   supersede   the new record, already approved; then the index key, which is the commit; then the old record. Dying before
 *               the commit leaves a record without effect, after it one that the next step of the machine ends.
 *
 * A join token is looked at before anything is written and counted when there is an enrollment to count. A token that others used up
 * in between leaves nothing behind. Whether the id or the key was revoked is asked again right before the token approves, when memory
 * has caught up with the record of the request: no revocation that was written before it is missed.
 *
 * Bounds: `PENDING_MAX` that wait for a decision, of which one network has `PENDING_OF_NETWORK_MAX`: of strangers, what a token approves
 * does not wait. A peel takes its own place `AGAIN` often, and is told to come back beyond that.
 */
import { clientNetwork } from '../../core/enroll/desk/client-network.ts';
import { entered } from '../../core/enroll/desk/enrollment-changes.ts';
import { carriedOver, isLive } from '../../core/enroll/desk/enrollment-state.ts';
import { parseTokenText, shutOutProblem } from '../../core/enroll/desk/join-token-rules.ts';
import { judgeRequest, mismatchNoted } from '../../core/enroll/desk/judge-request.ts';
import type { EnrollRequest } from '../../core/enroll/desk/read-request.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { LruMap } from '../../core/lru-map.ts';
import { RateBudget } from '../../core/rate-budget.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { enrollAdminRequestCodec } from '../../wire/records/enroll/enroll-admin.ts';
import type { Enrollment, EnrollmentState } from '../../wire/records/enroll/enrollment.ts';
import type { MasterContext } from '../master-context.ts';
import type { Challenges } from './challenges.ts';
import type { Decisions } from './decisions.ts';
import type { EnrollmentEvents } from './enrollment-events.ts';
import type { EnrollmentStore, ReadHolder } from './enrollment-store.ts';
import type { JoinTokens } from './join-tokens.ts';

const PENDING_MAX = 10_000;
const PENDING_OF_NETWORK_MAX = 2_500;
const AGAIN = { burst: 5, perSecond: 1 / 60 };
const PEELS_MAX = 4_096;
/** Each round means that another request for the same id was faster. */
const ROUNDS_MAX = 8;
const DECIDED_MEANWHILE: readonly string[] = ['ENROLL_STATE', 'ENROLL_SUPERSEDED', 'ENROLL_UNKNOWN'];

export interface Submitted {
  readonly record: Enrollment;
  /** As against the same request that was there before. */
  readonly isNew: boolean;
  /** For people: why it waits although it came with a token. */
  readonly note?: string;
}

export interface EnrollRequestParts {
  readonly context: MasterContext;
  readonly store: EnrollmentStore;
  readonly challenges: Challenges;
  readonly tokens: JoinTokens;
  readonly decisions: Decisions;
  readonly events: EnrollmentEvents;
}

/** What an enrollment has of the request itself. */
type Asked = Omit<Enrollment, 'id' | 'state' | 'createdAt' | 'updatedAt' | 'decidedBy' | 'decidedAt'>;

export class EnrollRequests {
  private readonly parts: EnrollRequestParts;
  private readonly again = new LruMap<PeelId, RateBudget>(PEELS_MAX);

  constructor(parts: EnrollRequestParts) {
    this.parts = parts;
  }

  async submit(request: EnrollRequest, remoteAddress: string): Promise<Submitted> {
    await this.parts.challenges.answer(request);
    const asked = this.askedFor(request, remoteAddress);
    if (asked.trustMismatch) await this.noteMismatch(asked);
    const byToken = request.token !== undefined && (await this.mayUseToken(request.token, asked));
    const submitted = await this.place(asked, byToken);
    const { record } = submitted;
    if (record.state !== 'pending') return submitted;
    const note = request.token === undefined ? undefined : await this.whyNoToken(record);
    if (request.token !== undefined && note === undefined)
      return { ...submitted, record: await this.approveByToken(request.token, record) };
    if (submitted.isNew) this.parts.events.tell(record, 'pending');
    return note === undefined ? submitted : { ...submitted, note };
  }

  private async place(asked: Asked, byToken: boolean): Promise<Submitted> {
    const { store, context } = this.parts;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const read = await store.holderOf(asked.peelId);
      const { holder } = read;
      const verdict = judgeRequest(holder, asked, byToken ? { now: context.now() } : undefined);
      if (verdict === 'wait') throw busy(asked, 'another master has just begun with it');
      if (verdict === 'conflict' && holder.is === 'record')
        throw zesterError('ENROLL_ID_TAKEN', { peel: asked.peelId, state: holder.record.state });
      if (verdict === 'same' && holder.is === 'record') {
        if (holder.record.state !== 'pending') this.mustSeeOurCa(asked);
        return { record: holder.record, isNew: false };
      }
      if (verdict === 'displace' && holder.is === 'record') {
        await this.displace(holder.record.id, asked);
        continue;
      }
      const record =
        verdict === 'supersede' && holder.is === 'record'
          ? await this.addHeir(asked, holder.record, read)
          : await this.addNew(asked, read, byToken);
      if (record !== undefined) return { record, isNew: true };
    }
    throw busy(asked, 'others ask for the same id all the time');
  }

  /** Undefined when somebody else was faster. */
  private async addNew(
    asked: Asked,
    { indexRevision }: ReadHolder,
    byToken: boolean,
  ): Promise<Enrollment | undefined> {
    const { store, context } = this.parts;
    if (!byToken) this.mustHaveRoom(asked);
    const record = this.recordOf(asked, 'pending');
    const { id, peelId: peel, remoteAddress: from } = record;
    if (!(await store.point(peel, id, indexRevision))) return undefined;
    const added = await store.add(record);
    context.runtime.log.info('a machine asks to join', { id, peel, from });
    return added;
  }

  private async addHeir(
    asked: Asked,
    old: Enrollment,
    { indexRevision }: ReadHolder,
  ): Promise<Enrollment | undefined> {
    const { store, decisions, events, context } = this.parts;
    this.mustSeeOurCa(asked);
    const budget = this.again.getOrMake(asked.peelId, () => new RateBudget(AGAIN));
    if (!budget.take(context.runtime.clock.monotonicMs()))
      throw busy(asked, 'it has enrolled again just now');
    const { tags, facts, sealedFacts, joinToken, issuedAt, expiresAt } = old;
    const given = { ...asked, tags, facts, sealedFacts, joinToken, issuedAt, expiresAt };
    const heir = this.recordOf(given, 'approved', carriedOver(old.id));
    await store.add(heir);
    if (!(await store.point(asked.peelId, heir.id, indexRevision))) {
      await store.records.remove(heir.id);
      return undefined;
    }
    await decisions.endForerunner(old.id);
    await decisions.supersede(old.id, heir);
    context.runtime.log.info('a peel enrolled again with its key', {
      id: heir.id,
      peel: heir.peelId,
      before: old.id,
    });
    events.tell(heir, 'approved');
    return heir;
  }

  /** Turns a request away that waits for the same id. One that was decided about meanwhile is looked at again. */
  private async displace(id: EnrollmentId, { joinToken }: Asked): Promise<void> {
    const reason = 'a machine with a join token has asked for the same id';
    const request = enrollAdminRequestCodec.create({ id, operator: `token:${joinToken}`, reason });
    try {
      await this.parts.decisions.reject(request);
    } catch (error) {
      if (!isZesterError(error) || !DECIDED_MEANWHILE.includes(error.code)) throw error;
    }
  }

  /** What waits for a decision says what its machine says: an operator must not approve by an older word. */
  private async noteMismatch(asked: Asked): Promise<void> {
    const { store, context } = this.parts;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const current = await store.currentOf(asked.peelId);
      const noted = current === undefined ? undefined : mismatchNoted(current.record, asked);
      if (current === undefined || noted === undefined) return;
      if (!(await store.change(noted, current.revision))) continue;
      const { id, peelId: peel } = noted;
      context.runtime.log.warn('a machine that waits sees another CA now', { id, peel });
      return;
    }
    throw busy(asked, 'it is changed by others all the time');
  }

  /** An approval is not carried over to a machine that somebody may stand in front of. */
  private mustSeeOurCa({ peelId: peel, trustMismatch, trustedCaSpki: seen }: Asked): void {
    const { caPin: own = 'none' } = this.parts.context.issuer;
    if (trustMismatch) throw zesterError('ENROLL_TRUST_MISMATCH', { peel, seen, own });
  }

  /**
   * Whether the token would approve this; throws when it is no good for it. A machine that is a peel already, with this key, needs
   * none, and one that was shut out waits for an operator.
   */
  private async mayUseToken(token: string, asked: Asked): Promise<boolean> {
    const { context, tokens, store } = this.parts;
    const { peelId: peel, trustChecked, trustMismatch, trustedCaSpki: seen } = asked;
    const { holder } = await store.holderOf(peel);
    const verdict = judgeRequest(holder, asked);
    const own = holder.is === 'record' && (verdict === 'same' || verdict === 'supersede') && holder.record;
    if (own && isLive(own.state)) return false;
    await tokens.check(token, peel, own ? own.id : undefined);
    const { caPin: pin } = context.issuer;
    if (pin !== undefined && !trustChecked) throw zesterError('ENROLL_TRUST_REQUIRED', {});
    if (pin !== undefined && trustMismatch)
      throw zesterError('ENROLL_TRUST_MISMATCH', { peel, seen, own: pin });
    return this.revokedBefore(asked) === undefined;
  }

  /** Why the token that a request came with does not approve it; undefined: it may. */
  private async whyNoToken(record: Enrollment): Promise<string | undefined> {
    const { enrollments, runtime } = this.parts.context;
    await enrollments.caughtUpWith(record);
    const problem = this.revokedBefore(record);
    if (problem !== undefined) {
      const { id, peelId: peel, joinToken: token } = record;
      runtime.log.warn('a machine that was shut out came back with a join token', { id, peel, token });
    }
    return problem;
  }

  /** By what is in memory. */
  private revokedBefore({ peelId, publicKey }: Asked): string | undefined {
    const { view } = this.parts.context.enrollments;
    return shutOutProblem(peelId, {
      isIdRevoked: view.revokedOf(peelId).length > 0,
      isKeyRevoked: view.wasKeyRevoked(publicKey),
    });
  }

  private async approveByToken(text: string, record: Enrollment): Promise<Enrollment> {
    const { tokens, decisions, store } = this.parts;
    try {
      const { id, tags } = await tokens.use(text, record.peelId, record.id);
      const approval = { by: `token:${id}`, tags, facts: {}, force: false, joinToken: id };
      return await decisions.approveAs(record.id, approval);
    } catch (error) {
      // The token said no after all: then nobody is asked to decide because of it.
      const isRefused = isZesterError(error) && error.code.startsWith('ENROLL_TOKEN');
      if (isRefused && record.joinToken === parseTokenText(text)?.id) await store.withdraw(record);
      throw error;
    }
  }

  private mustHaveRoom({ remoteAddress }: Asked): void {
    const { view } = this.parts.context.enrollments;
    const count = view.countOf('pending');
    if (count >= PENDING_MAX) throw zesterError('ENROLL_PENDING_FULL', { count, where: '' });
    const network = clientNetwork(remoteAddress);
    const own = view.waitingFrom(network);
    if (own >= PENDING_OF_NETWORK_MAX)
      throw zesterError('ENROLL_PENDING_FULL', { count: own, where: ` from ${network}` });
  }

  private askedFor(request: EnrollRequest, remoteAddress: string): Asked {
    const { peelId, publicKey, curvePublicKey, hostname, metadata, trust, token = '' } = request;
    const { caPin } = this.parts.context.issuer;
    const trustChecked = trust !== undefined && caPin !== undefined;
    return {
      ...NOTHING_YET,
      peelId,
      publicKey,
      curvePublicKey,
      hostname,
      metadata,
      remoteAddress,
      trustedCaSpki: trust?.pin ?? '',
      trustChecked,
      trustMismatch: trustChecked && trust.pin !== caPin,
      joinToken: parseTokenText(token)?.id ?? '',
    };
  }

  /** `by`: who decided about it already. */
  private recordOf(asked: Asked, state: EnrollmentState, by = ''): Enrollment {
    const { clock, random } = this.parts.context.runtime;
    const at = this.parts.context.now();
    const id = `enr-${newKsuid(clock, random)}` as EnrollmentId;
    const decided = { decidedBy: by, decidedAt: by === '' ? undefined : at };
    return entered({ ...asked, ...decided, id, state, createdAt: at, updatedAt: at }, state, { at, by });
  }
}

const NOTHING_YET = {
  rejectReason: '',
  issuedAt: undefined,
  expiresAt: undefined,
  tags: {},
  facts: {},
  sealedFacts: {},
  supersededBy: '',
  changes: [],
};

function busy({ peelId: peel }: Asked, reason: string) {
  return zesterError('ENROLL_BUSY', { peel, reason });
}
