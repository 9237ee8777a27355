/**
 * What the acks of a job say: who has accepted it, who has started it, and who waits behind what. They are in the stream,
 * whoever was listening when they came. A peel that must let a job wait says so, and says again when it starts; the stream
 * may have the two in any order, so "it has started" wins over "it waits", and among waits the newest.
 */
import type { Bus } from '../../bus/port.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { STREAMS } from '../../wire/names/streams.ts';
import { ANY, jobAckSubject, parseJobSubject } from '../../wire/names/subjects.ts';
import { ackCodec } from '../../wire/records/job-return.ts';
import { tryDecode } from '../try-decode.ts';

export interface TargetAck {
  /** When the first ack came, on the clock of the store or, of what was heard just now, on ours. */
  readonly ackedMs: number;
  /** What it waits behind: a job id, or other words of the peel; undefined when it has started. */
  readonly behind: string | undefined;
}

export type JobAcks = Map<PeelId, TargetAck>;

/** Takes one message on the ack subject of the job; false when it is none that counts. */
export function noteAck(
  acks: JobAcks,
  jid: Jid,
  message: { readonly subject: string; readonly data: Uint8Array },
  atMs: number,
): boolean {
  const from = parseJobSubject(message.subject);
  const ack = tryDecode(ackCodec, message.data);
  if (from?.kind !== 'ack' || from.jid !== jid || ack?.peelId !== from.peel || ack.jid !== jid) return false;
  const before = acks.get(from.peel);
  const hasStarted = ack.behind === '' || (before !== undefined && before.behind === undefined);
  acks.set(from.peel, {
    ackedMs: Math.min(atMs, before?.ackedMs ?? atMs),
    behind: hasStarted ? undefined : ack.behind,
  });
  return true;
}

export async function readAcks(bus: Bus, jid: Jid, acks: JobAcks = new Map()): Promise<JobAcks> {
  await bus.stream(STREAMS.jobEvents.name).replay({ filter: jobAckSubject(jid, ANY) }, (message) => {
    noteAck(acks, jid, message, message.publishedMs);
  });
  return acks;
}
