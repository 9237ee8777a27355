/**
 * `RotationBook` knows the generations of the fleet key by what is stored of them, and says at once when a rotation is not what
 * it should be: a generation that is replaced, or made before the one before it was settled, or an overlap that is too short. It
 * also knows which keys peels must refuse by now, for an attacker who has got hold of one.
 */
import type { Stored } from '../../bus/memory/memory-jetstream.ts';
import { masterKeysOf } from '../../master/master-ports.ts';
import { type FleetKey, fleetKeyOf } from '../../trust/fleet-key.ts';
import type { SigningKey } from '../../trust/nkeys.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import { FLEET_KEYS_KEY, parseGenerationKey } from '../../wire/names/keys.ts';
import { parseKvSubject } from '../../wire/names/store-subjects.ts';
import {
  FIRST_GENERATION,
  type FleetGeneration,
  type FleetKeyList,
  fleetGenerationCodec,
  fleetKeyListCodec,
} from '../../wire/records/fleet-key/fleet-keys.ts';
import { peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';

export interface RotationBookParts {
  readonly account: SigningKey;
  readonly nowMs: () => number;
  readonly broke: (rule: string, text: string) => void;
}

interface Generation {
  readonly record: FleetGeneration;
  readonly madeMs: number;
}

export class RotationBook {
  private readonly parts: RotationBookParts;
  private readonly generations = new Map<number, Generation>();
  private readonly confirmed = new Map<PeelId, number>();
  /** The one that is listed for peels, when it is the only one. */
  private alone: { readonly generation: number; readonly sinceMs: number } | undefined;
  private hasForgotten = false;

  constructor(parts: RotationBookParts) {
    this.parts = parts;
  }

  /** Rotations that have begun. */
  get count(): number {
    return this.generations.size;
  }

  get newest(): number {
    return Math.max(FIRST_GENERATION, ...this.generations.keys());
  }

  get isOverlap(): boolean {
    return this.generations.get(this.newest)?.record.phase === 'overlap';
  }

  /** What its last heartbeat said. */
  confirmedBy(peel: PeelId): number {
    return this.confirmed.get(peel) ?? 0;
  }

  /** What a master has; undefined when it is not known. */
  keyOf(generation: number): FleetKey | undefined {
    const { account } = this.parts;
    const { fleet, vault } = masterKeysOf(account);
    if (generation === FIRST_GENERATION) return fleet[0];
    const sealed = this.generations.get(generation)?.record.seed;
    const seed = sealed === undefined ? undefined : vault.open({ of: 'fleet', generation }, sealed);
    return seed && fleetKeyOf(generation, seed);
  }

  /** The newest of those that nobody accepts any more since this long; undefined: there is none. */
  retiredFor(ms: number): FleetKey | undefined {
    const { alone } = this;
    if (this.hasForgotten || alone === undefined || this.parts.nowMs() - alone.sinceMs < ms) return undefined;
    return this.keyOf(alone.generation - 1);
  }

  stored({ subject, data }: Stored): void {
    const kv = parseKvSubject(subject);
    if (kv === undefined || data.length === 0) return;
    if (kv.bucket === BUCKETS.fleetKeys.name) {
      const generation = parseGenerationKey(kv.key);
      if (generation !== undefined) this.generation(generation, fleetGenerationCodec.decode(data));
    } else if (kv.bucket === BUCKETS.secrets.name && kv.key === FLEET_KEYS_KEY) {
      this.listed(fleetKeyListCodec.decode(data));
    } else if (kv.bucket === BUCKETS.peelHeartbeat.name) {
      const peel = parsePeelId(kv.key);
      if (peel !== undefined) this.confirmed.set(peel, peelHeartbeatCodec.decode(data).fleetGeneration);
    }
  }

  /** The book as it is now; the returned function puts it back: the server forgot what was written since. */
  snapshot(): () => void {
    const generations = [...this.generations];
    return () => {
      this.hasForgotten = true;
      this.generations.clear();
      for (const [number, generation] of generations) this.generations.set(number, generation);
    };
  }

  private listed({ keys: [newest, ...older] }: FleetKeyList): void {
    if (newest === undefined || older.length > 0) this.alone = undefined;
    else if (this.alone?.generation !== newest.generation)
      this.alone = { generation: newest.generation, sinceMs: this.parts.nowMs() };
  }

  private generation(number: number, record: FleetGeneration): void {
    const nowMs = this.parts.nowMs();
    const before = this.generations.get(number);
    this.generations.set(number, { record, madeMs: before?.madeMs ?? nowMs });
    // Masters put back what a store has lost, in any order.
    if (!this.hasForgotten) this.judge(number, record, before);
  }

  private judge(number: number, record: FleetGeneration, before: Generation | undefined): void {
    const { broke, nowMs } = this.parts;
    if (before === undefined) {
      const former = this.generations.get(number - 1)?.record.phase;
      if (record.phase !== 'overlap' || (number > FIRST_GENERATION + 1 && former !== 'final'))
        broke(
          'one rotation at a time',
          `generation ${number} begins as ${record.phase}, before it ${former}`,
        );
      return;
    }
    if (record.seed !== before.record.seed || record.command !== before.record.command)
      broke('a generation is never replaced', `generation ${number} is another`);
    if (record.phase === 'overlap' && before.record.phase === 'final')
      broke('a generation is never replaced', `generation ${number} is in an overlap again`);
    const lastedMs = nowMs() - before.madeMs;
    if (record.phase === 'final' && before.record.phase === 'overlap' && lastedMs < record.overlapMinMs)
      broke('an overlap is long enough', `generation ${number} had ${Math.round(lastedMs)} ms`);
  }
}
