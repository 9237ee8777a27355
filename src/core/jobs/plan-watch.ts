/**
 * `planWatch` decides what is to be done for a watched job: its state and the time in, the steps out. Each step is given
 * once; the state that comes with the steps has them begun, and the events that end them are told to `afterEvent`.
 *
 * A job ends when all have returned, at the deadline or shortly after (`msToClosing`), when it is canceled, and when it
 * cannot be carried on. Never earlier: a silent target may be on its way back.
 *
 * Requests go out, before the deadline: at the start; to silent targets after the ack window and then at growing
 * intervals (`msToResend`); to a silent target that appears; and to all silent ones after something may have been missed.
 *
 * The stream, where peels have their acks and returns confirmed, is read: to recover a job; after something may have been
 * missed; when nothing was heard for a while though the stream has something new; and before a job ends without all
 * returns. Each reading but the first looks first whether the job is still ours.
 */
import type { PeelId } from '../../wire/names/ids.ts';
import { never } from '../assert.ts';
import type { JobTally } from './job-tally.ts';
import { type Farewell, type JobWatch, mayRequest, type Reading, SILENCE_MS } from './job-watch.ts';
import { msToClosing } from './watch-times.ts';

export type WatchStep =
  /** To all silent targets, because it is time to. `round` 0: the first request. Then tell `sent`. */
  | { readonly kind: 'send'; readonly peels: readonly PeelId[]; readonly round: number }
  /** To these, out of turn. */
  | { readonly kind: 'request'; readonly peels: readonly PeelId[] }
  /** All rows and all words of the job. Then tell `read`. */
  | { readonly kind: 'read-history' }
  /** Who owns the job (tell `owned` or `lost`), and if we do all words of it (tell `read`). */
  | { readonly kind: 'read-again' }
  /** Only the cancels. Then tell `read`. */
  | { readonly kind: 'read-cancels' }
  /** Ask the stream for the newest return of the job. Then tell `newest`. */
  | { readonly kind: 'ask-newest' }
  /** An entry of the index that is made from now on might outlive the job. */
  | { readonly kind: 'stop-indexing' }
  /** Hear no more, wait for nothing more. */
  | { readonly kind: 'stop-listening' }
  /** Write the rows of the silent and the final record. Then tell `counted`. */
  | { readonly kind: 'count' }
  | { readonly kind: 'leave'; readonly farewell: Farewell }
  /** Plan again at this time at the latest. Replaces the wait before it. */
  | { readonly kind: 'wait'; readonly untilMs: number };

export interface WatchPlan {
  readonly watch: JobWatch;
  readonly steps: readonly WatchStep[];
}

/** What the plan asks of the tally. */
export type TallyView = Pick<JobTally, 'allReturned' | 'someAtWork' | 'someStopped' | 'silent' | 'isSilent'>;

export function planWatch(watch: JobWatch, tally: TallyView, nowMs: number): WatchPlan {
  switch (watch.phase) {
    case 'open':
      return isDue(watch, tally, nowMs) ? planEnd(watch, tally) : planOpen(watch, tally, nowMs);
    case 'settling':
      return planSettling(watch);
    case 'detaching':
      return planDetaching(watch);
    case 'leaving':
      return planFarewell(watch);
    case 'counting':
    case 'gone':
      return { watch, steps: [] };
    default:
      return never(watch.phase);
  }
}

/**
 * Whether a return that was taken, or a row that was stored, can lead to a step. As long as the job is open only the last
 * return does, or after the deadline any: the word that was waited for.
 */
export function isWorthPlanning(watch: JobWatch, tally: TallyView, nowMs: number): boolean {
  return watch.phase !== 'open' || tally.allReturned() || nowMs >= watch.deadlineMs;
}

/** The clock runs from the moment we listen: before it nothing that a target says could be heard. */
function isDue(watch: JobWatch, tally: TallyView, nowMs: number): boolean {
  if (watch.mustEnd || tally.allReturned()) return true;
  return watch.isListening && msToClosing(tally, watch.deadlineMs - nowMs) === 0;
}

function planOpen(watch: JobWatch, tally: TallyView, nowMs: number): WatchPlan {
  const requests = planRequests(watch, tally, nowMs);
  const reading = planReading(requests.watch, nowMs);
  const look = planLook(reading.watch, nowMs);
  const untilMs = nextTime(look.watch, tally, nowMs);
  const wait: WatchStep[] = untilMs === undefined ? [] : [{ kind: 'wait', untilMs }];
  return { watch: look.watch, steps: [...requests.steps, ...reading.steps, ...look.steps, ...wait] };
}

/** Who is silent now may be so later; who is not never is again. So nobody silent means: no more sends. */
function planRequests(watch: JobWatch, tally: TallyView, nowMs: number): WatchPlan {
  const { outOfTurn, resendMs, sends } = watch;
  if (!mayRequest(watch, nowMs))
    return { watch: { ...watch, outOfTurn: [], resendMs: undefined }, steps: [] };
  const planned: JobWatch = { ...watch, outOfTurn: [] };
  if (resendMs !== undefined && resendMs <= nowMs) {
    const peels = tally.silent();
    const steps: WatchStep[] = peels.length === 0 ? [] : [{ kind: 'send', peels, round: sends }];
    return { watch: { ...planned, resendMs: undefined }, steps };
  }
  if (outOfTurn.length === 0) return { watch, steps: [] };
  const peels = outOfTurn === 'everyone' ? tally.silent() : outOfTurn.filter((peel) => tally.isSilent(peel));
  return { watch: planned, steps: peels.length === 0 ? [] : [{ kind: 'request', peels }] };
}

function planReading(watch: JobWatch, nowMs: number): WatchPlan {
  const { wanted, reading, start, isListening } = watch;
  if (reading !== undefined) return { watch, steps: [] };
  if (start === 'recovering' && isListening) return beginReading(watch, 'history');
  const isDueNow = wanted !== undefined && wanted.dueMs <= nowMs;
  return isDueNow ? beginReading(watch, 'again') : { watch, steps: [] };
}

function beginReading(watch: JobWatch, what: Reading['what']): WatchPlan {
  const { wanted } = watch;
  const follows = what === 'again' ? wanted : undefined;
  const reading: Reading = {
    what,
    asksSilent: follows?.asksSilent ?? false,
    upTo: follows?.upTo ?? 0,
    settlesAt: undefined,
  };
  const begun: JobWatch = { ...watch, reading, wanted: what === 'again' ? undefined : wanted };
  return { watch: begun, steps: [{ kind: `read-${what}` }] };
}

/** A core message may be lost while the line seems good. */
function planLook(watch: JobWatch, nowMs: number): WatchPlan {
  if (!mayLook(watch) || watch.lookMs === undefined || watch.lookMs > nowMs) return { watch, steps: [] };
  const silentMs = nowMs - watch.pulse.heardMs;
  if (silentMs < SILENCE_MS)
    return { watch: { ...watch, lookMs: watch.pulse.heardMs + SILENCE_MS }, steps: [] };
  return { watch: { ...watch, lookMs: undefined }, steps: [{ kind: 'ask-newest' }] };
}

/** A reading that is under way, or wanted, tells more than a look. */
function mayLook({ start, reading, wanted }: JobWatch): boolean {
  return start === 'begun' && reading === undefined && wanted === undefined;
}

function nextTime(watch: JobWatch, tally: TallyView, nowMs: number): number | undefined {
  const { isListening, resendMs, wanted, reading, lookMs, deadlineMs } = watch;
  const closingMs = isListening ? nowMs + msToClosing(tally, deadlineMs - nowMs) : undefined;
  const times = [
    closingMs,
    resendMs,
    reading === undefined ? wanted?.dueMs : undefined,
    mayLook(watch) ? lookMs : undefined,
  ].filter((ms) => ms !== undefined);
  return times.length === 0 ? undefined : Math.ceil(Math.min(...times));
}

function planEnd(watch: JobWatch, tally: TallyView): WatchPlan {
  // Who stopped was told to, and its return may have overtaken the cancel.
  const complete = tally.someStopped() ? 'cancels' : 'nothing';
  const unknown = tally.allReturned() ? complete : 'stream';
  return withStep({ kind: 'stop-indexing' }, planSettling({ ...watch, phase: 'settling', unknown }));
}

/**
 * Counts from where all that was published is known and all that was taken is stored. A return that was not taken
 * meanwhile, for want of room or because the job may have been another's, is read again when the others are stored.
 */
function planSettling(watch: JobWatch): WatchPlan {
  const { unknown, settledAt, notTaken, reading, pulse } = watch;
  if (reading !== undefined && unknown !== 'nothing') return { watch, steps: [] };
  if (unknown === 'cancels') return beginReading(watch, 'cancels');
  if (unknown === 'stream' && settledAt === undefined) return beginReading(watch, 'again');
  if (pulse.unstored > 0) return { watch, steps: [] };
  if (unknown === 'stream' && settledAt !== notTaken) return beginReading(watch, 'again');
  return { watch: { ...watch, phase: 'counting' }, steps: [{ kind: 'count' }] };
}

/** What was taken is stored; the rest is an adopter's. */
function planDetaching(watch: JobWatch): WatchPlan {
  if (watch.isListening)
    return withStep({ kind: 'stop-listening' }, planDetaching({ ...watch, isListening: false }));
  if (watch.pulse.unstored > 0) return { watch, steps: [] };
  return planFarewell({ ...watch, phase: 'leaving', farewell: 'let-go' });
}

function planFarewell(watch: JobWatch): WatchPlan {
  const farewell = watch.farewell ?? 'let-go';
  return { watch: { ...watch, phase: 'gone' }, steps: [{ kind: 'leave', farewell }] };
}

function withStep(step: WatchStep, plan: WatchPlan): WatchPlan {
  return { watch: plan.watch, steps: [step, ...plan.steps] };
}
