/**
 * `EnrollRequests` takes requests to join. What becomes of one is decided in core/enroll/desk/judge-request.ts; here it is written, in
 * an order that a death after any write leaves the id with one key or with nobody:
 *
 *   new         index key, then the record. Dying in between: the index key frees itself after a while.
 *   same        nothing: the answer is the record that is there.
 *   supersede   the new record, already approved; then the index key, which is the commit; then the old record. Dying before
 *               the commit leaves a record without effect, after it one that the next step of the machine ends.
 *
 * A join token is looked at before anything is written and counted when there is an enrollment to count. A token that others used up
 * in between leaves nothing behind. Bounds: `PENDING_MAX` that wait for a decision, of which one network has
 * `PENDING_OF_NETWORK_MAX`; a peel takes its own place `AGAIN` often, and is told to come back beyond that.
 */
import { clientNetwork } from '../../core/enroll/desk/client-network.ts';
import { carriedOver, isLive } from '../../core/enroll/desk/enrollment-state.ts';
import { parseTokenText } from '../../core/enroll/desk/join-token-rules.ts';
import { judgeRequest } from '../../core/enroll/desk/judge-request.ts';
import type { EnrollRequest } from '../../core/enroll/desk/read-request.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { LruMap } from '../../core/lru-map.ts';
import { RateBudget } from '../../core/rate-budget.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
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

export interface Submitted {
  readonly record: Enrollment;
  /** As against the same request that was there before. */
  readonly isNew: boolean;
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
type Asked = Omit<Enrollment, 'id' | 'state' | 'createdAt' | 'updatedAt'>;

export class EnrollRequests {
  private readonly parts: EnrollRequestParts;
  private readonly again = new LruMap<PeelId, RateBudget>(PEELS_MAX);

  constructor(parts: EnrollRequestParts) {
    this.parts = parts;
  }

  async submit(request: EnrollRequest, remoteAddress: string): Promise<Submitted> {
    await this.parts.challenges.answer(request);
    const asked = this.askedFor(request, remoteAddress);
    if (request.token !== undefined) await this.mayUseToken(request.token, asked);
    const submitted = await this.place(asked);
    const { record } = submitted;
    if (record.state !== 'pending') return submitted;
    if (request.token !== undefined)
      return { ...submitted, record: await this.approveByToken(request.token, record) };
    this.parts.events.tell(record, 'pending');
    return submitted;
  }

  private async place(asked: Asked): Promise<Submitted> {
    const { store } = this.parts;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const read = await store.holderOf(asked.peelId);
      const { holder } = read;
      const verdict = judgeRequest(holder, asked);
      if (verdict === 'wait') throw busy(asked, 'another master has just begun with it');
      if (verdict === 'conflict' && holder.is === 'record')
        throw zesterError('ENROLL_ID_TAKEN', { peel: asked.peelId, state: holder.record.state });
      if (verdict === 'same' && holder.is === 'record') {
        if (holder.record.state !== 'pending') this.mustSeeOurCa(asked);
        return { record: holder.record, isNew: false };
      }
      const record =
        verdict === 'supersede' && holder.is === 'record'
          ? await this.addHeir(asked, holder.record, read)
          : await this.addNew(asked, read);
      if (record !== undefined) return { record, isNew: true };
    }
    throw busy(asked, 'others ask for the same id all the time');
  }

  /** Undefined when somebody else was faster. */
  private async addNew(asked: Asked, { indexRevision }: ReadHolder): Promise<Enrollment | undefined> {
    const { store, context } = this.parts;
    this.mustHaveRoom(asked);
    const record = this.recordOf(asked);
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
    const now = context.now();
    const heir: Enrollment = {
      ...this.recordOf({ ...asked, tags, facts, sealedFacts, joinToken, issuedAt, expiresAt }),
      state: 'approved',
      decidedBy: carriedOver(old.id),
      decidedAt: now,
    };
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

  /** An approval is not carried over to a machine that somebody may stand in front of. */
  private mustSeeOurCa({ peelId: peel, trustMismatch, trustedCaSpki: seen }: Asked): void {
    const { caPin: own = 'none' } = this.parts.context.issuer;
    if (trustMismatch) throw zesterError('ENROLL_TRUST_MISMATCH', { peel, seen, own });
  }

  /** Throws when the token would not approve this. A machine that is a peel already, with this key, needs none. */
  private async mayUseToken(token: string, asked: Asked): Promise<void> {
    const { context, tokens, store } = this.parts;
    const { peelId: peel, trustChecked, trustMismatch, trustedCaSpki: seen } = asked;
    const { holder } = await store.holderOf(peel);
    if (holder.is === 'record' && isLive(holder.record.state) && judgeRequest(holder, asked) !== 'conflict')
      return;
    await tokens.check(token, peel, holder.is === 'record' ? holder.record.id : undefined);
    const { caPin: own } = context.issuer;
    if (own === undefined) return;
    if (!trustChecked) throw zesterError('ENROLL_TRUST_REQUIRED', {});
    if (trustMismatch) throw zesterError('ENROLL_TRUST_MISMATCH', { peel, seen, own });
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

  private recordOf(asked: Asked): Enrollment {
    const { clock, random } = this.parts.context.runtime;
    const now = this.parts.context.now();
    const id = `enr-${newKsuid(clock, random)}` as EnrollmentId;
    return { ...asked, id, state: 'pending', createdAt: now, updatedAt: now };
  }
}

const NOTHING_YET = {
  decidedBy: '',
  decidedAt: undefined,
  rejectReason: '',
  issuedAt: undefined,
  expiresAt: undefined,
  tags: {},
  facts: {},
  sealedFacts: {},
  supersededBy: '',
};

function busy({ peelId: peel }: Asked, reason: string) {
  return zesterError('ENROLL_BUSY', { peel, reason });
}
