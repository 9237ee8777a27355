/**
 * Enrollment events tell the reactor what became of a request: `_master/enroll/<state>/<id>` in stream `events`. The master that
 * made the step tells it, after the record says so; if it dies in between, the event is missing and the record is right.
 *
 * Id and message id follow from the step, so that two masters that tell the same step tell it once, within the duplicate
 * window of the stream. A store that is away is asked again in the background; bound: `WAITING_MAX`, beyond which an event is
 * dropped with a warning.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { masterEventSubject } from '../../wire/names/event-subjects.ts';
import { parseEventTag } from '../../wire/names/ids.ts';
import type { Enrollment, EnrollmentState } from '../../wire/records/enroll/enrollment.ts';
import { eventCodec } from '../../wire/records/event.ts';
import { PROTOCOL_VERSION } from '../../wire/records/job.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';

const WAITING_MAX = 1_000;

type EventContext = Pick<MasterContext, 'bus' | 'runtime' | 'keys' | 'life' | 'now' | 'metrics'>;

export class EnrollmentEvents {
  private readonly context: EventContext;
  private readonly waiting = new Set<Promise<void>>();

  constructor(context: EventContext) {
    this.context = context;
  }

  /** The record has got into this state. */
  tell(record: Enrollment, state: EnrollmentState): void {
    const { log } = this.context.runtime;
    this.context.metrics.enrollmentBecame(state);
    if (this.waiting.size >= WAITING_MAX) {
      const error = zesterError('MASTER_BUSY', { count: WAITING_MAX, what: 'events' });
      log.warn('an event of an enrollment is dropped', { id: record.id, state, error });
      return;
    }
    const told = this.append(record, state)
      .catch((error: unknown) =>
        log.warn('an event of an enrollment was not told', { id: record.id, state, error }),
      )
      .finally(() => this.waiting.delete(told));
    this.waiting.add(told);
  }

  /** Resolves when nothing waits any more. */
  async stop(): Promise<void> {
    await Promise.all(this.waiting);
  }

  private async append(record: Enrollment, state: EnrollmentState): Promise<void> {
    const { bus, runtime, keys, life } = this.context;
    const tag = parseEventTag(`enroll/${state}/${record.id}`);
    if (tag === undefined) return;
    const id = `${record.id}.${state}`;
    const data = eventCodec.encode(
      eventCodec.create({
        id,
        tag,
        data: dataOf(record),
        timestamp: this.context.now(),
        protocol: PROTOCOL_VERSION,
      }),
    );
    const messageId = keys.messageId(`enroll-event:${id}`);
    await retried(runtime, life, 'event of an enrollment', () =>
      bus.append(masterEventSubject(tag), data, { messageId }),
    );
  }
}

function dataOf({ id, peelId, remoteAddress, decidedBy, rejectReason }: Enrollment) {
  return {
    id,
    peel_id: peelId,
    ...(remoteAddress === '' ? {} : { ip: remoteAddress }),
    ...(decidedBy === '' ? {} : { by: decidedBy }),
    ...(rejectReason === '' ? {} : { reason: rejectReason }),
  };
}
