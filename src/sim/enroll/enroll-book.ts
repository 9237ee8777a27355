/**
 * `EnrollBook` knows every enrollment, who holds which peel id, and every join token, by what is stored of them and by what doors
 * answered. It says at once when a promise is broken: an id that is taken from its key, two machines with credentials for one id,
 * a machine that nobody let in, a token that lets in too many, credentials that are handed out twice.
 */
import type { Stored } from '../../bus/memory/memory-jetstream.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { KV_OPERATION_HEADER } from '../../wire/names/headers.ts';
import {
  type ChallengeId,
  type EnrollmentId,
  type JoinTokenId,
  type PeelId,
  parseEnrollmentId,
  parseJoinTokenId,
} from '../../wire/names/ids.ts';
import { parseEnrolledPeelKey } from '../../wire/names/keys.ts';
import { parseKvSubject } from '../../wire/names/store-subjects.ts';
import {
  type Enrollment,
  type EnrollmentState,
  enrollmentCodec,
} from '../../wire/records/enroll/enrollment.ts';
import { type JoinToken, joinTokenCodec } from '../../wire/records/enroll/join-token.ts';

export interface EnrollBookParts {
  readonly nowMs: () => number;
  readonly broke: (rule: string, text: string) => void;
}

/** What may follow, as the specification draws it. */
const NEXT: Readonly<Record<EnrollmentState, readonly EnrollmentState[]>> = {
  pending: ['approved', 'rejected'],
  approved: ['issued', 'revoked'],
  issued: ['active', 'revoked'],
  active: ['revoked'],
  rejected: [],
  revoked: [],
};
const FREE: readonly EnrollmentState[] = ['rejected', 'revoked'];
const HOLDS: readonly EnrollmentState[] = ['issued', 'active'];
const CARRIED = 'carried over from ';
const BY_TOKEN = 'token:';

export class EnrollBook {
  readonly records = new Map<EnrollmentId, Enrollment>();
  readonly index = new Map<PeelId, EnrollmentId>();
  readonly tokens = new Map<JoinTokenId, JoinToken>();
  readonly counts = { joined: 0, revoked: 0 };
  private readonly parts: EnrollBookParts;
  /** An operator asked for it. */
  private readonly approvals = new Set<EnrollmentId>();
  private readonly letIn = new Map<JoinTokenId, Set<EnrollmentId>>();
  private readonly handed = new Set<EnrollmentId>();
  private readonly answered = new Set<ChallengeId>();
  private readonly changedMs = new Map<PeelId, number>();
  private hasForgotten = false;

  constructor(parts: EnrollBookParts) {
    this.parts = parts;
  }

  get forgotten(): boolean {
    return this.hasForgotten;
  }

  recordOf(peel: PeelId): Enrollment | undefined {
    const id = this.index.get(peel);
    return id === undefined ? undefined : this.records.get(id);
  }

  /** Whether the same machine has had this id since then. */
  isSteady(peel: PeelId, sinceMs: number): boolean {
    const changedMs = this.changedMs.get(peel);
    return !this.hasForgotten && changedMs !== undefined && changedMs < sinceMs;
  }

  /** Another machine has the id from now on, or nobody. */
  changed(peel: PeelId): void {
    this.changedMs.set(peel, this.parts.nowMs());
  }

  /** An operator is about to approve it. */
  approving(id: EnrollmentId): void {
    this.approvals.add(id);
  }

  /** A door took the answer to a challenge. */
  submitted(challenge: ChallengeId): void {
    if (this.answered.has(challenge)) this.break('a challenge is answered once', challenge);
    this.answered.add(challenge);
  }

  /** A door handed out credentials. */
  handedOut(id: EnrollmentId): void {
    if (this.handed.has(id)) this.break('credentials of an enrollment are handed out once', id);
    this.handed.add(id);
  }

  stored({ subject, data, headers }: Stored): void {
    const kv = parseKvSubject(subject);
    if (kv === undefined) return;
    const value = headers.has(KV_OPERATION_HEADER) ? undefined : data;
    if (kv.bucket === BUCKETS.joinTokens.name) {
      const id = parseJoinTokenId(kv.key);
      if (id !== undefined && value !== undefined) this.tokens.set(id, joinTokenCodec.decode(value));
    }
    if (kv.bucket !== BUCKETS.enrollments.name) return;
    const peel = parseEnrolledPeelKey(kv.key);
    const id = parseEnrollmentId(kv.key);
    if (peel !== undefined) this.pointed(peel, value);
    else if (id !== undefined) this.written(id, value);
  }

  /** The book as it is now; the returned function puts it back: the server forgot what was written since. */
  snapshot(): () => void {
    const [records, index] = [[...this.records], [...this.index]];
    return () => {
      this.hasForgotten = true;
      this.records.clear();
      this.index.clear();
      for (const [id, record] of records) this.records.set(id, record);
      for (const [peel, id] of index) this.index.set(peel, id);
    };
  }

  private pointed(peel: PeelId, value: Uint8Array | undefined): void {
    const before = this.recordOf(peel);
    const id = value === undefined ? undefined : parseEnrollmentId(Buffer.from(value).toString());
    if (id === undefined) this.index.delete(peel);
    else this.index.set(peel, id);
    if (before === undefined || before.id === id || FREE.includes(before.state)) return;
    const heir = id === undefined ? undefined : this.records.get(id);
    const isHeir = heir?.decidedBy === `${CARRIED}${before.id}` && heir.publicKey === before.publicKey;
    if (!isHeir)
      this.break('an id is not taken from the key that holds it', `${peel} goes from ${before.id} to ${id}`);
  }

  private written(id: EnrollmentId, value: Uint8Array | undefined): void {
    const before = this.records.get(id);
    if (value === undefined) {
      this.records.delete(id);
      if (before !== undefined && before.state !== 'pending' && before.state !== 'approved')
        this.break('what was decided about a machine stays on record', `${id}, ${before.state}, is removed`);
      return;
    }
    const record = enrollmentCodec.decode(value);
    this.records.set(id, record);
    this.note(before, record);
    if (this.hasForgotten) return;
    if (before === undefined) this.judgeFirst(record);
    else if (before.state !== record.state) this.judgeStep(before, record);
    if (before !== undefined && (before.peelId !== record.peelId || before.publicKey !== record.publicKey))
      this.break('an enrollment is of one machine', `${id} is of another one now`);
  }

  private note(before: Enrollment | undefined, { peelId, state, decidedBy, supersededBy }: Enrollment): void {
    if (before?.state === state) return;
    if (state === 'issued' && !decidedBy.startsWith(CARRIED)) this.changed(peelId);
    if (state === 'issued') this.counts.joined += 1;
    if (state !== 'revoked' || supersededBy !== '') return;
    this.changed(peelId);
    this.counts.revoked += 1;
  }

  private judgeFirst({ id, state, decidedBy, peelId, publicKey }: Enrollment): void {
    if (state === 'pending') return;
    const from = parseEnrollmentId(decidedBy.slice(CARRIED.length));
    const carried = from === undefined ? undefined : this.records.get(from);
    const isHeir = state === 'approved' && carried?.publicKey === publicKey && carried.peelId === peelId;
    if (!isHeir) this.break('nobody joins whom nobody let in', `${id} begins as ${state} by ${decidedBy}`);
  }

  private judgeStep(before: Enrollment, record: Enrollment): void {
    const { id, state } = record;
    if (!NEXT[before.state].includes(state)) {
      this.break('an enrollment goes step by step', `${id} went from ${before.state} to ${state}`);
      return;
    }
    if (state === 'approved') this.judgeApproval(record);
    if (state === 'issued') this.judgeIssue(record);
  }

  /** Whom an operator has shut out, an operator lets in again. */
  private judgeReturn({ id, peelId }: Enrollment): void {
    for (const other of this.records.values())
      if (other.peelId === peelId && other.state === 'revoked' && other.supersededBy === '')
        this.break('a token lets nobody in whose id was revoked', `${peelId} by ${id}, after ${other.id}`);
  }

  private judgeApproval(record: Enrollment): void {
    const { id, decidedBy, peelId } = record;
    const token = decidedBy.startsWith(BY_TOKEN)
      ? parseJoinTokenId(decidedBy.slice(BY_TOKEN.length))
      : undefined;
    if (token === undefined) {
      if (!this.approvals.has(id)) this.break('nobody joins whom nobody let in', `${id} by ${decidedBy}`);
      return;
    }
    this.judgeReturn(record);
    const known = this.tokens.get(token);
    const letIn = this.letIn.get(token) ?? new Set();
    this.letIn.set(token, letIn.add(id));
    if (known === undefined || letIn.size > known.usesMax)
      this.break('a token lets in no more machines than it says', `${token} let in ${letIn.size}`);
    else if (!known.enrollments.includes(id))
      this.break('a token lets in no more machines than it says', `${token} does not count ${id}`);
    else if (!covers(known.peelPattern, peelId))
      this.break('a token lets in only what it covers', `${token} of ${known.peelPattern} let in ${peelId}`);
  }

  private judgeIssue({ peelId, publicKey }: Enrollment): void {
    for (const other of this.records.values())
      if (other.peelId === peelId && other.publicKey !== publicKey && HOLDS.includes(other.state))
        this.break(
          'no two machines hold one peel id',
          `${peelId}: ${publicKey}, and ${other.publicKey} by ${other.id}`,
        );
  }

  private break(rule: string, text: string): void {
    if (!this.hasForgotten) this.parts.broke(rule, text);
  }
}

/** The patterns that operators use here: text and stars. */
function covers(pattern: string, peel: PeelId): boolean {
  return new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(peel);
}
