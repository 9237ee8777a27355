/**
 * `lastSeen` tells when a peel was last seen. While it is there its heartbeat says so. Heartbeats are kept for half a
 * minute only; of a peel that is away two other traces have a time: its facts, written when it connects and when they
 * change, and its last word on a job. It may have been there later without leaving one, so these are told as what they
 * are.
 */
import type { Bus } from '../../bus/port.ts';
import { joinedStreams } from '../../bus/stream/joined-streams.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { PEEL_WORD_STREAMS } from '../../wire/names/streams.ts';
import { peelWordsSubject } from '../../wire/names/subjects.ts';

export interface LastSeen {
  readonly atMs: number;
  readonly by: 'heartbeat' | 'facts' | 'job';
}

/** Each is a question to the leader of the stream; beyond it only the facts of a peel are told. */
const ASKED_MAX = 100;

export function lastSeen(traces: {
  readonly heartbeatMs: number | undefined;
  readonly factsMs: number | undefined;
  readonly wordMs: number | undefined;
}): LastSeen | undefined {
  const { heartbeatMs, factsMs, wordMs } = traces;
  if (heartbeatMs !== undefined) return { atMs: heartbeatMs, by: 'heartbeat' };
  if (factsMs === undefined && wordMs === undefined) return undefined;
  return (wordMs ?? 0) > (factsMs ?? 0)
    ? { atMs: wordMs ?? 0, by: 'job' }
    : { atMs: factsMs ?? 0, by: 'facts' };
}

/** When these peels last said something about a job; absent for those that did not within the life of the stream. */
export async function readLastWords(
  bus: Bus,
  peels: readonly PeelId[],
): Promise<ReadonlyMap<string, number>> {
  const stream = joinedStreams(bus, PEEL_WORD_STREAMS);
  const words = await Promise.all(
    peels.slice(0, ASKED_MAX).map(async (peel) => [peel, await stream.last(peelWordsSubject(peel))] as const),
  );
  return new Map(
    words.flatMap(([peel, word]) => (word === undefined ? [] : [[peel as string, word.publishedMs]])),
  );
}
