/**
 * `JobWatch` is the state of one watched job as plain data; `afterEvent` says what each event changes in it. `planWatch`
 * (plan-watch.ts) decides from the state and the time what is to be done; `src/master/watch/job-watcher.ts` does it and
 * tells the events. What the targets said is in the job's tally. No I/O, no clock: all times are given, on one monotonic
 * clock, so a wall clock that is set moves no deadline.
 *
 *   open ───────────────────────▶ settling ───────────────▶ counting ──────────────────▶ leaving ──▶ gone
 *    │    all returned, deadline,           all is known and            the final record
 *    │    cancel, failure                   stored                      is written
 *    └──▶ detaching ──▶ leaving             a graceful stop: what was taken is stored first
 *
 * From every phase but `counting` a job that is found to be another's goes straight to `leaving`, and from every phase one
 * that is abandoned.
 */
import type { PeelId } from '../../wire/names/ids.ts';
import { never } from '../assert.ts';
import { msToResend } from './watch-times.ts';

/** Until the stream is read again because a return was not taken. */
export const NOT_TAKEN_MS = 1_000;
/** After so long without a word the stream is asked for its newest return: one question, and mostly nothing was lost. */
export const SILENCE_MS = 15_000;

export type WatchPhase =
  /** Sends requests, takes returns, waits. */
  | 'open'
  /** The master stops: nothing more is taken or sent; what was taken is being stored. */
  | 'detaching'
  /** The end has begun: nothing more is sent, and what still comes is taken until all that was published is known. */
  | 'settling'
  /** Nothing more is taken: rows for the silent targets and the final record are being written. */
  | 'counting'
  /** It is over, for the reason in `farewell`. */
  | 'leaving'
  | 'gone';

/** `let-go`: it was not ended here, and somebody else may do that. */
export type Farewell = 'ended' | 'lost' | 'let-go';

/** Requests go out from `begun` on. */
export type WatchStart =
  /** The dispatch has not given its word yet. */
  | 'held'
  /** Adopted: it is not known what was said before we listened, so nobody counts as silent. */
  | 'recovering'
  | 'begun';

/** A reading of the stream that is wanted, and what is to follow from it. */
export interface Wanted {
  readonly dueMs: number;
  /** Something was missed: who is still silent afterwards gets its request again. */
  readonly asksSilent: boolean;
  /** The newest return that the stream is known to have; 0 when it was not asked. */
  readonly upTo: number;
}

export interface Reading {
  readonly what: 'history' | 'again' | 'cancels';
  readonly asksSilent: boolean;
  readonly upTo: number;
  /** `notTaken` when a reading began that can end the job: one in the phase `settling`. */
  readonly settlesAt: number | undefined;
}

/**
 * What changes with every word of a target. It is changed in place, and so the one part of the state that is shared with
 * older states: a copy of the whole for each word of each target stood out in the profile of a busy master.
 */
export interface Pulse {
  /** When any word of a peel came last. */
  heardMs: number;
  /** Rows on their way to the store. */
  unstored: number;
}

export interface JobWatch {
  readonly phase: WatchPhase;
  readonly farewell: Farewell | undefined;
  readonly start: WatchStart;
  readonly isListening: boolean;
  /** A job that is taken up only to be ended, once it is known who has returned. */
  readonly isGivenUp: boolean;
  /** Canceled, or it cannot be carried on. */
  readonly mustEnd: boolean;

  readonly deadlineMs: number;
  /** Negative: nothing is sent again because time has passed. */
  readonly ackWindowMs: number;
  /** Between two questions for the newest return; differs from job to job. */
  readonly lookGapMs: number;

  readonly pulse: Pulse;
  /** When the job was last known to be ours. */
  readonly oursMs: number;

  /** Times that all silent targets were sent to because it was time to, the first send included. */
  readonly sends: number;
  readonly resendMs: number | undefined;
  /** Who gets a request out of turn, if it is silent: it has appeared, or something was missed. */
  readonly outOfTurn: readonly PeelId[] | 'everyone';

  readonly wanted: Wanted | undefined;
  /** At most one at a time. */
  readonly reading: Reading | undefined;
  readonly lookMs: number | undefined;
  /** The newest return of the stream when all of it was last read because of a silence. */
  readonly readUpTo: number;

  /** Returns that were not taken; the stream has them. */
  readonly notTaken: number;
  /** What must be known before the job is counted. */
  readonly unknown: 'nothing' | 'cancels' | 'stream';
  /** `notTaken` when the last reading began that could end the job. */
  readonly settledAt: number | undefined;
}

export type WatchEvent =
  /** Taken up from a dead master. */
  | { readonly kind: 'recovering'; readonly isGivenUp: boolean }
  /** From now on no word can be missed while the line is good. */
  | { readonly kind: 'listening' }
  /** The dispatch has done everything that comes before the first request. */
  | { readonly kind: 'begun' }
  /** Any word came, be it nonsense. */
  | { readonly kind: 'heard' }
  /** A peel has come (back), or can be sent proofs from now on. */
  | { readonly kind: 'appeared'; readonly peel: PeelId }
  /** The line was lost, we were frozen, or the index names another owner. */
  | { readonly kind: 'may-have-missed' }
  | { readonly kind: 'not-taken' }
  /** A return was taken and is on its way to the store. */
  | { readonly kind: 'taken' }
  /** It is there, or can never be. */
  | { readonly kind: 'stored' }
  /** The send that `planWatch` asked for is done. */
  | { readonly kind: 'sent' }
  /** The record was asked for at `askedMs`, and names us at our revision. */
  | { readonly kind: 'owned'; readonly askedMs: number }
  /** It does not. */
  | { readonly kind: 'lost' }
  /** The reading that `planWatch` asked for is done. */
  | { readonly kind: 'read' }
  /** It can never be done. */
  | { readonly kind: 'read-failed' }
  /** The answer to the question for the newest return; undefined when there is none, or no answer. */
  | { readonly kind: 'newest'; readonly sequence: number | undefined }
  /** Canceled, or failed: what the tally says. */
  | { readonly kind: 'must-end' }
  | { readonly kind: 'counted'; readonly farewell: Farewell }
  /** A graceful stop. */
  | { readonly kind: 'detach' }
  /** Dropped at once, without a word to the store. */
  | { readonly kind: 'abandon' };

export interface WatchTimes {
  readonly deadlineMs: number;
  readonly ackWindowMs: number;
  readonly lookGapMs: number;
}

/** The watch of a job that is ours at `nowMs`, before anyone listens. */
export function newJobWatch({ deadlineMs, ackWindowMs, lookGapMs }: WatchTimes, nowMs: number): JobWatch {
  return {
    phase: 'open',
    farewell: undefined,
    start: 'held',
    isListening: false,
    isGivenUp: false,
    mustEnd: false,
    deadlineMs,
    ackWindowMs,
    lookGapMs,
    pulse: { heardMs: nowMs, unstored: 0 },
    oursMs: nowMs,
    sends: 0,
    resendMs: undefined,
    outOfTurn: [],
    wanted: undefined,
    reading: undefined,
    lookMs: undefined,
    readUpTo: 0,
    notTaken: 0,
    unknown: 'stream',
    settledAt: undefined,
  };
}

/** Whether a return that comes now may be counted. */
export function isTaking({ phase }: JobWatch): boolean {
  return phase === 'open' || phase === 'settling';
}

/** Whether somebody should listen for it. */
export function isHearing({ phase }: JobWatch): boolean {
  return phase === 'open' || phase === 'settling' || phase === 'counting';
}

/** Whether requests may go out. What is received after the deadline is not started. */
export function mayRequest({ phase, start, deadlineMs }: JobWatch, nowMs: number): boolean {
  return phase === 'open' && start === 'begun' && nowMs < deadlineMs;
}

/** The watch after the event. What comes too late for its phase changes nothing. */
export function afterEvent(watch: JobWatch, event: WatchEvent, nowMs: number): JobWatch {
  const isOpen = watch.phase === 'open';
  switch (event.kind) {
    case 'recovering':
      return { ...watch, start: 'recovering', isGivenUp: event.isGivenUp };
    case 'listening':
      return isHearing(watch) ? { ...watch, isListening: true } : watch;
    case 'begun':
      return watch.start === 'held' ? begun(watch, nowMs) : watch;
    case 'heard':
      watch.pulse.heardMs = nowMs;
      return watch;
    case 'appeared':
      return isOpen ? { ...watch, outOfTurn: joined(watch.outOfTurn, event.peel) } : watch;
    case 'may-have-missed':
      return isOpen ? wanting(watch, { dueMs: nowMs, asksSilent: true, upTo: 0 }) : watch;
    case 'not-taken':
      return notTaken(watch, nowMs);
    case 'taken':
      watch.pulse.unstored += 1;
      return watch;
    case 'stored':
      watch.pulse.unstored -= 1;
      return watch;
    case 'sent':
      return sent(watch, nowMs);
    case 'owned':
      return owned(watch, event.askedMs);
    case 'lost':
      // While it is counted our own write of the record makes it look so: there the compare-and-set tells who owns it.
      return watch.phase === 'counting' ? watch : leaving(watch, 'lost');
    case 'read':
      return wasRead(watch, nowMs);
    case 'read-failed':
      return readFailed(watch);
    case 'newest':
      return answered(watch, event.sequence ?? 0, nowMs);
    case 'must-end':
      return isOpen ? { ...watch, mustEnd: true } : watch;
    case 'counted':
      return watch.phase === 'counting' ? leaving(watch, event.farewell) : watch;
    case 'detach':
      return isOpen ? { ...watch, phase: 'detaching' } : watch;
    case 'abandon':
      return leaving(watch, 'let-go');
    default:
      return never(event);
  }
}

function leaving(watch: JobWatch, farewell: Farewell): JobWatch {
  if (watch.phase === 'leaving' || watch.phase === 'gone') return watch;
  return { ...watch, phase: 'leaving', farewell };
}

/** The first requests go out now. The spread between looks is for the thousands that are adopted in one moment. */
function begun(watch: JobWatch, nowMs: number): JobWatch {
  return { ...watch, start: 'begun', resendMs: nowMs, lookMs: nowMs + watch.lookGapMs };
}

function joined(peels: JobWatch['outOfTurn'], peel: PeelId): JobWatch['outOfTurn'] {
  return peels === 'everyone' ? peels : [...peels, peel];
}

function wanting(watch: JobWatch, more: Wanted): JobWatch {
  const { wanted = more } = watch;
  return {
    ...watch,
    wanted: {
      dueMs: Math.min(wanted.dueMs, more.dueMs),
      asksSilent: wanted.asksSilent || more.asksSilent,
      upTo: Math.max(wanted.upTo, more.upTo),
    },
  };
}

function notTaken(watch: JobWatch, nowMs: number): JobWatch {
  const counted = { ...watch, notTaken: watch.notTaken + 1 };
  if (watch.phase !== 'open') return counted;
  return wanting(counted, { dueMs: nowMs + NOT_TAKEN_MS, asksSilent: true, upTo: 0 });
}

function sent(watch: JobWatch, nowMs: number): JobWatch {
  const sends = watch.sends + 1;
  const gapMs = msToResend(watch.ackWindowMs, sends, watch.deadlineMs - nowMs);
  return { ...watch, sends, resendMs: gapMs === undefined ? undefined : nowMs + gapMs };
}

/** Noted before the stream is read: what it says is taken only from one who owns the job. */
function owned(watch: JobWatch, askedMs: number): JobWatch {
  const { reading, notTaken: settlesAt } = watch;
  const mayEnd = reading !== undefined && watch.phase === 'settling';
  return { ...watch, oursMs: askedMs, reading: mayEnd ? { ...reading, settlesAt } : reading };
}

function wasRead(watch: JobWatch, nowMs: number): JobWatch {
  const { reading } = watch;
  if (reading === undefined) return watch;
  const done: JobWatch = {
    ...watch,
    reading: undefined,
    readUpTo: Math.max(watch.readUpTo, reading.upTo),
    settledAt: reading.settlesAt ?? watch.settledAt,
    outOfTurn: reading.asksSilent ? 'everyone' : watch.outOfTurn,
    unknown: reading.what === 'cancels' ? 'nothing' : watch.unknown,
  };
  if (reading.what !== 'history') return done;
  return { ...begun(done, nowMs), mustEnd: done.mustEnd || done.isGivenUp };
}

/** What cannot be known ends nothing: an open job waits for its deadline, one that was to be counted is let go of. */
function readFailed(watch: JobWatch): JobWatch {
  const start = watch.reading?.what === 'history' ? 'held' : watch.start;
  const stopped: JobWatch = { ...watch, reading: undefined, start };
  return watch.phase === 'settling' ? leaving(stopped, 'let-go') : stopped;
}

function answered(watch: JobWatch, newest: number, nowMs: number): JobWatch {
  const asked: JobWatch = { ...watch, lookMs: nowMs + watch.lookGapMs };
  if (watch.phase !== 'open' || newest <= watch.readUpTo) return asked;
  return wanting(asked, { dueMs: nowMs, asksSilent: false, upTo: newest });
}
