/**
 * The ban service answers operators who let a peel in again that the flood guard keeps out. Any one master answers; to ask twice
 * changes nothing the second time. Who did it is in the log and in the record of the ban.
 */
import { printableLine } from '../../core/printable.ts';
import { PEEL_UNBAN_SUBJECT, QUEUES } from '../../wire/names/subjects.ts';
import { peelUnbanReplyCodec, peelUnbanRequestCodec } from '../../wire/records/enroll/flood-ban.ts';
import { refusalOf } from '../dispatch/dispatch-service.ts';
import type { MasterContext } from '../master-context.ts';
import { OperatorQuestions } from '../operator-questions.ts';
import type { FloodBans } from './ban-book.ts';

const OPERATOR_CHARS_MAX = 200;

export class BanService {
  private readonly bans: FloodBans;
  private readonly questions: OperatorQuestions;

  constructor(context: Pick<MasterContext, 'bus' | 'runtime'>, bans: FloodBans) {
    this.bans = bans;
    this.questions = new OperatorQuestions({
      context,
      about: 'bans',
      queue: QUEUES.admin,
      refusal: (error) => peelUnbanReplyCodec.encode(peelUnbanReplyCodec.create(refusalOf(error))),
    });
  }

  start(): Promise<void> {
    return this.questions.serve(PEEL_UNBAN_SUBJECT, peelUnbanRequestCodec, async ({ peelId, operator }) => {
      const lifted = await this.bans.lift(peelId, printableLine(operator, OPERATOR_CHARS_MAX));
      return peelUnbanReplyCodec.encode(peelUnbanReplyCodec.create(lifted));
    });
  }

  /** Takes nothing more; resolves when everything that was taken is answered. */
  stop(): Promise<void> {
    return this.questions.stop();
  }
}
