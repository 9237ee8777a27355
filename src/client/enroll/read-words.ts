/**
 * `readStoredWords` reads what operators say of all peels, from the enrollments that let them in. Values of facts are sealed for
 * masters, so it has their names only. Unreadable records are left out.
 */
import { openTable } from '../../bus/kv/table.ts';
import { factNames } from '../../core/enroll/desk/change-tags.ts';
import { isLive } from '../../core/enroll/desk/enrollment-state.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext } from '../client-context.ts';
import { unlessMissing } from '../unless-missing.ts';

export interface StoredWords {
  readonly tags: Readonly<Record<string, string>>;
  /** Sorted. */
  readonly factNames: readonly string[];
}

/** Where a machine has just enrolled again, of its newest enrollment. */
export async function readStoredWords({
  bus,
}: Pick<ClientContext, 'bus'>): Promise<ReadonlyMap<PeelId, StoredWords>> {
  const entries = await unlessMissing(openTable(bus, TABLES.enrollments).entries(), []);
  const live = entries.flatMap((entry) =>
    entry.is === 'found' && isLive(entry.value.state) ? [entry.value] : [],
  );
  const oldestFirst = live.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return new Map(
    oldestFirst.map(
      (record) => [record.peelId, { tags: record.tags, factNames: factNames(record) }] as const,
    ),
  );
}
