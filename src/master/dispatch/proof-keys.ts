/**
 * `ProofKeys` keeps the HMAC keys under which commands are proven to peels: to make one costs an X25519. A peel that
 * comes with another curve key gets another one, and so does a peel to which another generation of the fleet key is proven.
 * Bound: the oldest of `keysMax` makes room, and is made again when it is needed.
 */
import { LruMap } from '../../core/lru-map.ts';
import { type ProofKey, proofKeyForPeel } from '../../trust/command-proof.ts';
import type { CurveKey } from '../../trust/nkeys.ts';
import type { PeelId } from '../../wire/names/ids.ts';

const KEYS_MAX = 50_000;

interface KeptKey {
  readonly curveKey: string;
  /** Public half of the fleet key. */
  readonly sender: string;
  readonly key: ProofKey;
}

export class ProofKeys {
  private readonly kept: LruMap<PeelId, KeptKey>;

  constructor(keysMax = KEYS_MAX) {
    this.kept = new LruMap(keysMax);
  }

  get size(): number {
    return this.kept.size;
  }

  /** Undefined when the text is not a usable curve key. */
  keyFor(peel: PeelId, curveKey: string, fleetKey: CurveKey): ProofKey | undefined {
    const kept = this.kept.peek(peel);
    const { publicKey: sender } = fleetKey;
    if (kept?.curveKey === curveKey && kept.sender === sender) return kept.key;
    const key = proofKeyForPeel(fleetKey, curveKey);
    this.kept.delete(peel);
    if (key === undefined) return undefined;
    this.kept.set(peel, { curveKey, sender, key });
    return key;
  }
}
