/**
 * A fleet seed vault seals the seeds of later generations of the fleet key and of the agents key, for bucket fleet-keys: under a key
 * that masters derive from the seed of the control account, bound to the number of the generation and to which key it is of. So whoever has an account seed and can read the
 * bucket has all generations; NATS, its disks and its backups alone have none.
 *
 * The label is part of the contract: another label is another key, and no master could open what is stored.
 */
import { hkdfSync } from 'node:crypto';
import { assert } from '../core/assert.ts';
import type { Random } from '../runtime/random.ts';
import { decodeBase64url, encodeBase64url } from '../wire/msgpack/base64url.ts';
import { rawSeedOf, type SigningKey, signingKeyFromSeed } from './nkeys.ts';
import { openAtRest, SEAL_KEY_BYTES, sealAtRest } from './seal-at-rest.ts';

const LABEL = 'zester-fleet-seed-v1';
const PLACES: Readonly<Record<SeedName['of'], string>> = { fleet: 'generation', agents: 'agents' };

/** Which seed it is. */
export interface SeedName {
  readonly of: 'fleet' | 'agents';
  readonly generation: number;
}

export interface FleetSeedVault {
  seal(name: SeedName, seed: SigningKey, random: Random): string;
  /** Undefined: damaged, of another generation, or sealed under another account. */
  open(name: SeedName, sealed: string): SigningKey | undefined;
}

export function fleetSeedVault(account: SigningKey): FleetSeedVault {
  assert(account.role === 'account', 'masters derive their keys from the account seed');
  const key = new Uint8Array(hkdfSync('sha256', rawSeedOf(account), Buffer.of(), LABEL, SEAL_KEY_BYTES));
  const place = ({ of, generation }: SeedName) => `${PLACES[of]} ${generation}`;
  return {
    seal(name, seed, random) {
      const plain = Buffer.from(seed.exposeSeed());
      return encodeBase64url(sealAtRest(key, random, { place: place(name), plain }));
    },
    open(name, sealed) {
      const opened = openAtRest(key, {
        place: place(name),
        sealed: decodeBase64url(sealed) ?? Buffer.of(),
      });
      return 'plain' in opened
        ? signingKeyFromSeed(Buffer.from(opened.plain).toString(), 'account')
        : undefined;
    },
  };
}
