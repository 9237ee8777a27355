/**
 * `ProofKeys` keeps the HMAC keys under which commands are proven to peels: to make one costs an X25519. A peel that
 * comes with another curve key gets another one. Bound: the oldest of `keysMax` makes room, and is made again when it is
 * needed.
 */
import { LruMap } from '../../core/lru-map.ts';
import { type ProofKey, proofKeyForPeel } from '../../trust/command-proof.ts';
import type { CurveKey } from '../../trust/nkeys.ts';
import type { PeelId } from '../../wire/names/ids.ts';

const KEYS_MAX = 50_000;

export class ProofKeys {
  private readonly account: CurveKey;
  private readonly kept: LruMap<PeelId, { readonly curveKey: string; readonly key: ProofKey }>;

  constructor(account: CurveKey, keysMax = KEYS_MAX) {
    this.account = account;
    this.kept = new LruMap(keysMax);
  }

  get size(): number {
    return this.kept.size;
  }

  /** Undefined when the text is not a usable curve key. */
  keyFor(peel: PeelId, curveKey: string): ProofKey | undefined {
    const kept = this.kept.peek(peel);
    if (kept?.curveKey === curveKey) return kept.key;
    const key = proofKeyForPeel(this.account, curveKey);
    this.kept.delete(peel);
    if (key === undefined) return undefined;
    this.kept.set(peel, { curveKey, key });
    return key;
  }
}
