/**
 * `SimEnroll` is all that the simulator knows of who may be in the fleet: the book of enrollments, what each master has been told of
 * them, whose revocation was acknowledged, and what such a peel has said since. Nothing it says may have an effect, and no
 * master that knows of it sends it anything or counts it among the peels.
 */
import type { RawMessage } from '../../bus/connection.ts';
import type { Stored } from '../../bus/memory/memory-jetstream.ts';
import type { MemoryUser } from '../../bus/memory/memory-server.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { KV_OPERATION_HEADER } from '../../wire/names/headers.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import { parseKvSubject } from '../../wire/names/store-subjects.ts';
import { PEEL_WORD_STREAMS } from '../../wire/names/streams.ts';
import { parseJobSubject } from '../../wire/names/subjects.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { EnrollBook, type EnrollBookParts } from './enroll-book.ts';
import { MasterView } from './master-view.ts';

/** Since a master has heard of it: what it was told may be told again, after a gap. */
const KNOWN_MS = 5_000;
const JOB_STREAMS: ReadonlySet<string> = new Set(PEEL_WORD_STREAMS.map(({ name }) => name));
/** What is erased; heartbeats end by themselves. */
const ERASED: readonly string[] = [BUCKETS.facts, BUCKETS.secrets, BUCKETS.peelTags].map(({ name }) => name);

export class SimEnroll {
  readonly book: EnrollBook;
  readonly counts = { words: 0 };
  private readonly parts: EnrollBookParts;
  private readonly views = new Map<string, MasterView>();
  /** User keys whose revocation was acknowledged with all servers confirming. */
  private readonly shutOut = new Set<string>();
  /** Returns that such a peel sent. */
  private readonly tainted = new Set<string>();
  private readonly kept = new Map<string, Set<string>>();

  constructor(parts: EnrollBookParts) {
    this.parts = parts;
    this.book = new EnrollBook(parts);
  }

  masterStarted(life: string): (message: RawMessage) => void {
    const view = new MasterView(this.parts.nowMs);
    this.views.set(life, view);
    return (message) => view.heard(message);
  }

  masterEnded(life: string): void {
    this.views.delete(life);
  }

  /** A master said that it is done, and every server with it. */
  acknowledged({ publicKey, peelId }: Enrollment): void {
    const current = this.book.recordOf(peelId);
    if (current?.publicKey === publicKey && current.state !== 'revoked') return;
    this.shutOut.add(publicKey);
  }

  isShutOut(key: string): boolean {
    return this.shutOut.has(key);
  }

  /** Whether every master that lives has known for a while that the peel is shut out. */
  isKnownShutOut(peel: PeelId): boolean {
    const views = [...this.views.values()];
    const isKnown = views.length > 0 && views.every((view) => view.shutOutMs(peel) > KNOWN_MS);
    return isKnown && !this.book.forgotten;
  }

  /** A master sends a command. */
  commanded(life: string, peel: PeelId): void {
    if (this.book.forgotten || (this.views.get(life)?.shutOutMs(peel) ?? 0) <= KNOWN_MS) return;
    this.parts.broke('a revoked peel gets no command', `${life} sent one to ${peel}`);
  }

  isTainted(key: string): boolean {
    return this.tainted.has(key);
  }

  /** A row that only words of a revoked peel can explain. */
  rowFromRevoked(life: string, key: string, peel: PeelId): void {
    if (this.book.forgotten || (this.views.get(life)?.shutOutMs(peel) ?? 0) <= KNOWN_MS) return;
    this.parts.broke('what a revoked peel says has no effect', `${life} wrote the row ${key}`);
  }

  stored(by: MemoryUser, stored: Stored): void {
    this.book.stored(stored);
    const { stream, subject, headers } = stored;
    if (JOB_STREAMS.has(stream)) {
      const word = parseJobSubject(subject);
      const isShutOut = by.key !== undefined && this.shutOut.has(by.key);
      if (isShutOut) this.counts.words += 1;
      if (isShutOut && word !== undefined && 'peel' in word) this.tainted.add(`${word.jid}.${word.peel}`);
      return;
    }
    const kv = parseKvSubject(subject);
    if (kv === undefined) return;
    if (kv.bucket === BUCKETS.enrollments.name) this.noteLive();
    if (ERASED.includes(kv.bucket)) this.keep(kv.bucket, kv.key, !headers.has(KV_OPERATION_HEADER));
  }

  /** What there still is of the peel. */
  leftOf(peel: PeelId): readonly string[] {
    return ERASED.filter((bucket) => this.kept.get(bucket)?.has(peel) === true);
  }

  snapshot(): () => void {
    const restore = this.book.snapshot();
    const kept = [...this.kept].map(([bucket, keys]) => [bucket, new Set(keys)] as const);
    return () => {
      restore();
      this.kept.clear();
      for (const [bucket, keys] of kept) this.kept.set(bucket, keys);
    };
  }

  /** A key that was approved anew is as good as any. */
  private noteLive(): void {
    for (const { publicKey, state } of this.book.records.values())
      if (state === 'approved' || state === 'issued' || state === 'active') this.shutOut.delete(publicKey);
  }

  private keep(bucket: string, key: string, isThere: boolean): void {
    if (parsePeelId(key) === undefined) return;
    const keys = this.kept.get(bucket) ?? new Set();
    this.kept.set(bucket, keys);
    if (isThere) keys.add(key);
    else keys.delete(key);
  }
}
