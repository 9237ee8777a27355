/**
 * `EnrollmentView` is the enrollments of the fleet in memory, by id and by peel, and what follows from them: whose word counts, and
 * under which key. A watch feeds it; everything else asks.
 *
 * A peel is shut out when one of its enrollments was revoked and no later one has credentials: whoever speaks under its id
 * holds revoked ones, whatever NATS lets through. A peel without any enrollment is one of an older version and is believed
 * as before; a request in its name that waits or was rejected changes nothing for it.
 *
 * News come in any order (the index may be told before its record); bound: what the masters let into the table.
 */
import type { EnrollmentId, PeelId } from '../../../wire/names/ids.ts';
import {
  ENROLLMENT_STATES,
  type Enrollment,
  type EnrollmentState,
} from '../../../wire/records/enroll/enrollment.ts';
import { clientNetwork } from './client-network.ts';
import { hasCredentials, isKeyRevoked, isLive } from './enrollment-state.ts';

export class EnrollmentView {
  private readonly records = new Map<EnrollmentId, Enrollment>();
  private readonly index = new Map<PeelId, EnrollmentId>();
  private readonly revoked = new Map<PeelId, Set<EnrollmentId>>();
  /** How many enrollments with the key were revoked. */
  private readonly revokedKeys = new Map<string, number>();
  private readonly byState = new Map<EnrollmentState, number>();
  private readonly waiting = new Map<string, number>();

  put(record: Enrollment): void {
    this.remove(record.id);
    this.records.set(record.id, record);
    this.count(record, 1);
    if (!isKeyRevoked(record)) return;
    this.countKey(record.publicKey, 1);
    const ids = this.revoked.get(record.peelId) ?? new Set();
    this.revoked.set(record.peelId, ids.add(record.id));
  }

  remove(id: EnrollmentId): void {
    const record = this.records.get(id);
    if (record === undefined) return;
    this.records.delete(id);
    this.count(record, -1);
    const ids = this.revoked.get(record.peelId);
    if (ids?.delete(id) === true) this.countKey(record.publicKey, -1);
    if (ids?.size === 0) this.revoked.delete(record.peelId);
  }

  point(peel: PeelId, id: EnrollmentId | undefined): void {
    if (id === undefined) this.index.delete(peel);
    else this.index.set(peel, id);
  }

  get(id: EnrollmentId): Enrollment | undefined {
    return this.records.get(id);
  }

  /** The enrollment that holds the id of the peel now. */
  currentOf(peel: PeelId): Enrollment | undefined {
    const id = this.index.get(peel);
    return id === undefined ? undefined : this.records.get(id);
  }

  isShutOut(peel: PeelId): boolean {
    if (!this.revoked.has(peel)) return false;
    const current = this.currentOf(peel);
    return current === undefined || !hasCredentials(current.state);
  }

  /** All peels that are shut out. */
  shutOut(): PeelId[] {
    return [...this.revoked.keys()].filter((peel) => this.isShutOut(peel));
  }

  /** The enrollment that lets the peel in: its key and what operators say in it count. */
  liveOf(peel: PeelId): Enrollment | undefined {
    const current = this.currentOf(peel);
    return current !== undefined && isLive(current.state) ? current : undefined;
  }

  /** Enrollments of the peel whose keys were revoked. */
  revokedOf(peel: PeelId): Enrollment[] {
    return [...(this.revoked.get(peel) ?? [])].flatMap((id) => this.records.get(id) ?? []);
  }

  /** An enrollment with this key was revoked, of whichever peel. */
  wasKeyRevoked(publicKey: string): boolean {
    return this.revokedKeys.has(publicKey);
  }

  /** Of which an enrollment holds the id. */
  peels(): IterableIterator<PeelId> {
    return this.index.keys();
  }

  all(): IterableIterator<Enrollment> {
    return this.records.values();
  }

  countOf(state: EnrollmentState): number {
    return this.byState.get(state) ?? 0;
  }

  counts(): Readonly<Record<EnrollmentState, number>> {
    const entries = ENROLLMENT_STATES.map((state) => [state, this.countOf(state)] as const);
    return Object.fromEntries(entries) as Record<EnrollmentState, number>;
  }

  /** Those that wait for a decision and came from this network. */
  waitingFrom(network: string): number {
    return this.waiting.get(network) ?? 0;
  }

  private countKey(publicKey: string, by: 1 | -1): void {
    const count = (this.revokedKeys.get(publicKey) ?? 0) + by;
    if (count === 0) this.revokedKeys.delete(publicKey);
    else this.revokedKeys.set(publicKey, count);
  }

  private count({ state, remoteAddress }: Enrollment, by: 1 | -1): void {
    this.byState.set(state, this.countOf(state) + by);
    if (state !== 'pending') return;
    const network = clientNetwork(remoteAddress);
    const count = this.waitingFrom(network) + by;
    if (count === 0) this.waiting.delete(network);
    else this.waiting.set(network, count);
  }
}
