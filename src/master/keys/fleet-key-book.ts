/**
 * The fleet key book has every generation of the fleet key that this master knows (decision 46), and says which it uses: the
 * keys of a context. Generation 1 it has from its own seed; the others come from bucket fleet-keys, by the keeper.
 *
 * A generation that was heard of opens what others sealed with it at once. It is used, to seal and to prove, when its public
 * half is where peels read it: the keeper says when. Every one is kept for good, because values in settings files stay sealed
 * under the one they were made with. Bound: `GENERATIONS_MAX`, by whoever makes them.
 */
import { assert } from '../../core/assert.ts';
import {
  FIRST,
  type GenerationRecord,
  goodGenerations,
  provingGeneration,
} from '../../core/fleet-key/rotation-plan.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type FleetKey, fleetKeyOf } from '../../trust/fleet-key.ts';
import { encodeBase64url } from '../../wire/msgpack/base64url.ts';
import { msFromNanos, nanosFromMs } from '../../wire/msgpack/time.ts';
import type {
  FleetGeneration,
  FleetKeyList,
  FleetPublicKey,
} from '../../wire/records/fleet-key/fleet-keys.ts';
import type { Keyring, MasterKeys } from '../master-ports.ts';

interface KnownGeneration {
  readonly key: FleetKey;
  readonly record: FleetGeneration | undefined;
}

export class FleetKeyBook implements Keyring {
  readonly messageId: Keyring['messageId'];
  private readonly root: MasterKeys;
  private readonly clock: Clock;
  private readonly known = new Map<number, KnownGeneration>();
  private used = FIRST;
  private ordered: readonly FleetKey[];

  constructor(root: MasterKeys, clock: Clock) {
    this.root = root;
    this.clock = clock;
    this.messageId = root.messageId;
    const [first] = root.fleet;
    assert(first !== undefined, 'a master has a fleet key');
    this.known.set(FIRST, { key: first, record: undefined });
    this.ordered = [first];
  }

  /** That which is used comes first. */
  get fleet(): readonly FleetKey[] {
    return this.ordered;
  }

  /** Peels accept these, the newest first. */
  good(): readonly FleetKey[] {
    return goodGenerations(this.records()).flatMap(({ generation }) => this.keyOf(generation) ?? []);
  }

  provingKey(confirmed: number | undefined): FleetKey {
    const records = this.records().filter(({ generation }) => generation <= this.used);
    const generation = provingGeneration(records, confirmed, this.clock.nowMs());
    const key = this.keyOf(generation);
    assert(key !== undefined, 'a generation that is used is known');
    return key;
  }

  /** The newest that is used here. */
  generation(): number {
    return this.used;
  }

  newest(): number {
    return Math.max(...this.known.keys());
  }

  /** False: the seed is not sealed for this master, or is not what the record says. Then nothing is kept of it. */
  note(generation: number, record: FleetGeneration): boolean {
    const before = this.known.get(generation)?.key;
    const seed =
      before === undefined ? this.root.vault.open({ of: 'fleet', generation }, record.seed) : undefined;
    const key = before ?? (seed === undefined ? undefined : fleetKeyOf(generation, seed));
    if (generation <= FIRST || key === undefined || !isKeyOf(record, key)) return false;
    this.known.set(generation, { key, record });
    this.order();
    return true;
  }

  /** From now on this master seals and proves with it. */
  use(generation: number): void {
    this.used = generation;
    this.order();
  }

  recordOf(generation: number): FleetGeneration | undefined {
    return this.known.get(generation)?.record;
  }

  keyOf(generation: number): FleetKey | undefined {
    return this.known.get(generation)?.key;
  }

  /** From the second on. */
  records(): readonly GenerationRecord[] {
    return [...this.known].flatMap(([generation, { record }]) =>
      record === undefined ? [] : [planRecord(generation, record)],
    );
  }

  /** What peels are to read. */
  list(): Pick<FleetKeyList, 'keys'> {
    const keys = goodGenerations(this.records()).flatMap(
      ({ generation, sinceMs, untilMs }): FleetPublicKey[] => {
        const key = this.keyOf(generation);
        const at = (ms: number | undefined) => (ms === undefined ? undefined : nanosFromMs(ms));
        return key === undefined
          ? []
          : [{ generation, ...publicHalves(key), since: at(sinceMs), until: at(untilMs) }];
      },
    );
    return { keys };
  }

  private order(): void {
    const keys = [...this.known.values()].map(({ key }) => key);
    const rank = ({ generation }: FleetKey) =>
      generation === this.used ? Number.MAX_SAFE_INTEGER : generation;
    this.ordered = keys.sort((a, b) => rank(b) - rank(a));
  }
}

/** As they are spelled in the store. */
export function publicHalves({ curveKey, commandKey }: FleetKey): Pick<FleetPublicKey, 'curve' | 'command'> {
  return { curve: curveKey.publicKey, command: encodeBase64url(commandKey.publicKey) };
}

export function planRecord(
  generation: number,
  { phase, created, overlapMinMs, overlapMaxMs }: FleetGeneration,
): GenerationRecord {
  return { generation, phase, createdMs: msFromNanos(created), overlapMinMs, overlapMaxMs };
}

function isKeyOf(record: FleetGeneration, key: FleetKey): boolean {
  const { curve, command } = publicHalves(key);
  return record.curve === curve && record.command === command;
}
