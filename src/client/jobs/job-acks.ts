/**
 * This file reads what the acks of a job say: who has accepted it, who has started it, and who waits behind what. They
 * are in the stream, whoever was listening when they came. A peel that must let a job wait says so, and says again when
 * it starts; the stream may have the two in any order, so "it has started" wins over "it waits", and among waits the
 * newest.
 */
import { openRecordStream } from '../../bus/stream/record-stream.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import type { Decoded } from '../../wire/msgpack/decoded.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { ANY, jobAckSubject } from '../../wire/names/subjects.ts';
import { type JobWord, PEEL_WORDS } from '../../wire/records/job-words.ts';
import type { ClientContext } from '../client-context.ts';

export interface TargetAck {
  /** When the first ack came, on the clock of the store or, of what was heard just now, on ours. */
  readonly ackedMs: number;
  /** What it waits behind: a job id, or other words of the peel; undefined when it has started. */
  readonly behind: string | undefined;
}

export type JobAcks = Map<PeelId, TargetAck>;

/** Takes one word that was said about the job; one that is no ack of it, or cannot be read, does not count. */
export function noteAck(acks: JobAcks, jid: Jid, word: Decoded<JobWord>, atMs: number): void {
  if (!word.isReadable || word.value.kind !== 'ack' || word.value.jid !== jid) return;
  const { peel, value: ack } = word.value;
  const before = acks.get(peel);
  const hasStarted = ack.behind === '' || (before !== undefined && before.behind === undefined);
  acks.set(peel, {
    ackedMs: Math.min(atMs, before?.ackedMs ?? atMs),
    behind: hasStarted ? undefined : ack.behind,
  });
}

export async function readAcks(
  { bus, signal }: ClientContext,
  jid: Jid,
  acks: JobAcks = new Map(),
): Promise<JobAcks> {
  const reading = openRecordStream(bus, PEEL_WORDS).replay(
    { filter: jobAckSubject(jid, ANY) },
    ({ record, message }) => noteAck(acks, jid, record, message.publishedMs),
  );
  await unlessAborted(reading, signal);
  return acks;
}

/** What is known of the targets of an open job. */
export interface TargetWords {
  readonly targets: readonly PeelId[];
  readonly acks: ReadonlyMap<PeelId, TargetAck>;
  /** Some target has returned. A fast return comes without an ack (decision 45), so acks alone do not tell. */
  readonly hasReturn: boolean;
}

/**
 * What an open job waits behind, each thing once: jobs, or other words of peels. Empty unless at least one target has it
 * in its queue, and none has started it or returned.
 */
export function jobWaitsBehind({ targets, acks, hasReturn }: TargetWords): readonly string[] {
  if (hasReturn) return [];
  const behind = new Set<string>();
  for (const peel of targets) {
    const ack = acks.get(peel);
    if (ack === undefined) continue;
    if (ack.behind === undefined) return [];
    behind.add(ack.behind);
  }
  return [...behind];
}
