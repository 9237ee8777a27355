/**
 * What stream job-events holds of one job: acks, returns, cancels. A watcher hears them as they are published, but core
 * messages may be lost (a cut line, an election, a full buffer), and the stream is where peels have theirs confirmed.
 * Read again after a reconnect and before a job is ended without all its returns; an adopter starts with it.
 */
import type { StoredMessage } from '../bus/port.ts';
import type { Jid } from '../wire/ids.ts';
import { STREAMS } from '../wire/streams.ts';
import { ANY, jobAckSubject, jobCancelSubject, jobReturnSubject } from '../wire/subjects.ts';
import type { MasterContext } from './master-context.ts';

export interface HistoryVisitor {
  readonly word: (message: StoredMessage) => void;
  readonly cancel: (message: StoredMessage) => void;
}

export async function readHistory(
  { bus }: Pick<MasterContext, 'bus'>,
  jid: Jid,
  visitor: HistoryVisitor,
): Promise<void> {
  const stream = bus.stream(STREAMS.jobEvents.name);
  // Acks first: a return that comes between the two readings is then not taken for missing.
  await stream.replay({ filter: jobAckSubject(jid, ANY), lastPerSubject: true }, visitor.word);
  await stream.replay({ filter: jobReturnSubject(jid, ANY) }, visitor.word);
  await stream.replay({ filter: jobCancelSubject(jid) }, visitor.cancel);
}
