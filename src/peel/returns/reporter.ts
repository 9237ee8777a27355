/**
 * The reporter says what a peel has to say about its jobs: acks and returns, sent until the stream has them. Safe to
 * call again.
 *
 * The ack of a job that is started at once is held back for a moment, and a return within that time stands for it
 * (decision 45): a quick job then costs one stored message instead of two. If we die meanwhile, the job is on disk, and the
 * next life reports it. A job that has to wait, and one that a master asks about again, are acked at once.
 */
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { jobAckSubject, jobReturnSubject } from '../../wire/names/subjects.ts';
import { ackCodec } from '../../wire/records/job-return.ts';
import type { PeelContext } from '../peel-context.ts';
import { refitReturn } from './fit-message.ts';
import type { Letter } from './outbox.ts';

/** Well below the time after which a master sends a request again. */
const ACK_HELD_MS = 250;

type ReporterContext = Pick<PeelContext, 'peelId' | 'runtime' | 'book' | 'outbox'>;

export class Reporter {
  private readonly context: ReporterContext;

  constructor(context: ReporterContext) {
    this.context = context;
  }

  /** The job is accepted and runs, or waits behind something. `unless-it-returns`: only if that takes a moment. */
  acknowledge(jid: Jid, behind: string | undefined, when: 'now' | 'unless-it-returns'): void {
    this.context.outbox.send({ ...this.ackOf(jid, behind), holdMs: when === 'now' ? 0 : ACK_HELD_MS });
  }

  /** It has started, or waits behind something else. An ack that says otherwise and is still under way is not sent again. */
  acknowledgeChange(jid: Jid, behind: string | undefined): void {
    this.context.outbox.drop(ackKey(jid));
    this.acknowledge(jid, behind, behind === undefined ? 'unless-it-returns' : 'now');
  }

  /** Sends the stored return of a job; nothing when there is none. */
  report(jid: Jid): void {
    const { peelId, book, outbox } = this.context;
    const stored = book.returnOf(jid);
    if (stored === undefined) return;
    const { bytes, messageId } = stored;
    outbox.dropUnsent(ackKey(jid));
    outbox.send({
      key: `return ${jid}`,
      subject: jobReturnSubject(jid, peelId),
      messageId,
      courtesy: false,
      // It was made to fit the server of that time; this one may take less.
      bytes: (bytesMax) => refitReturn(bytes, bytesMax),
      stored: () => {
        outbox.drop(ackKey(jid));
        book.settle(jid);
      },
    });
  }

  private ackOf(jid: Jid, behind: string | undefined): Letter {
    const { peelId, book, runtime } = this.context;
    const bytes = ackCodec.encode({
      jid,
      peelId,
      timestamp: nanosFromMs(runtime.clock.nowMs()),
      behind: behind ?? '',
    });
    return {
      key: ackKey(jid),
      subject: jobAckSubject(jid, peelId),
      // The stream keeps one message for each thing that is said.
      messageId: `${book.ackIdOf(jid)}.${behind ?? ''}`,
      courtesy: true,
      bytes: () => bytes,
    };
  }
}

function ackKey(jid: Jid): string {
  return `ack ${jid}`;
}
