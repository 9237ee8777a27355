/**
 * This file measures how long jobs had a dead owner. A survivor can only be blamed for the time in which it was well
 * without a break, and the server too: so the time from the owner's departure to the adoption is compared with the
 * limit for each such span.
 */
import type { FleetMaster } from '../programs/process-fleet.ts';
import type { TroubledTime } from './chaos-fleet.ts';
import type { TroubleKind } from './schedule.ts';

export interface LoggedAdoption {
  readonly jid: string;
  /** Id of the owner that went. */
  readonly from: string;
  readonly atMs: number;
}

export interface Reclaim extends LoggedAdoption {
  readonly kind: TroubleKind;
  /** The longest time in which one and the same master was well and had not adopted the job yet. */
  readonly idleMs: number;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** After a cut or a frozen server: until the line is up again. After the others: until it has its breath back. */
const RECOVERY_MS: Readonly<Record<TroubleKind, number>> = {
  partition: 4_000,
  freeze: 2_000,
  kill: 1_000,
  stop: 1_000,
};
const SERVER_RECOVERY_MS = 4_000;

export function adoptionsIn(masters: readonly FleetMaster[]): LoggedAdoption[] {
  return masters.flatMap((master) =>
    master
      .allLines()
      .filter(({ msg }) => msg === 'job adopted')
      .map(({ time, jid, from }) => ({ jid: String(jid), from: String(from), atMs: Date.parse(time) })),
  );
}

/** `strange`: adoptions from a master that nothing had happened to. */
export function judgeReclaims(
  adoptions: readonly LoggedAdoption[],
  masters: readonly string[],
  troubled: readonly TroubledTime[],
  startMs: number,
): { readonly reclaims: Reclaim[]; readonly strange: LoggedAdoption[] } {
  const reclaims: Reclaim[] = [];
  const strange: LoggedAdoption[] = [];
  for (const adoption of adoptions) {
    const causes = troubled.filter(
      ({ masterId, fromMs }) => masterId === adoption.from && fromMs <= adoption.atMs,
    );
    const cause = causes.at(-1);
    if (cause === undefined) {
      strange.push(adoption);
      continue;
    }
    const spans = masters
      .filter((name) => name !== cause.trouble.victim || cause.toMs !== undefined)
      .flatMap((name) => wellSpans(name, masters, troubled, { fromMs: startMs, toMs: adoption.atMs }));
    const idle = spans.map(({ fromMs, toMs }) => toMs - Math.max(fromMs, cause.fromMs));
    reclaims.push({ ...adoption, kind: cause.trouble.kind, idleMs: Math.max(0, ...idle) });
  }
  return { reclaims, strange };
}

/** When a master, and the server with it, was well. A trouble of a peel is nobody else's. */
function wellSpans(
  name: string,
  masters: readonly string[],
  troubled: readonly TroubledTime[],
  within: Span,
): Span[] {
  const isOurs = (victim: string) => victim === name || isServer(victim, masters);
  const bad = troubled
    .filter(({ trouble }) => isOurs(trouble.victim))
    .map(({ trouble, fromMs, toMs = Number.POSITIVE_INFINITY }) => ({
      fromMs,
      toMs: toMs + (trouble.victim === name ? RECOVERY_MS[trouble.kind] : SERVER_RECOVERY_MS),
    }))
    .sort((a, b) => a.fromMs - b.fromMs);
  const spans: Span[] = [];
  let fromMs = within.fromMs;
  for (const each of bad) {
    if (each.fromMs > fromMs) spans.push({ fromMs, toMs: Math.min(each.fromMs, within.toMs) });
    fromMs = Math.max(fromMs, each.toMs);
  }
  spans.push({ fromMs, toMs: within.toMs });
  return spans.filter((span) => span.toMs > span.fromMs);
}

function isServer(victim: string, masters: readonly string[]): boolean {
  return !masters.includes(victim) && !victim.startsWith('peel-');
}
