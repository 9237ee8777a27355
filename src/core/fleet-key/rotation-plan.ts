/**
 * The rotation plan decides about generations of the fleet key (decision 46), from the records that masters share:
 *
 *   goodGenerations      which ones peels accept, and until when: the newest, and while its overlap lasts the one before
 *   provingGeneration    which one a master proves a command with, for a peel of which it knows what it has
 *   overlapVerdict       whether the overlap ends now
 *   rotationRefusal      whether another rotation may begin
 *
 * A peel is proven to with what it has confirmed, so it and a master always have a generation in common: before it confirms the
 * old one, which is good until the overlap ends; afterwards the new one. When the overlap ends without the word of a peel, it
 * learns the new one by reading the list before it refuses (peel/intake/intake.ts).
 *
 * Programs that know of no generations follow the newest public key by themselves, and drop the old one ten minutes after they
 * saw it. They never confirm; from the middle of the shortest overlap on they are taken to have it.
 *
 * Times are of two clocks. A wrong wall clock may end an overlap late, or early by the most that is allowed, but never before
 * the master that ends it has itself seen it for the shortest time. Pure.
 */
export type GenerationPhase = 'overlap' | 'final';

/** One generation from the second on, as its record tells it. */
export interface GenerationRecord {
  readonly generation: number;
  readonly phase: GenerationPhase;
  readonly createdMs: number;
  readonly overlapMinMs: number;
  readonly overlapMaxMs: number;
}

export interface GoodGeneration {
  readonly generation: number;
  readonly sinceMs: number | undefined;
  /** The end of its use at the latest; undefined for the newest. */
  readonly untilMs: number | undefined;
}

export const FIRST = 1;
/** More than anybody needs: masters keep all of them, to open what was sealed long ago. */
export const GENERATIONS_MAX = 256;

/** The newest first. `records`: in any order. */
export function goodGenerations(records: readonly GenerationRecord[]): readonly GoodGeneration[] {
  const sorted = [...records].sort((a, b) => b.generation - a.generation);
  const [newest, before] = sorted;
  if (newest === undefined) return [{ generation: FIRST, sinceMs: undefined, untilMs: undefined }];
  const current = { generation: newest.generation, sinceMs: newest.createdMs, untilMs: undefined };
  if (newest.phase === 'final') return [current];
  return [
    current,
    {
      generation: before?.generation ?? FIRST,
      sinceMs: before?.createdMs,
      untilMs: newest.createdMs + newest.overlapMaxMs,
    },
  ];
}

/** `confirmed`: what the last heartbeat of the peel said; 0 where it says nothing, undefined where there is none. */
export function provingGeneration(
  records: readonly GenerationRecord[],
  confirmed: number | undefined,
  nowMs: number,
): number {
  const [newest, before] = goodGenerations(records);
  const current = newest?.generation ?? FIRST;
  if (before === undefined || confirmed === undefined) return current;
  if (confirmed >= current) return current;
  if (confirmed > 0) return before.generation;
  const record = records.find(({ generation }) => generation === current);
  const switchMs = (record?.createdMs ?? 0) + (record?.overlapMinMs ?? 0) / 2;
  return nowMs >= switchMs ? current : before.generation;
}

export interface OverlapView {
  readonly newest: GenerationRecord;
  /** Wall clock. */
  readonly nowMs: number;
  /** How long this master has known of the overlap, on its monotonic clock. */
  readonly seenForMs: number;
  /** Peels with a living heartbeat that have not confirmed. */
  readonly peelsMissing: number;
  readonly mastersMissing: number;
  /** Records that are still sealed under an older generation. Undefined: not looked. */
  readonly sealedOld: number | undefined;
}

export type OverlapVerdict =
  | { readonly is: 'none' }
  | { readonly is: 'wait'; readonly for: 'time' | 'masters' | 'peels' | 'seals' }
  | { readonly is: 'end'; readonly because: 'confirmed' | 'time is up' };

export function overlapVerdict(view: OverlapView): OverlapVerdict {
  const { newest, nowMs, seenForMs, peelsMissing, mastersMissing, sealedOld } = view;
  if (newest.phase === 'final') return { is: 'none' };
  const ageMs = nowMs - newest.createdMs;
  if (seenForMs < newest.overlapMinMs || ageMs < newest.overlapMinMs) {
    // A clock that is behind must not keep it open for ever.
    return seenForMs >= newest.overlapMaxMs ? { is: 'end', because: 'time is up' } : wait('time');
  }
  if (ageMs >= newest.overlapMaxMs || seenForMs >= newest.overlapMaxMs)
    return { is: 'end', because: 'time is up' };
  if (mastersMissing > 0) return wait('masters');
  if (peelsMissing > 0) return wait('peels');
  return sealedOld === 0 ? { is: 'end', because: 'confirmed' } : wait('seals');
}

function wait(what: 'time' | 'masters' | 'peels' | 'seals'): OverlapVerdict {
  return { is: 'wait', for: what };
}

export type RotationRefusal = 'running' | 'masters' | 'too many';

/** Undefined: it may begin. `mastersMissing`: of the newest generation there is. */
export function rotationRefusal(
  records: readonly GenerationRecord[],
  mastersMissing: number,
): RotationRefusal | undefined {
  if (goodGenerations(records).length > 1) return 'running';
  if (records.length + 1 >= GENERATIONS_MAX) return 'too many';
  return mastersMissing > 0 ? 'masters' : undefined;
}

export function nextGeneration(records: readonly GenerationRecord[]): number {
  return Math.max(FIRST, ...records.map(({ generation }) => generation)) + 1;
}
