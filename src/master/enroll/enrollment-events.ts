/**
 * Enrollment events tell the reactor what became of a request: `_master/enroll/<state>/<id>` in stream `events`, at least once each.
 *
 * The record says which states it went through (core/enroll/desk/enrollment-changes.ts); the stream says what was told, because every
 * event has a subject of its own. There is no third place that could disagree with them. The master that made the step tells it
 * at once; every `LOOK_MS` the master that leads compares the two, and tells what is missing because a master died before it did,
 * or its store was away. Id and message id follow from the change: told twice it is stored once, within the duplicate window of
 * the stream, and beyond it readers know it by its id.
 *
 * Bounds: `WAITING_MAX` that wait for the store, beyond which they are left to the next look; a look asks about `ASKED_MAX` one
 * by one, and reads all that were told where there are more; what is known to be told is as much as the records say.
 */
import {
  changeEventData,
  changeEventId,
  changesToTell,
  isOverdue,
} from '../../core/enroll/desk/enrollment-changes.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import {
  enrollmentEventTag,
  masterEventSubject,
  masterEventsPattern,
} from '../../wire/names/event-subjects.ts';
import type { EventTag } from '../../wire/names/ids.ts';
import { STREAMS } from '../../wire/names/streams.ts';
import type { Enrollment, EnrollmentState, StateChange } from '../../wire/records/enroll/enrollment.ts';
import type { MasterContext } from '../master-context.ts';
import { appendMasterEvent } from '../master-events.ts';
import { retried } from '../retry.ts';

const WAITING_MAX = 1_000;
const LOOK_MS = 10_000;
const SPREAD = 0.2;
const ASKED_MAX = 64;

type EventContext = Pick<
  MasterContext,
  'bus' | 'runtime' | 'keys' | 'life' | 'metrics' | 'now' | 'enrollments'
>;

interface Telling {
  readonly record: Enrollment;
  readonly change: StateChange;
  readonly tag: EventTag;
}

export class EnrollmentEvents {
  private readonly context: EventContext;
  private readonly waiting = new Map<string, Promise<void>>();
  /** Tags of events that are in the stream, as far as we know. */
  private told = new Set<string>();
  private timer: Periodic | undefined;

  constructor(context: EventContext) {
    this.context = context;
  }

  start(isLeader: () => boolean): void {
    const period = { what: 'events of enrollments', everyMs: LOOK_MS, spread: SPREAD };
    this.timer = periodic(this.context.runtime, period, async () => {
      if (isLeader() && !this.context.life.aborted) await this.tellMissing();
    });
  }

  /** The record has got into this state, by our hand. */
  tell(record: Enrollment, state: EnrollmentState): void {
    this.context.metrics.enrollmentBecame(state);
    const change = record.changes.findLast((each) => each.state === state);
    if (change !== undefined && this.waiting.size < WAITING_MAX) void this.begin(tellingOf(record, change));
  }

  /** Resolves when nothing waits any more. */
  async stop(): Promise<void> {
    this.timer?.stop();
    await Promise.all(this.waiting.values());
  }

  private async tellMissing(): Promise<void> {
    const stream = this.context.bus.stream(STREAMS.events.name);
    const due = this.untold();
    if (due.length > ASKED_MAX)
      await stream.replay({ filter: masterEventsPattern('enroll'), lastPerSubject: true }, ({ subject }) => {
        this.told.add(subject);
      });
    else
      for (const { tag } of due) {
        const last = await stream.last(masterEventSubject(tag));
        if (last !== undefined) this.told.add(last.subject);
      }
    const missing = this.untold();
    if (missing.length > 0)
      this.context.runtime.log.info('events of enrollments that nobody had told', { count: missing.length });
    for (const telling of missing.slice(0, WAITING_MAX)) await this.begin(telling);
  }

  /** Overdue, and not known to be told. Forgets what is too old to be told. */
  private untold(): Telling[] {
    const { enrollments } = this.context;
    const now = this.context.now();
    const told = new Set<string>();
    const untold: Telling[] = [];
    for (const record of enrollments.view.all())
      for (const change of changesToTell(record, enrollments.currentOf(record.peelId), now)) {
        const telling = tellingOf(record, change);
        const subject = masterEventSubject(telling.tag);
        if (this.told.has(subject)) told.add(subject);
        else if (isOverdue(change, now) && !this.waiting.has(telling.tag)) untold.push(telling);
      }
    this.told = told;
    return untold;
  }

  private begin(telling: Telling): Promise<void> {
    const { tag, record } = telling;
    const { log } = this.context.runtime;
    const done = this.tellNow(telling)
      .catch((error: unknown) =>
        log.warn('an event of an enrollment is not told yet', { id: record.id, tag, error }),
      )
      .finally(() => this.waiting.delete(tag));
    this.waiting.set(tag, done);
    return done;
  }

  private async tellNow({ record, change, tag }: Telling): Promise<void> {
    const { runtime, life } = this.context;
    const data = changeEventData(record, change);
    const event = { id: changeEventId(record, change), tag, data, timestamp: change.at };
    await retried(runtime, life, 'event of an enrollment', () => appendMasterEvent(this.context, event));
    this.told.add(masterEventSubject(tag));
  }
}

function tellingOf(record: Enrollment, change: StateChange): Telling {
  return { record, change, tag: enrollmentEventTag(change.state, record.id) };
}
