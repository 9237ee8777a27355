/**
 * `WatchShell` is a shell for the plan of a watched job whose store answers when the test says so. After every plan it
 * checks what must hold of all plans.
 */
import { expect } from 'vitest';
import { never } from '../../../src/core/assert.ts';
import { JobTally } from '../../../src/core/jobs/job-tally.ts';
import {
  afterEvent,
  isTaking,
  type JobWatch,
  newJobWatch,
  type WatchEvent,
} from '../../../src/core/jobs/job-watch.ts';
import { isWorthPlanning, planWatch, type WatchStep } from '../../../src/core/jobs/plan-watch.ts';
import { msToResend } from '../../../src/core/jobs/watch-times.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { type Job, jobCodec } from '../../../src/wire/records/job.ts';
import { rowCodec } from '../../../src/wire/records/job-return.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
export const peel = (i: number) => `web-${i}` as PeelId;
export const TARGETS = 4;
export const TIMEOUT_MS = 60_000;
const WINDOW_MS = 5_000;
export const LOOK_GAP_MS = 17_000;
const READINGS = ['read-history', 'read-again', 'read-cancels'];

const jobOf = (targets: number): Job =>
  jobCodec.create({
    jid: JID,
    function: 'test.ping',
    targets: Array.from({ length: targets }, (_, i) => peel(i)),
    status: 'running',
  });

interface Done {
  readonly step: WatchStep;
  readonly atMs: number;
}

export class WatchShell {
  readonly tally: JobTally;
  readonly done: Done[] = [];
  /** Steps that have not ended. */
  running: WatchStep[] = [];
  watch: JobWatch;
  nowMs = 0;
  alarmMs: number | undefined;
  isLost = false;
  private lastSentMs = Number.NEGATIVE_INFINITY;

  constructor({ targets = TARGETS, ackWindowMs = WINDOW_MS } = {}) {
    this.tally = new JobTally(jobOf(targets));
    this.watch = newJobWatch({ deadlineMs: TIMEOUT_MS, ackWindowMs, lookGapMs: LOOK_GAP_MS }, 0);
  }

  kinds(): string[] {
    return this.done.map(({ step }) => step.kind);
  }

  times(kind: WatchStep['kind']): number[] {
    return this.done.filter(({ step }) => step.kind === kind).map(({ atMs }) => atMs);
  }

  tell(event: WatchEvent): void {
    const before = this.watch;
    this.watch = afterEvent(before, event, this.nowMs);
    if (event.kind === 'lost' && before.phase !== 'counting' && before.phase !== 'gone') this.isLost = true;
    if (event.kind === 'sent') this.lastSentMs = this.nowMs;
    const isOfRow = event.kind === 'taken' || event.kind === 'stored';
    if (!isOfRow || isWorthPlanning(this.watch, this.tally, this.nowMs)) this.act();
    else this.checkRest();
  }

  act(): void {
    const before = this.watch;
    const { watch, steps } = planWatch(before, this.tally, this.nowMs);
    this.watch = watch;
    for (const step of steps) this.begin(before, step);
    this.checkRest();
  }

  private begin(before: JobWatch, step: WatchStep): void {
    expect(this.kinds()).not.toContain('leave');
    if (this.isLost) expect(step).toEqual({ kind: 'leave', farewell: 'lost' });
    switch (step.kind) {
      case 'send':
        expect([before.phase, before.start, this.nowMs < TIMEOUT_MS]).toEqual(['open', 'begun', true]);
        expect(step.round).toBe(this.times('send').length);
        if (step.round > 0) {
          const gapMs = msToResend(before.ackWindowMs, step.round, TIMEOUT_MS - this.lastSentMs);
          expect(this.nowMs - this.lastSentMs).toBeGreaterThanOrEqual(gapMs ?? Number.POSITIVE_INFINITY);
        }
        expect(step.peels).toEqual(this.tally.silent());
        break;
      case 'request':
        expect([before.phase, before.start, this.nowMs < TIMEOUT_MS]).toEqual(['open', 'begun', true]);
        expect(step.peels.filter((each) => !this.tally.isSilent(each))).toEqual([]);
        expect(step.peels.length).toBeGreaterThan(0);
        break;
      case 'count':
        expect(this.kinds()).not.toContain('count');
        expect(before.pulse.unstored).toBe(0);
        break;
      case 'read-history':
        expect(this.kinds()).not.toContain('read-history');
        break;
      case 'read-again':
      case 'read-cancels':
        expect(this.running.filter((each) => READINGS.includes(each.kind))).toEqual([]);
        break;
      case 'wait':
        expect(step.untilMs).toBeGreaterThan(this.nowMs);
        this.alarmMs = step.untilMs;
        return;
      case 'ask-newest':
      case 'stop-indexing':
      case 'stop-listening':
      case 'leave':
        break;
      default:
        never(step);
    }
    this.done.push({ step, atMs: this.nowMs });
    if (['send', 'count', 'ask-newest', ...READINGS].includes(step.kind)) this.running.push(step);
  }

  /** Every phase has what it waits for, and a plan asks for nothing twice. */
  private checkRest(): void {
    const { watch } = this;
    const again = planWatch(watch, this.tally, this.nowMs);
    expect(again.steps.filter(({ kind }) => kind !== 'wait')).toEqual([]);
    switch (watch.phase) {
      case 'open':
        expect(this.tally.allReturned()).toBe(false);
        if (watch.isListening) expect(again.steps).toEqual([{ kind: 'wait', untilMs: this.alarmMs }]);
        break;
      case 'settling':
        expect(watch.reading !== undefined || watch.pulse.unstored > 0).toBe(true);
        break;
      case 'detaching':
        expect(watch.pulse.unstored).toBeGreaterThan(0);
        break;
      case 'counting':
        expect(this.running.map(({ kind }) => kind)).toContain('count');
        break;
      case 'leaving':
        expect.fail('a farewell waits for nothing');
        break;
      case 'gone':
        expect(this.kinds().filter((kind) => kind === 'leave')).toEqual(['leave']);
        break;
      default:
        never(watch.phase);
    }
    if (watch.reading !== undefined)
      expect(this.running.filter(({ kind }) => READINGS.includes(kind)).length).toBe(1);
  }

  /** A target that is silent, or has acked, returns. As in the real shell the return is refused when it is too late. */
  takeReturn(i: number, outcome: 'returned' | 'canceled'): void {
    if (!isTaking(this.watch) || this.tally.hasReturned(peel(i))) return;
    const success = outcome === 'returned';
    this.tally.noteReturn(peel(i), rowCodec.create({ jid: JID, peelId: peel(i), success, outcome }));
    this.tell({ kind: 'taken' });
  }

  cancel(): void {
    if (this.tally.isCanceled() || !isTaking(this.watch)) return;
    this.tally.noteCancel(1n);
    this.tell({ kind: 'must-end' });
  }

  /** The first step that has not ended ends: well, or in the way that `how` picks. */
  finish(how: 'well' | 'failed' | 'lost'): void {
    const step = this.running[0];
    if (step?.kind === 'read-again') {
      this.tell(how === 'lost' ? { kind: 'lost' } : { kind: 'owned', askedMs: this.nowMs });
      // What it reads may be more than there is room for.
      if (how === 'failed') this.tell({ kind: 'not-taken' });
    }
    this.running.shift();
    if (step?.kind === 'send') this.tell({ kind: 'sent' });
    else if (step?.kind === 'ask-newest')
      this.tell({ kind: 'newest', sequence: how === 'failed' ? undefined : 7 });
    else if (step?.kind === 'count')
      this.tell({ kind: 'counted', farewell: how === 'well' ? 'ended' : how === 'lost' ? 'lost' : 'let-go' });
    else if (step !== undefined)
      this.tell({ kind: how === 'failed' && step.kind !== 'read-again' ? 'read-failed' : 'read' });
  }

  /** Time passes; nothing else happens but what is planned for a time. */
  advance(ms: number): void {
    const endMs = this.nowMs + ms;
    while (this.alarmMs !== undefined && this.alarmMs <= endMs) {
      this.nowMs = this.alarmMs;
      this.alarmMs = undefined;
      this.act();
    }
    this.nowMs = endMs;
  }

  /** The same in a world that answers at once. */
  advanceWell(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      while (this.running.length > 0) this.finish('well');
      this.advance(Math.min(endMs, this.alarmMs ?? endMs) - this.nowMs);
    }
    while (this.running.length > 0) this.finish('well');
  }

  start(): this {
    this.tell({ kind: 'listening' });
    this.tell({ kind: 'begun' });
    return this;
  }
}
