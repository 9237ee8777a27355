/**
 * These functions read the enrollments of a fleet from the store. Up to its metadata a record is the word of a machine that nobody
 * trusted yet: it is printed as such. A record that cannot be read is named, and hides no other.
 */
import { openTable } from '../../bus/kv/table.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { nearestWord } from '../../core/suggest.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { type PeelId, peelIdOfName } from '../../wire/names/ids.ts';
import { ENROLLED_PEELS_PATTERN, enrolledPeelKey, parseEnrolledPeelKey } from '../../wire/names/keys.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext, UnreadableRecord } from '../client-context.ts';
import { unlessMissing } from '../unless-missing.ts';

export interface EnrollmentList {
  /** The newest first. */
  readonly enrollments: readonly Enrollment[];
  readonly unreadable: readonly UnreadableRecord[];
}

export async function readEnrollments({ bus, signal }: ClientContext): Promise<EnrollmentList> {
  const reading = unlessMissing(openTable(bus, TABLES.enrollments).entries(), []);
  const entries = await unlessAborted(reading, signal);
  const enrollments = entries.flatMap((entry) => (entry.is === 'found' ? [entry.value] : []));
  return {
    enrollments: enrollments.sort((a, b) =>
      a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1,
    ),
    unreadable: entries.flatMap((entry) =>
      entry.is === 'unreadable'
        ? [{ kind: 'enrollment' as const, key: entry.key, problem: entry.problem }]
        : [],
    ),
  };
}

export interface FoundEnrollment {
  readonly enrollment: Enrollment;
  /** Earlier and later ones of the same peel id, the newest first. */
  readonly others: readonly Enrollment[];
}

/** By its id, or the one that holds the id of a peel, or else the newest of that peel. ENROLL_NO_MATCH when there is none. */
export async function findEnrollment(client: ClientContext, word: string): Promise<FoundEnrollment> {
  const { enrollments } = await readEnrollments(client);
  const peel = peelIdOfName(word);
  const ofPeel = enrollments.filter(({ peelId }) => peelId === peel);
  const holder = peel === undefined || ofPeel.length === 0 ? undefined : await holderOf(client, peel);
  const found =
    enrollments.find(({ id }) => id === word) ?? ofPeel.find(({ id }) => id === holder) ?? ofPeel[0];
  if (found === undefined) {
    const known = enrollments.flatMap(({ id, peelId }) => [id, peelId]);
    const near = nearestWord(word, known);
    throw zesterError('ENROLL_NO_MATCH', {
      wanted: `is ${word}, or of a peel of that name${near === undefined ? '' : `; did you mean ${near}?`}`,
    });
  }
  const others = enrollments.filter(({ id, peelId }) => peelId === found.peelId && id !== found.id);
  return { enrollment: found, others };
}

/** Which enrollment holds which peel id: of all. */
export async function readHolders({
  bucket,
}: Pick<ClientContext['bus'], 'bucket'>): Promise<ReadonlyMap<PeelId, string>> {
  const entries = await unlessMissing(bucket(BUCKETS.enrollments.name).entries(ENROLLED_PEELS_PATTERN), []);
  return new Map(
    entries.flatMap(({ key, value }) => {
      const peel = parseEnrolledPeelKey(key);
      return peel === undefined ? [] : [[peel, new TextDecoder().decode(value)] as const];
    }),
  );
}

async function holderOf(
  { bus, signal }: ClientContext,
  peel: NonNullable<ReturnType<typeof peelIdOfName>>,
): Promise<string | undefined> {
  const read = await unlessAborted(
    bus.bucket(BUCKETS.enrollments.name).getLatest(enrolledPeelKey(peel)),
    signal,
  );
  return read.found ? new TextDecoder().decode(read.value) : undefined;
}
