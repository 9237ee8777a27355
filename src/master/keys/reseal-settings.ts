/**
 * These functions bring the settings that masters have sealed for one another under the generation of the fleet key that is used, and count
 * what is under an older one. The files of bucket master-settings are sealed anew content by content, each by compare-and-set. Digests stay, so the set stays the one it is: nobody
 * publishes or fetches anything for it, and a publisher that writes meanwhile wins. To die in the middle leaves some files
 * under the older generation, which masters still open, and the rest to the next look.
 *
 * Secrets of peels are sealed anew by the sealer (secrets/secret-sealer.ts), whose fingerprints have the generation in them, facts that
 * operators set by enroll/operator-facts.ts in the enrollments and by enroll/peel-tags.ts for the peels.
 */
import { openTable } from '../../bus/kv/table.ts';
import { generationOfContent, masterSettingsSeal } from '../../trust/fleet-seal.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { hasOldFacts } from '../enroll/operator-facts.ts';
import type { MasterContext } from '../master-context.ts';

type ResealContext = Pick<MasterContext, 'bus' | 'runtime' | 'fleetKeys' | 'facts' | 'life'>;

/** How many files were sealed anew. What cannot be opened stays: it is for the publisher to say so. */
export async function resealMasterSettings({
  bus,
  runtime,
  fleetKeys,
  life,
}: ResealContext): Promise<number> {
  const bucket = bus.bucket(BUCKETS.masterSettings.name);
  const seal = masterSettingsSeal(() => fleetKeys.fleet, runtime.random);
  let resealed = 0;
  for (const { key, value, revision } of await bucket.entries()) {
    life.throwIfAborted();
    if ((generationOfContent(value) ?? fleetKeys.generation()) >= fleetKeys.generation()) continue;
    const plain = seal.unwrap(value);
    if (plain !== undefined && (await bucket.update(key, seal.wrap(plain), revision)).won) resealed += 1;
  }
  return resealed;
}

/**
 * Records under an older generation than this one: settings of masters, secrets of peels whose curve key is known, and facts that operators
 * set, in enrollments and for the peels.
 */
export async function countOldSeals({ bus, facts }: ResealContext, generation: number): Promise<number> {
  const settings = (await bus.bucket(BUCKETS.masterSettings.name).entries()).filter(
    ({ value }) => (generationOfContent(value) ?? generation) < generation,
  );
  const secrets = (await openTable(bus, TABLES.sealedSecrets).entries()).filter(
    (read) =>
      read.is === 'found' && read.value.generation < generation && facts.curveKeyOf(read.id) !== undefined,
  );
  const enrollments = (await openTable(bus, TABLES.enrollments).entries()).filter(
    (read) => read.is === 'found' && hasOldFacts(read.value, generation),
  );
  const tags = (await openTable(bus, TABLES.peelTags).entries()).filter(
    (read) => read.is === 'found' && read.value.sealedFacts !== '' && read.value.generation < generation,
  );
  return settings.length + secrets.length + enrollments.length + tags.length;
}
