/**
 * Decisions about enrollments, applied by compare-and-set: approve, reject, revoke, tag, and the step to `active`. Each is safe to ask
 * for twice: the second time it is done already and nothing changes. Of two masters that decide at once one wins, and the
 * other reads what was decided before it answers.
 *
 * Revoking begins with the record: from here on every master ignores the peel. The rest is in shut-out.ts; what was not confirmed
 * is a warning in the answer. A peel that never enrolled has no record to begin with: unlisted-peels.ts.
 */
import { changedTags, tagsProblem } from '../../core/enroll/desk/change-tags.ts';
import { entered } from '../../core/enroll/desk/enrollment-changes.ts';
import {
  carriedFrom,
  enrollmentStep,
  isKeyRevoked,
  isLive,
  laterTimes,
} from '../../core/enroll/desk/enrollment-state.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { type EnrollmentId, parseEnrollmentId, parsePeelId } from '../../wire/names/ids.ts';
import type { EnrollAdminRequest, PeelTagRequest } from '../../wire/records/enroll/enroll-admin.ts';
import {
  type Enrollment,
  type EnrollmentState,
  enrollmentCodec,
} from '../../wire/records/enroll/enrollment.ts';
import { FACT_KEYS } from '../../wire/records/facts.ts';
import type { MasterContext } from '../master-context.ts';
import type { EnrollmentEvents } from './enrollment-events.ts';
import type { EnrollmentStore, ReadEnrollment } from './enrollment-store.ts';
import type { ShutOut, ShutOutReport } from './shut-out.ts';
import { hasUnknownKey, type UnlistedPeels } from './unlisted-peels.ts';

/** Each round means that somebody else changed the record in between. */
const ROUNDS_MAX = 8;
/** How often a machine may enroll again while it is being revoked; masters let it do so a few times in a minute. */
const HEIRS_MAX = 32;
const REASON_CHARS_MAX = 500;
const OPERATOR_CHARS_MAX = 200;
const SEALED_OTHERWISE =
  'its facts are sealed under a generation of the fleet key that this master has not heard of';

export interface Decided {
  readonly record: Enrollment;
  /** For people: what is not done everywhere yet; empty: all is. */
  readonly warning: string;
  /** Of a revocation: servers that keep it out, and servers there are. */
  readonly servers?: ShutOutReport['servers'];
  readonly serversKnown?: ShutOutReport['serversKnown'];
}

/** Who approves what, and with which words. */
export interface Approval {
  readonly by: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly facts: WireMap;
  /** In spite of a CA that is not ours, or a peel of that id that never enrolled. */
  readonly force: boolean;
  /** The join token that approves; empty: none does. */
  readonly joinToken: string;
}

export interface DecisionParts {
  readonly context: MasterContext;
  readonly store: EnrollmentStore;
  readonly events: EnrollmentEvents;
  readonly shutOut: ShutOut;
  readonly unlisted: UnlistedPeels;
}

/** The record as it should be; undefined: it is so already. */
type Change = (record: Enrollment) => Enrollment | undefined;

export class Decisions {
  private readonly parts: DecisionParts;

  constructor(parts: DecisionParts) {
    this.parts = parts;
  }

  async approve(request: EnrollAdminRequest): Promise<Decided> {
    const { tags, facts, force } = request;
    const problem = tagsProblem({ tags, facts });
    if (problem !== undefined) throw zesterError('ENROLL_TAGS', { problem });
    const approval = { by: operatorOf(request), tags, facts, force, joinToken: '' };
    return { record: await this.approveAs(idOf(request), approval), warning: '' };
  }

  approveAs(id: EnrollmentId, { by, tags, facts, force, joinToken }: Approval): Promise<Enrollment> {
    return this.decide(id, 'approved', (record) => {
      if (!isStep(record, 'approved')) return undefined;
      if (!force) this.mustBeSafe(record);
      const approved = { ...this.decided(record, 'approved', by), tags, joinToken };
      return this.parts.context.operatorFacts.withFacts(approved, facts);
    });
  }

  async reject(request: EnrollAdminRequest): Promise<Decided> {
    const record = await this.decide(idOf(request), 'rejected', (before) => {
      if (!isStep(before, 'rejected')) return undefined;
      return this.decided(before, 'rejected', operatorOf(request), reasonOf(request));
    });
    return { record, warning: '' };
  }

  async revoke(request: EnrollAdminRequest): Promise<Decided> {
    const { record, warning } =
      request.id === '' ? await this.revokePeel(request) : await this.revokeOne(request);
    // Also of one that was revoked before: who asked then may have died here.
    const report = await this.parts.shutOut.apply(record.peelId);
    const warnings = [warning, report.warning].filter((text) => text !== '');
    return { ...report, record, warning: warnings.join('; ') };
  }

  private async revokeOne(request: EnrollAdminRequest): Promise<Decided> {
    return { record: await this.revokeRecords(request), warning: '' };
  }

  /** By the name of the peel: its enrollment, or what is known of one that never enrolled. */
  private async revokePeel(request: EnrollAdminRequest): Promise<Decided> {
    const { unlisted, store } = this.parts;
    const peel = parsePeelId(request.peelId);
    if (peel === undefined) return this.revokeOne(request);
    const current = await store.currentOf(peel);
    if (current !== undefined && isLive(current.record.state))
      return this.revokeOne({ ...request, id: current.record.id });
    return unlisted.revoke({ peel, by: operatorOf(request), reason: reasonOf(request) });
  }

  /** The machine may enroll again at any moment of this: what it has from the approval that is taken back goes too. */
  private async revokeRecords(request: EnrollAdminRequest): Promise<Enrollment> {
    const record = await this.revokeRecord(request);
    let last = record;
    for (let count = 0; count < HEIRS_MAX; count++) {
      const { record: current } = (await this.parts.store.currentOf(record.peelId)) ?? {};
      if (current === undefined || !isLive(current.state) || !isHeir(current, last)) return record;
      last = await this.revokeRecord({ ...request, id: current.id });
    }
    throw zesterError('ENROLL_BUSY', {
      peel: record.peelId,
      reason: 'its machine enrolls again all the time, and the last one is not revoked',
    });
  }

  private async revokeRecord(request: EnrollAdminRequest): Promise<Enrollment> {
    await this.endForerunner(idOf(request));
    const revoked: Change = (before) =>
      isStep(before, 'revoked')
        ? this.decided(before, 'revoked', operatorOf(request), reasonOf(request))
        : undefined;
    // Also of one whose machine has just enrolled again: it is the heir that must not get away.
    return this.decide(idOf(request), 'revoked', revoked, () => Promise.resolve());
  }

  /** Changes what operators say of a peel. */
  async tag({ peelId, operator, ...change }: PeelTagRequest): Promise<Decided> {
    const { store } = this.parts;
    const { operatorFacts } = this.parts.context;
    const current = await store.currentOf(peelId);
    if (current === undefined) throw zesterError('ENROLL_NOT_ENROLLED', { peel: peelId });
    // What was said of the one before comes first; it must not come after this.
    await this.endForerunner(current.record.id);
    const tagged: Change = (before) => {
      if (!isLive(before.state)) throw zesterError('ENROLL_NOT_ENROLLED', { peel: peelId });
      const facts = operatorFacts.of(before);
      if (facts === undefined) throw zesterError('ENROLL_BUSY', { peel: peelId, reason: SEALED_OTHERWISE });
      const said = changedTags({ tags: before.tags, facts }, change);
      if (typeof said === 'string') throw zesterError('ENROLL_TAGS', { problem: said });
      const after = operatorFacts.withFacts({ ...before, tags: said.tags }, said.facts);
      return areSame(before, after) ? undefined : { ...after, updatedAt: this.parts.context.now() };
    };
    const record = await this.change(current.record.id, tagged, (read) => this.mustBeCurrent(read));
    this.log.info('peel tagged', { peel: peelId, by: operatorOf({ operator }) });
    return { record, warning: '' };
  }

  /** The peel has shown itself with its credentials: its facts carry the curve key of the enrollment. */
  async activate(id: EnrollmentId): Promise<void> {
    await this.decide(id, 'active', (record) =>
      record.state === 'issued' ? entered(record, 'active', { at: this.parts.context.now() }) : undefined,
    );
  }

  /**
   * Ends the enrollment whose place `heir`, of the same key, has taken. If that one was revoked meanwhile, the approval that the heir
   * has from it is gone too: then the heir is revoked, and this throws.
   */
  async supersede(id: EnrollmentId, heir: Enrollment): Promise<void> {
    const old = await this.handOver(id, heir.id);
    if (!isKeyRevoked(old)) return;
    const { decidedBy: operator, rejectReason: reason } = old;
    await this.revoke({ id: heir.id, peelId: '', operator, reason, force: false, tags: {}, facts: {} });
    throw zesterError('ENROLL_NOT_APPROVED', { id: heir.id, state: 'revoked' });
  }

  /**
   * Ends the enrollment whose approval this one has, if a master died before it did: when this one is revoked, or another takes its
   * place, nobody would know any more.
   */
  async endForerunner(id: EnrollmentId): Promise<void> {
    const { store } = this.parts;
    const found = await store.find(id);
    const from = found === undefined ? undefined : carriedFrom(found.record);
    if (from === undefined || (await store.find(from)) === undefined) return;
    await this.handOver(from, id);
  }

  /**
   * Ends an enrollment in favour of its heir, which gets what operators said of it up to then, and the times of its credentials, which are
   * of the same key. The heir has both before the old one ends, and nobody changes the heir's before that.
   */
  private handOver(id: EnrollmentId, to: EnrollmentId): Promise<Enrollment> {
    const inherit = async ({ record: old }: ReadEnrollment) => {
      await this.change(to, (heir) => {
        if (!isLive(heir.state)) return undefined;
        const { tags, facts, sealedFacts } = old;
        const after = { ...heir, tags, facts, sealedFacts, ...laterTimes(heir, old) };
        return areSame(heir, after) ? undefined : after;
      });
    };
    return this.change(id, (record) => this.superseded(record, to), inherit);
  }

  private async decide(
    id: EnrollmentId,
    state: EnrollmentState,
    change: Change,
    check: (read: ReadEnrollment) => Promise<void> = (read) => this.mustBeCurrent(read),
  ): Promise<Enrollment> {
    let isOurs = false;
    const record = await this.change(
      id,
      (before) => {
        const after = change(before);
        isOurs = after !== undefined;
        return after;
      },
      check,
    );
    if (!isOurs) return record;
    this.log.info(`enrollment ${state}`, { id, peel: record.peelId, by: record.decidedBy });
    this.parts.events.tell(record, state);
    return record;
  }

  private async change(
    id: EnrollmentId,
    change: Change,
    check: (read: ReadEnrollment) => Promise<void> = () => Promise.resolve(),
  ): Promise<Enrollment> {
    const { store } = this.parts;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const read = await store.get(id);
      const wanted = change(read.record);
      if (wanted === undefined) return read.record;
      await check(read);
      if (await store.change(wanted, read.revision)) return wanted;
    }
    throw zesterError('ENROLL_BUSY', { peel: id, reason: 'it is changed by others all the time' });
  }

  /** A record that the index does not name is history, whatever it says. */
  private async mustBeCurrent({ record }: ReadEnrollment): Promise<void> {
    const { id, peelId: peel } = record;
    const current = await this.parts.store.currentOf(peel);
    if (current?.record.id === id) return;
    throw zesterError('ENROLL_SUPERSEDED', { id, peel, current: current?.record.id ?? 'none' });
  }

  /** Without force: nobody may stand in between, and no other machine may go by this id. */
  private mustBeSafe({ peelId: peel, trustMismatch, trustedCaSpki: seen, curvePublicKey }: Enrollment): void {
    const { context } = this.parts;
    if (trustMismatch)
      throw zesterError('ENROLL_TRUST_MISMATCH', { peel, seen, own: context.issuer.caPin ?? 'none' });
    const told = context.facts.index.facts(peel)?.[FACT_KEYS.curvePublicKey];
    if (typeof told === 'string' && told !== curvePublicKey)
      throw zesterError('ENROLL_OTHER_MACHINE', { peel, why: 'its facts have another key than the request' });
    if (hasUnknownKey(context.enrollments.view.revokedOf(peel)))
      throw zesterError('ENROLL_OTHER_MACHINE', {
        peel,
        why: 'it was revoked, but its key is not known yet',
      });
  }

  private superseded(record: Enrollment, by: EnrollmentId): Enrollment | undefined {
    if (!isLive(record.state)) return undefined;
    return { ...this.decided(record, 'revoked', `superseded by ${by}`), supersededBy: by };
  }

  private decided(record: Enrollment, state: EnrollmentState, by: string, reason = ''): Enrollment {
    const at = this.parts.context.now();
    return {
      ...entered(record, state, { at, by, reason }),
      decidedBy: by,
      decidedAt: at,
      rejectReason: reason,
    };
  }

  private get log() {
    return this.parts.context.runtime.log;
  }
}

/** Whether it is to be taken; false: it is done already. */
function isStep({ id, peelId: peel, state }: Enrollment, wanted: EnrollmentState): boolean {
  const step = enrollmentStep(state, wanted);
  if (step === 'refused') throw zesterError('ENROLL_STATE', { id, peel, state, wanted });
  return step === 'take';
}

/** Whether what `current` has is from the approval of `ended`, which is of the same peel: by any number of steps. */
function isHeir(current: Enrollment, ended: Enrollment): boolean {
  if (current.publicKey !== ended.publicKey) return false;
  return carriedFrom(current) === ended.id || ended.supersededBy !== '';
}

function idOf({ id: text }: EnrollAdminRequest): EnrollmentId {
  const id = parseEnrollmentId(text);
  if (id === undefined) throw zesterError('ENROLL_UNKNOWN', { id: printableLine(text, OPERATOR_CHARS_MAX) });
  return id;
}

const operatorOf = ({ operator }: Pick<EnrollAdminRequest, 'operator'>) =>
  printableLine(operator, OPERATOR_CHARS_MAX);
const reasonOf = ({ reason }: EnrollAdminRequest) => printableLine(reason, REASON_CHARS_MAX);

function areSame(a: Enrollment, b: Enrollment): boolean {
  return Buffer.compare(enrollmentCodec.encode(a), enrollmentCodec.encode(b)) === 0;
}
