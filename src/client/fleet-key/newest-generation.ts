/**
 * `newestGeneration` gives the newest generation of the fleet key to somebody who has the seed of the account, which is in the auth
 * directory of every master: read from bucket fleet-keys and opened here. For certificates of operators that no master renews.
 */
import { openTable } from '../../bus/kv/table.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { type FleetKey, fleetKeyOf } from '../../trust/fleet-key.ts';
import { fleetSeedVault } from '../../trust/fleet-seed.ts';
import type { SigningKey } from '../../trust/nkeys.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { COMMAND_KEY } from '../../wire/names/keys.ts';
import { FIRST_GENERATION } from '../../wire/records/fleet-key/fleet-keys.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext } from '../client-context.ts';

/** MASTER_OTHER_KEYS where this seed is not that of the fleet. */
export async function newestGeneration(
  { bus }: Pick<ClientContext, 'bus'>,
  account: SigningKey,
): Promise<FleetKey> {
  const table = openTable(bus, TABLES.fleetGenerations);
  const newest = Math.max(FIRST_GENERATION, ...(await table.ids()));
  if (newest === FIRST_GENERATION) return fleetKeyOf(FIRST_GENERATION, account);
  const read = await table.getLatest(newest);
  const name = { of: 'fleet', generation: newest } as const;
  const seed = read.is === 'found' ? fleetSeedVault(account).open(name, read.value.seed) : undefined;
  if (seed === undefined)
    throw zesterError('MASTER_OTHER_KEYS', { key: COMMAND_KEY, bucket: BUCKETS.secrets.name });
  return fleetKeyOf(newest, seed);
}
