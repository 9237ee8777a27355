/** `readOperatorWords` reads what operators say of all peels, from the enrollments that let them in. Unreadable ones are left out. */
import { openTable } from '../../bus/kv/table.ts';
import type { OperatorWords } from '../../core/target/operator-words.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { EnrollmentState } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext } from '../client-context.ts';
import { unlessMissing } from '../unless-missing.ts';

/** A peel has at most one enrollment in one of these. */
const LIVE: readonly EnrollmentState[] = ['approved', 'issued', 'active'];

export async function readOperatorWords({
  bus,
}: Pick<ClientContext, 'bus'>): Promise<ReadonlyMap<PeelId, OperatorWords>> {
  const entries = await unlessMissing(openTable(bus, TABLES.enrollments).entries(), []);
  return new Map(
    entries.flatMap((entry) => {
      if (entry.is !== 'found' || !LIVE.includes(entry.value.state)) return [];
      const { peelId, tags, facts } = entry.value;
      return [[peelId, { tags, facts }] as const];
    }),
  );
}
