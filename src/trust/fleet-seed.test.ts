import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { fleetSeedVault } from './fleet-seed.ts';
import { newSigningKey } from './nkeys.ts';

const random = seededRandom(21);
const account = newSigningKey('account', random);
const seed = newSigningKey('account', random);

const SECOND = { of: 'fleet', generation: 2 } as const;

describe('the vault of fleet seeds', () => {
  const sealed = fleetSeedVault(account).seal(SECOND, seed, random);

  it('gives every master of the account the seed back, and tells nothing of it', () => {
    expect(fleetSeedVault(account).open(SECOND, sealed)?.exposeSeed()).toBe(seed.exposeSeed());
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(seed.exposeSeed());
    expect(fleetSeedVault(account).seal(SECOND, seed, random)).not.toBe(sealed);
  });

  it('opens nothing under another account, as another generation, or changed', () => {
    expect(fleetSeedVault(newSigningKey('account', random)).open(SECOND, sealed)).toBeUndefined();
    expect(fleetSeedVault(account).open({ ...SECOND, generation: 3 }, sealed)).toBeUndefined();
    expect(fleetSeedVault(account).open({ ...SECOND, of: 'agents' }, sealed)).toBeUndefined();
    expect(fleetSeedVault(account).open(SECOND, `${sealed.slice(0, -2)}AA`)).toBeUndefined();
    expect(fleetSeedVault(account).open(SECOND, 'no base64!')).toBeUndefined();
  });
});
