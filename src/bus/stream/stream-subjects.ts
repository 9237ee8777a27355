/**
 * `readSubjects` tells which subjects a stream has messages on, and how many on each, by the word of the stream's
 * leader, page by page.
 *
 * The server gives the subjects sorted and pages them by number, so what goes away between two pages moves the rest
 * forward. Pages therefore overlap; only more than `PAGE_OVERLAP` subjects that end between two questions could hide one
 * that stays.
 */
import { streamInfoSubject } from '../../wire/names/jetstream.ts';
import type { JetStreamApi } from '../jetstream-api.ts';

const PAGE_OVERLAP = 1_000;

export async function readSubjects(
  api: Pick<JetStreamApi, 'call'>,
  stream: string,
  filter: string,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let offset = 0; ; ) {
    const info = await api.call(streamInfoSubject(stream), { subjects_filter: filter, offset });
    const { subjects = {} } = (info.state ?? {}) as { subjects?: Readonly<Record<string, number>> };
    const page = Object.entries(subjects);
    for (const [subject, count] of page) counts.set(subject, count);
    const end = offset + page.length;
    if (end >= Number(info.total ?? 0) || page.length <= PAGE_OVERLAP) return counts;
    offset = end - PAGE_OVERLAP;
  }
}
