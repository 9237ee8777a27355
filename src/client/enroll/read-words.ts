/**
 * `readStoredWords` reads what operators say of all peels, from the enrollments that let them in. Values of facts are sealed for
 * masters, so it has their names only. Unreadable records are left out.
 *
 * A machine that enrolls again has two that are live for a moment, and for a day where a master died before the index named the new one:
 * the one that the index names counts, as for masters. Records and index are two readings, so it may name one that was not there yet; then
 * it is the newest.
 */
import { openTable } from '../../bus/kv/table.ts';
import { factNames } from '../../core/enroll/desk/change-tags.ts';
import { isLive } from '../../core/enroll/desk/enrollment-state.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext } from '../client-context.ts';
import { unlessMissing } from '../unless-missing.ts';
import { readHolders } from './read-enrollments.ts';

export interface StoredWords {
  readonly tags: Readonly<Record<string, string>>;
  /** Sorted. */
  readonly factNames: readonly string[];
}

export async function readStoredWords({
  bus,
}: Pick<ClientContext, 'bus'>): Promise<ReadonlyMap<PeelId, StoredWords>> {
  const holders = await readHolders(bus);
  const entries = await unlessMissing(openTable(bus, TABLES.enrollments).entries(), []);
  const live = entries.flatMap((entry) =>
    entry.is === 'found' && isLive(entry.value.state) ? [entry.value] : [],
  );
  const counts = new Map<PeelId, Enrollment>();
  for (const record of live.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))) {
    const { peelId } = record;
    const older = counts.get(peelId);
    if (older === undefined || older.id !== holders.get(peelId)) counts.set(peelId, record);
  }
  return new Map(
    [...counts].map(([peel, record]) => [peel, { tags: record.tags, factNames: factNames(record) }]),
  );
}
