/**
 * The enrollment desk of a master is where machines and operators are heard about who may join: everything about enrollment but the
 * wire it comes over. The HTTPS door, the admin service and the simulator ask it; what it decides is in core/enroll and in
 * the parts beside it.
 *
 * All masters have one. They share the stores and nothing else, so it does not matter which is asked, or whether it dies.
 * Bound: `IN_HAND_MAX` questions of machines at a time; beyond: MASTER_BUSY.
 */
import type { Subscription } from '../../bus/port.ts';
import type { EnrollRequest } from '../../core/enroll/desk/read-request.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import type { EnrollChallenge, Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { FACT_KEYS } from '../../wire/records/facts.ts';
import type { MasterContext } from '../master-context.ts';
import { Challenges } from './challenges.ts';
import { Decisions } from './decisions.ts';
import { EnrollRequests, type Submitted } from './enroll-requests.ts';
import { EnrollmentEvents } from './enrollment-events.ts';
import { EnrollmentStore } from './enrollment-store.ts';
import { EnrollmentSweep } from './enrollment-sweep.ts';
import { JoinTokens } from './join-tokens.ts';
import { type CredentialsProof, type IssuedCredentials, PeelCredentials } from './peel-credentials.ts';
import { PeelEraser } from './peel-eraser.ts';
import { ShutOut } from './shut-out.ts';
import { UnlistedPeels } from './unlisted-peels.ts';

const IN_HAND_MAX = 512;

export class EnrollmentDesk {
  /** For operators. */
  readonly decisions: Decisions;
  readonly tokens: JoinTokens;
  readonly eraser: PeelEraser;
  readonly sweep: EnrollmentSweep;
  private readonly context: MasterContext;
  private readonly store: EnrollmentStore;
  private readonly challenges: Challenges;
  private readonly requests: EnrollRequests;
  private readonly credentials: PeelCredentials;
  private readonly events: EnrollmentEvents;
  private readonly activating = new Map<PeelId, Promise<void>>();
  private isLeader: () => boolean = () => false;
  private inHand = 0;

  constructor(context: MasterContext) {
    this.context = context;
    this.store = new EnrollmentStore(context);
    this.events = new EnrollmentEvents(context);
    const unlisted = new UnlistedPeels({ context, store: this.store, events: this.events });
    this.eraser = new PeelEraser(context, this.store, async (peel) => {
      if (this.isLeader()) await unlisted.cutOff(peel);
    });
    this.challenges = new Challenges(context);
    this.tokens = new JoinTokens(context);
    const { store, events, eraser, challenges, tokens } = this;
    const shutOut = new ShutOut(context, eraser);
    this.decisions = new Decisions({ context, store, events, shutOut, unlisted });
    const { decisions } = this;
    this.requests = new EnrollRequests({ context, store, challenges, tokens, decisions, events });
    this.sweep = new EnrollmentSweep(context, store, decisions);
    this.credentials = new PeelCredentials({ context, store, decisions, events });
  }

  challenge(peel: PeelId, publicKey: string): Promise<EnrollChallenge> {
    return this.counted(() => this.challenges.make(peel, publicKey));
  }

  submit(request: EnrollRequest, remoteAddress: string): Promise<Submitted> {
    return this.counted(() => this.requests.submit(request, remoteAddress));
  }

  /** Where an enrollment stands: from memory, and from the store where that does not know it yet. */
  async status(id: EnrollmentId): Promise<Enrollment> {
    return this.known(id) ?? (await this.counted(() => this.store.get(id))).record;
  }

  /** The same from memory alone. */
  known(id: EnrollmentId): Enrollment | undefined {
    return this.context.enrollments.get(id);
  }

  /** Hears of every change of an enrollment from now on. */
  onChange(id: EnrollmentId, listener: (record: Enrollment) => void): Subscription {
    const { enrollments } = this.context;
    return enrollments.onNews((news) => {
      const record = news.id === id ? enrollments.get(id) : undefined;
      if (record !== undefined) listener(record);
    });
  }

  issue(id: EnrollmentId, proof: CredentialsProof): Promise<IssuedCredentials> {
    return this.counted(() => this.credentials.issue(id, proof));
  }

  renew(peel: PeelId, publicKey: string): Promise<IssuedCredentials> {
    return this.counted(() => this.credentials.renew(peel, publicKey));
  }

  /** By which credentials of peels are good; none where they were never rotated. */
  agentsKeys(): readonly string[] {
    return this.context.agentsKeys.list().map(({ publicKey }) => publicKey);
  }

  /** Facts of a peel were seen. An enrollment whose credentials are out is active with the first that carry its curve key. */
  factsSeen(peel: PeelId): void {
    const current = this.context.enrollments.currentOf(peel);
    if (current?.state !== 'issued' || this.activating.has(peel)) return;
    const told = this.context.facts.index.facts(peel)?.[FACT_KEYS.curvePublicKey];
    if (told !== current.curvePublicKey) return;
    const { log } = this.context.runtime;
    const done = this.decisions
      .activate(current.id)
      .catch((error: unknown) => {
        // Any other master may do it, and so does the next word of the peel.
        const level = isZesterError(error) ? 'debug' : 'warn';
        log[level]('an enrollment is not active yet', { id: current.id, peel, error });
      })
      .finally(() => this.activating.delete(peel));
    this.activating.set(peel, done);
  }

  /** `isLeader`: whether this master does what one of them is enough for. The enrollments must have been read by now. */
  start(isLeader: () => boolean): void {
    this.isLeader = isLeader;
    this.sweep.start();
    this.eraser.start();
    this.events.start(isLeader);
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.sweep.stop();
    await Promise.all([...this.activating.values(), this.eraser.stop()]);
    await this.events.stop();
  }

  private async counted<T>(work: () => Promise<T>): Promise<T> {
    if (this.inHand >= IN_HAND_MAX)
      throw zesterError('MASTER_BUSY', {
        count: this.inHand,
        what: 'questions of machines that want to join',
      });
    this.inHand += 1;
    try {
      return await work();
    } finally {
      this.inHand -= 1;
    }
  }
}
