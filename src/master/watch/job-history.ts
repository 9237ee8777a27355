/**
 * This file reads what stream job-events holds of one job: acks, returns, cancels. A watcher hears them as they are
 * published, but core messages may be lost (a cut line, an election, a full buffer), and the stream is where peels have
 * theirs confirmed. Read again after a reconnect and before a job is ended without all its returns; an adopter starts
 * with it.
 */
import type { StoredMessage } from '../../bus/port.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { STREAMS } from '../../wire/names/streams.ts';
import { jobCancelSubject, jobWordsSubject } from '../../wire/names/subjects.ts';
import type { MasterContext } from '../master-context.ts';

export interface HistoryVisitor {
  readonly word: (message: StoredMessage) => void;
  readonly cancel: (message: StoredMessage) => void;
}

/**
 * Of acks and returns the newest of each target, in one reading, in no order: who floods the stream makes it no longer, and
 * a return is not taken for missing because it came between two readings.
 */
export async function readHistory(
  context: Pick<MasterContext, 'bus'>,
  jid: Jid,
  visitor: HistoryVisitor,
): Promise<void> {
  const stream = context.bus.stream(STREAMS.jobEvents.name);
  await stream.replay({ filter: jobWordsSubject(jid), lastPerSubject: true }, visitor.word);
  await readCancels(context, jid, visitor.cancel);
}

/** All of them: one that is worth nothing must not hide another. Mostly there is none, and that is one question. */
export async function readCancels(
  { bus }: Pick<MasterContext, 'bus'>,
  jid: Jid,
  visit: HistoryVisitor['cancel'],
): Promise<void> {
  const stream = bus.stream(STREAMS.jobEvents.name);
  const filter = jobCancelSubject(jid);
  if ((await stream.last(filter)) !== undefined) await stream.replay({ filter }, visit);
}
