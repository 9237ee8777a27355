/**
 * This file reads what a stream holds without a consumer: a consumer lives on one node, which may be the dead one, and
 * cannot be made while the cluster has no meta leader. Here the stream's leader says which subjects there are, and any
 * replica says what is on them; so the loss of one node costs at most the election of that leader.
 *
 * Complete: what the leader listed and the replica that was asked does not have yet is fetched from the leader. A message
 * may be some milliseconds old; what ends meanwhile (expired, purged) is left out.
 * Bound: `IN_FLIGHT` questions at a time. With messages of 1 MiB that stays below what a server holds back for one client
 * before it cuts it off.
 */
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import type { BusParts } from '../bus-parts.ts';
import type { StoredMessage } from '../port.ts';
import { readSubjects } from './stream-subjects.ts';

const IN_FLIGHT = 32;
/** Read one after the other before it is worth reading several parts of a range at once. */
const ONE_BY_ONE_MAX = 64;

type Visit = (message: StoredMessage) => void;

/** Visits the newest message on each subject under the filter, as they come. */
export async function readNewest(
  parts: BusParts,
  stream: string,
  filter: string,
  visit: Visit,
): Promise<void> {
  const counts = await readSubjects(parts.api, stream, filter);
  await concurrentMap(counts.keys(), IN_FLIGHT, async (subject) => {
    const message = await newestOn(parts, stream, subject);
    if (message !== undefined) visit(message);
  });
}

/** Visits every message under the filter that is stored now, in order. Those under a wildcard are all held meanwhile. */
export async function readWhole(
  parts: BusParts,
  stream: string,
  filter: string,
  visit: Visit,
): Promise<void> {
  const counts = await readSubjects(parts.api, stream, filter);
  const subjects = [...counts.keys()];
  const [first] = subjects;
  if (first !== undefined && subjects.length === 1) return readPast(parts, stream, first, visit);
  const found: StoredMessage[] = [];
  const isSingle = (subject: string) => counts.get(subject) === 1;
  await concurrentMap(subjects.filter(isSingle), IN_FLIGHT, async (subject) => {
    const message = await newestOn(parts, stream, subject);
    if (message !== undefined) found.push(message);
  });
  for (const subject of subjects)
    if (!isSingle(subject)) await readPast(parts, stream, subject, (message) => found.push(message));
  for (const message of found.sort((a, b) => a.sequence - b.sequence)) visit(message);
}

/** What is asked of the store: the first message under the filter at or after a sequence. */
type AskNext = (first: number) => Promise<StoredMessage | undefined>;

/**
 * Visits the messages from `first` to `last`, in order. Ends early where the store knows of nothing more: it expired,
 * or the replica that was asked lags.
 *
 * Each answer tells where the next message is, so one reading waits for one answer after another. A wide range is therefore
 * cut into pieces that are read at once, each as long as the stretch in which the first messages were found.
 */
export async function readRange(
  askNext: AskNext,
  { first, last }: { readonly first: number; readonly last: number },
  visit: Visit,
): Promise<void> {
  const head = await readPiece(askNext, { first, last, messagesMax: ONE_BY_ONE_MAX });
  for (const message of head.messages) visit(message);
  const length = head.next - first;
  for (let at = head.next; head.goesOn && at <= last; at += IN_FLIGHT * length) {
    const starts = Array.from({ length: IN_FLIGHT }, (_, i) => at + i * length);
    const pieces = await Promise.all(
      starts
        .filter((start) => start <= last)
        .map((start) => readPiece(askNext, { first: start, last: Math.min(last, start + length - 1) })),
    );
    for (const { messages, goesOn } of pieces) {
      for (const message of messages) visit(message);
      // Whatever a later piece has found: who takes it would miss what lies between.
      if (!goesOn) return;
    }
  }
}

interface Piece {
  readonly messages: readonly StoredMessage[];
  /** Where the next message may be. */
  readonly next: number;
  /** False when the store knows of nothing from `next` on. */
  readonly goesOn: boolean;
}

async function readPiece(
  askNext: AskNext,
  range: { readonly first: number; readonly last: number; readonly messagesMax?: number },
): Promise<Piece> {
  const { first, last, messagesMax = Number.POSITIVE_INFINITY } = range;
  const messages: StoredMessage[] = [];
  let next = first;
  while (next <= last && messages.length < messagesMax) {
    const message = await askNext(next);
    if (message === undefined) return { messages, next, goesOn: false };
    next = message.sequence;
    if (next > last) break;
    messages.push(message);
    next += 1;
  }
  return { messages, next, goesOn: true };
}

/** Everything on one subject, complete by the leader's word. */
async function readPast({ api }: BusParts, stream: string, subject: string, visit: Visit): Promise<void> {
  const newest = await api.leaderSelect(stream, { last_by_subj: subject });
  if (newest === undefined) return;
  const askNext = async (seq: number) => {
    const select = { seq, next_by_subj: subject };
    return (await api.directSelect(stream, select)) ?? (await api.leaderSelect(stream, select));
  };
  await readRange(askNext, { first: 1, last: newest.sequence }, visit);
}

async function newestOn(
  { api }: BusParts,
  stream: string,
  subject: string,
): Promise<StoredMessage | undefined> {
  const select = { last_by_subj: subject };
  return (await api.directLast(stream, subject)) ?? (await api.leaderSelect(stream, select));
}
