/**
 * The resolve service answers which peels a target means, from the facts in memory. Operators ask on one subject, peels
 * each on their own, and a peel is never told the facts of others, nor lets them match, except those that the operator
 * lists: an answer to `G@token:a*` would tell their first letter, and the next question the second. Tags match for everybody; of what
 * operators say besides, which may be a secret, a peel learns nothing.
 *
 * A peel that is shut out gets no answer.
 *
 * Anyone may ask for something costly, so the work is done in small steps with a pause between them, a few questions at a
 * time, within the time the asker waits. Bounds: `QUESTIONS_MAX` waiting, one for each peel; beyond: MASTER_BUSY.
 * Of one peel `QUESTION_RATE`; beyond that it gets no answer at all.
 */
import type { Message, SubjectSubscription } from '../../bus/port.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { LruMap } from '../../core/lru-map.ts';
import { RateBudget } from '../../core/rate-budget.ts';
import { firstHiddenFact } from '../../core/target/hidden-facts.ts';
import { parseTarget } from '../../core/target/parse-target.ts';
import { resolveTargetInSteps, type TargetAsker } from '../../core/target/resolve-target.ts';
import type { Target } from '../../core/target/target.ts';
import { sleep } from '../../runtime/clock.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import {
  ANY,
  parsePeelTargetResolveSubject,
  peelTargetResolveSubject,
  QUEUES,
  TARGET_RESOLVE_SUBJECT,
} from '../../wire/names/subjects.ts';
import {
  type ResolveRequest,
  resolveRequestCodec,
  resolveResponseCodec,
} from '../../wire/records/target-resolve.ts';
import { refusalOf } from '../dispatch/dispatch-service.ts';
import { payloadLimit } from '../dispatch/payload-limit.ts';
import type { MasterContext } from '../master-context.ts';

const QUESTIONS_MAX = 256;
const AT_A_TIME = 4;
/** Of one peel: a state run asks a few. */
const QUESTION_RATE = { burst: 100, perSecond: 20 };
const BUDGETS_MAX = 4_096;
/** The asker waits as long. */
const BUDGET_MS = 5_000;

export class ResolveService {
  private readonly context: MasterContext;
  private readonly turns = new Semaphore(AT_A_TIME);
  private readonly asking = new Set<PeelId>();
  private readonly budgets = new LruMap<PeelId, RateBudget>(BUDGETS_MAX);
  private readonly subscriptions: SubjectSubscription[] = [];
  private readonly answering = new Set<Promise<void>>();

  constructor(context: MasterContext) {
    this.context = context;
  }

  async start(): Promise<void> {
    const { bus } = this.context;
    const queue = QUEUES.targetResolvers;
    const listen = (subject: string) => bus.subscribe(subject, (message) => this.receive(message), { queue });
    this.subscriptions.push(
      await listen(TARGET_RESOLVE_SUBJECT),
      await listen(peelTargetResolveSubject(ANY)),
    );
  }

  /** Takes nothing more; resolves when everything that was taken is answered. */
  async stop(): Promise<void> {
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
    await Promise.all(this.answering);
  }

  private receive(message: Message): void {
    const peel = parsePeelTargetResolveSubject(message.subject);
    if (message.subject !== TARGET_RESOLVE_SUBJECT && peel === undefined) return;
    if (peel !== undefined && !this.mayAsk(peel)) return;
    if (peel !== undefined && this.context.enrollments.isShutOut(peel)) return;
    if (this.turns.waiting >= QUESTIONS_MAX || (peel !== undefined && this.asking.has(peel))) {
      this.refuse(message, zesterError('MASTER_BUSY', { count: this.turns.waiting, what: 'questions' }));
      return;
    }
    if (peel !== undefined) this.asking.add(peel);
    const answer = this.turns
      .run(() => this.answer(message, peel))
      .finally(() => {
        this.answering.delete(answer);
        if (peel !== undefined) this.asking.delete(peel);
      });
    this.answering.add(answer);
  }

  /** Over its budget a peel is not even told so: an answer costs us as much as its question costs it. */
  private mayAsk(peel: PeelId): boolean {
    const budget = this.budgets.getOrMake(peel, () => new RateBudget(QUESTION_RATE));
    return budget.take(this.context.runtime.clock.monotonicMs());
  }

  private async answer(message: Message, peel: PeelId | undefined): Promise<void> {
    try {
      const request = readRequest(message.data);
      if (!this.context.facts.isSeeded()) throw zesterError('MASTER_INDEX_NOT_READY', {});
      if (peel !== undefined && request.wantFacts) throw zesterError('MASTER_FACTS_REFUSED', {});
      const target = parseTarget(request.expr, request.type);
      if (peel !== undefined) this.refuseHiddenFacts(target);
      this.reply(
        message,
        this.encode(request, await this.resolve(target, peel === undefined ? 'operator' : 'peel')),
      );
    } catch (error) {
      this.refuse(message, error);
    }
  }

  private refuseHiddenFacts(target: Target): void {
    const hidden = firstHiddenFact(target, this.context.settings.factsVisibleToPeels);
    if (hidden !== undefined) throw zesterError('MASTER_FACT_HIDDEN', { path: hidden.path });
  }

  private async resolve(target: Target, asker: TargetAsker): Promise<PeelId[]> {
    const { clock } = this.context.runtime;
    const untilMs = clock.monotonicMs() + BUDGET_MS;
    const steps = resolveTargetInSteps(this.context.facts.index, target, asker);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (clock.monotonicMs() > untilMs) throw zesterError('MASTER_RESOLVE_TOO_SLOW', { ms: BUDGET_MS });
      await sleep(clock, 0);
    }
  }

  private encode({ wantFacts }: ResolveRequest, peels: PeelId[]): Uint8Array {
    const { index } = this.context.facts;
    const facts = wantFacts ? Object.fromEntries(peels.map((peel) => [peel, index.facts(peel) ?? {}])) : {};
    const answer = resolveResponseCodec.encode({ peels, facts, error: '', code: '' });
    const max = payloadLimit(this.context.bus);
    if (answer.length > max) throw zesterError('MASTER_ANSWER_TOO_LARGE', { bytes: answer.length, max });
    return answer;
  }

  private refuse(message: Message, error: unknown): void {
    if (!isZesterError(error)) this.context.runtime.log.error('a target could not be resolved', { error });
    this.reply(message, resolveResponseCodec.encode({ peels: [], facts: {}, ...refusalOf(error) }));
  }

  private reply(message: Message, data: Uint8Array): void {
    if (message.reply === undefined) return;
    try {
      this.context.bus.publish(message.reply, data);
    } catch (error) {
      this.context.runtime.log.debug('a question about targets could not be answered', { error });
    }
  }
}

function readRequest(data: Uint8Array): ResolveRequest {
  const request = decoded(resolveRequestCodec, data);
  if (request.isReadable) return request.value;
  throw zesterError('MASTER_QUESTION_UNREADABLE', { problem: request.problem });
}
