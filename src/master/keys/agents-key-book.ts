/**
 * The agents key book has every generation of the key that signs credentials of peels, as far as this master knows (decision 46), and
 * says which it signs with. Generation 1 it has from its own auth directory; the others come from bucket fleet-keys, by the keeper.
 *
 * A master signs with the newest generation that the NATS servers know: credentials by a key that they do not know yet would be
 * refused. What they know it hears from the account keeper (`settled`). Where they accept only keys that this master does not have,
 * as after a store was lost, it signs nothing and says so.
 */
import { assert } from '../../core/assert.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { FIRST, type GenerationRecord, goodGenerations } from '../../core/fleet-key/rotation-plan.ts';
import type { AgentsKeys } from '../../trust/accounts/claims.ts';
import type { FleetSeedVault } from '../../trust/fleet-seed.ts';
import type { SigningKey } from '../../trust/nkeys.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { AgentsGeneration, AgentsPublicKey } from '../../wire/records/fleet-key/agents-keys.ts';

interface KnownKey {
  readonly key: SigningKey;
  readonly record: AgentsGeneration | undefined;
}

export class AgentsKeyBook {
  private readonly vault: FleetSeedVault;
  private readonly known = new Map<number, KnownKey>();
  /** What the documents on the servers say; undefined before this master knows. */
  private listed: AgentsKeys | undefined;

  constructor(first: SigningKey, vault: FleetSeedVault) {
    this.vault = vault;
    this.known.set(FIRST, { key: first, record: undefined });
  }

  /** What credentials are signed with now. Throws AUTH_AGENTS_KEY_LOST. */
  signer(): SigningKey {
    const key = this.known.get(this.generation())?.key;
    if (key === undefined)
      throw zesterError('AUTH_AGENTS_KEY_LOST', { generation: this.listed?.generation ?? 0 });
    return key;
  }

  /** Of the key that credentials are signed with; 0: servers accept none that this master has. */
  generation(): number {
    const { listed } = this;
    // In an overlap nobody has told us yet that servers know the newest.
    if (listed === undefined) return goodGenerations(this.records()).at(-1)?.generation ?? FIRST;
    return Math.max(
      0,
      ...[...this.known].flatMap(([n, { key }]) => (listed.keys.includes(key.publicKey) ? n : [])),
    );
  }

  /** The newest there ever was, also one that is lost. */
  newest(): number {
    return Math.max(...this.known.keys(), this.listed?.generation ?? FIRST);
  }

  /** False: the seed is not sealed for this master, or is not what the record says. Then nothing is kept of it. */
  note(generation: number, record: AgentsGeneration): boolean {
    const key = this.known.get(generation)?.key ?? this.vault.open({ of: 'agents', generation }, record.seed);
    if (generation <= FIRST || key?.publicKey !== record.publicKey) return false;
    this.known.set(generation, { key, record });
    return true;
  }

  /** Every server has a document with these. One that is older than what we know of comes late and says nothing. */
  settled(keys: AgentsKeys): void {
    if (keys.generation >= (this.listed?.generation ?? 0)) this.listed = keys;
  }

  /** What the document of AGENTS must list. */
  wanted(): AgentsKeys {
    const good = goodGenerations(this.records());
    const keys = good.map(({ generation }) => this.publicKeyOf(generation));
    return { generation: good[0]?.generation ?? FIRST, keys };
  }

  /** What peels read: those by which credentials are good, up to the one that is signed with. None before the first rotation. */
  list(): readonly AgentsPublicKey[] {
    const signing = this.generation();
    if (signing <= FIRST) return [];
    return goodGenerations(this.records())
      .filter(({ generation }) => generation <= signing)
      .map(({ generation }) => ({ generation, publicKey: this.publicKeyOf(generation) }));
  }

  /** Whether servers let peels in by it; the one before the newest counts until this master knows that they do not. */
  isAccepted(generation: number): boolean {
    const key = this.known.get(generation)?.key.publicKey ?? '';
    const isGood = goodGenerations(this.records()).some((each) => each.generation === generation);
    const isListed = this.listed?.keys.includes(key) ?? generation === this.newest() - 1;
    return isGood || isListed;
  }

  recordOf(generation: number): AgentsGeneration | undefined {
    return this.known.get(generation)?.record;
  }

  /** From the second on. */
  records(): readonly GenerationRecord[] {
    return [...this.known].flatMap(([generation, { record }]) =>
      record === undefined ? [] : [planOf(generation, record)],
    );
  }

  private publicKeyOf(generation: number): string {
    const key = this.known.get(generation)?.key;
    assert(key !== undefined, 'a generation that is good is known');
    return key.publicKey;
  }
}

export function planOf(
  generation: number,
  { phase, created, overlapMinMs, overlapMaxMs }: AgentsGeneration,
): GenerationRecord {
  return { generation, phase, createdMs: msFromNanos(created), overlapMinMs, overlapMaxMs };
}
