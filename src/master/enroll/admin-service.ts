/**
 * The admin service answers operators about enrollments, join tokens and tags, and peels about new credentials. Any one master
 * answers; the same question twice changes nothing the second time. Who asks is who may: admins by their grant, a peel by the
 * subject, whose last word the server has checked.
 *
 * Bound: renewals of `BUDGETS_MAX` peels are counted, each by `RENEWAL_RATE`; what is over it is dropped unread. Without that one peel
 * that asked 12,000 times a second kept both masters too busy to notice it: nobody was cut off, and a ping of another took 19 s.
 * An honest peel has one question under way, and asks again with growing pauses.
 */
import type { Message } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { LruMap } from '../../core/lru-map.ts';
import { RateBudget } from '../../core/rate-budget.ts';
import type { Codec } from '../../wire/msgpack/codec.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import {
  ANY,
  ENROLL_APPROVE_SUBJECT,
  ENROLL_REJECT_SUBJECT,
  ENROLL_REVOKE_SUBJECT,
  JOIN_TOKEN_CREATE_SUBJECT,
  JOIN_TOKEN_REVOKE_SUBJECT,
  PEEL_TAG_SUBJECT,
  parseRenewCredentialsSubject,
  QUEUES,
  renewCredentialsSubject,
} from '../../wire/names/subjects.ts';
import { renewReplyCodec, renewRequestCodec } from '../../wire/records/enroll/credentials-renewal.ts';
import {
  enrollAdminReplyCodec,
  enrollAdminRequestCodec,
  type JoinTokenRequest,
  joinTokenReplyCodec,
  joinTokenRequestCodec,
  peelTagRequestCodec,
} from '../../wire/records/enroll/enroll-admin.ts';
import type { JoinToken } from '../../wire/records/enroll/join-token.ts';
import { refusalOf } from '../dispatch/dispatch-service.ts';
import type { MasterContext } from '../master-context.ts';
import { OperatorQuestions } from '../operator-questions.ts';
import type { Decided } from './decisions.ts';
import type { EnrollmentDesk } from './enrollment-desk.ts';

const RENEWAL_RATE = { burst: 20, perSecond: 1 };
const BUDGETS_MAX = 4_096;

export class EnrollAdminService {
  private readonly context: MasterContext;
  private readonly desk: EnrollmentDesk;
  private readonly budgets = new LruMap<PeelId, RateBudget>(BUDGETS_MAX);
  private readonly aboutEnrollments: OperatorQuestions;
  private readonly aboutTokens: OperatorQuestions;
  private readonly aboutCredentials: OperatorQuestions;

  constructor(context: MasterContext, desk: EnrollmentDesk) {
    this.context = context;
    this.desk = desk;
    const parts = { context, about: 'enrollment', queue: QUEUES.admin } as const;
    const questions = (refusal: (error: unknown) => Uint8Array) =>
      new OperatorQuestions({ ...parts, refusal });
    this.aboutEnrollments = questions((error) =>
      enrollAdminReplyCodec.encode(enrollAdminReplyCodec.create(refusalOf(error))),
    );
    this.aboutTokens = questions((error) =>
      joinTokenReplyCodec.encode(joinTokenReplyCodec.create(refusalOf(error))),
    );
    this.aboutCredentials = new OperatorQuestions({
      ...parts,
      isWelcome: (message) => this.mayRenew(message),
      refusal: (error) => renewReplyCodec.encode(renewReplyCodec.create(refusalOf(error))),
    });
  }

  async start(): Promise<void> {
    const { decisions, tokens } = this.desk;
    await this.decide(ENROLL_APPROVE_SUBJECT, enrollAdminRequestCodec, (request) =>
      decisions.approve(request),
    );
    await this.decide(ENROLL_REJECT_SUBJECT, enrollAdminRequestCodec, (request) => decisions.reject(request));
    await this.decide(ENROLL_REVOKE_SUBJECT, enrollAdminRequestCodec, (request) => decisions.revoke(request));
    await this.decide(PEEL_TAG_SUBJECT, peelTagRequestCodec, (request) => decisions.tag(request));
    await this.token(JOIN_TOKEN_CREATE_SUBJECT, (request) => tokens.create(request));
    await this.token(JOIN_TOKEN_REVOKE_SUBJECT, (request) => tokens.revoke(request));
    await this.aboutCredentials.serve(
      renewCredentialsSubject(ANY),
      renewRequestCodec,
      async (request, message) => {
        const peel = parseRenewCredentialsSubject(message.subject);
        if (peel === undefined) throw zesterError('MASTER_QUESTION_UNREADABLE', { problem: 'no peel asks' });
        const { jwt, expiresAt } = await this.desk.renew(peel, request.publicKey);
        return renewReplyCodec.encode(renewReplyCodec.create({ jwt, expiresAt }));
      },
    );
  }

  /** Takes nothing more; resolves when everything that was taken is answered. */
  async stop(): Promise<void> {
    await Promise.all([this.aboutEnrollments.stop(), this.aboutTokens.stop(), this.aboutCredentials.stop()]);
  }

  private mayRenew({ subject }: Message): boolean {
    const peel = parseRenewCredentialsSubject(subject);
    if (peel === undefined) return true;
    const budget = this.budgets.getOrMake(peel, () => new RateBudget(RENEWAL_RATE));
    return budget.take(this.context.runtime.clock.monotonicMs());
  }

  private decide<Request extends object>(
    subject: string,
    codec: Codec<Request>,
    work: (request: Request) => Promise<Decided>,
  ): Promise<void> {
    return this.aboutEnrollments.serve(subject, codec, async (request) => {
      const { record, ...decided } = await work(request);
      // Who asks is shown names of facts, whoever set them.
      const sealed = this.context.operatorFacts.sealed(record);
      return enrollAdminReplyCodec.encode(enrollAdminReplyCodec.create({ ...decided, record: sealed }));
    });
  }

  private token(subject: string, work: (request: JoinTokenRequest) => Promise<JoinToken>): Promise<void> {
    return this.aboutTokens.serve(subject, joinTokenRequestCodec, async (request) =>
      joinTokenReplyCodec.encode(joinTokenReplyCodec.create({ token: await work(request) })),
    );
  }
}
