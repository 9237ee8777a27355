/** What a peel says about its jobs: acks and returns, into the stream, until it has them. Safe to call again. */
import type { Clock } from '../runtime/clock.ts';
import type { Jid, PeelId } from '../wire/ids.ts';
import { ackCodec } from '../wire/job-return.ts';
import { jobAckSubject, jobReturnSubject } from '../wire/subjects.ts';
import { nanosFromMs } from '../wire/time.ts';
import { refitReturn } from './fit-message.ts';
import type { JobBook } from './job-book.ts';
import type { Outbox } from './outbox.ts';

export interface ReporterParts {
  readonly peelId: PeelId;
  readonly book: JobBook;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

export class Reporter {
  private readonly parts: ReporterParts;

  constructor(parts: ReporterParts) {
    this.parts = parts;
  }

  acknowledge(jid: Jid): void {
    const { peelId, book, outbox, clock } = this.parts;
    const bytes = ackCodec.encode({ jid, peelId, timestamp: nanosFromMs(clock.nowMs()) });
    outbox.send({
      key: ackKey(jid),
      subject: jobAckSubject(jid, peelId),
      messageId: book.ackIdOf(jid),
      courtesy: true,
      bytes: () => bytes,
    });
  }

  /** Sends the stored return of a job; nothing when there is none. */
  report(jid: Jid): void {
    const { peelId, book, outbox } = this.parts;
    const stored = book.returnOf(jid);
    if (stored === undefined) return;
    const { bytes, messageId } = stored;
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
}

function ackKey(jid: Jid): string {
  return `ack ${jid}`;
}
