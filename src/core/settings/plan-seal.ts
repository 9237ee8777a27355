/**
 * `planSeal` decides what happens to the sealed secrets of one peel: nothing, because the fingerprint says that they are
 * the same; new ones; or none. Sealing is never the same bytes twice, so without the fingerprint every look would write.
 *
 * A record that was made from newer settings stays: a master that slept must not bring an old password back. Only force
 * goes over it, for a store that has lost the newer settings.
 *
 * Entries that the settings do not name any more are kept for a while where asked to. A peel gets its secrets and its
 * files one after the other: until it has the new files it still looks for the old names. Pure.
 */
import type { SealedSecrets } from '../../wire/records/secrets.ts';

export interface SealWanted {
  readonly generation: number;
  /** Of `master-settings`. */
  readonly settingsRevision: number;
  readonly fingerprint: string;
  readonly paths: ReadonlySet<string>;
}

export interface SealChoice {
  /** Seal anew whatever is there. */
  readonly force: boolean;
  readonly keepFormer: boolean;
}

export type SealPlan =
  | { readonly is: 'keep' }
  /** What is there was made from newer settings. */
  | { readonly is: 'outdated'; readonly revision: number }
  | { readonly is: 'remove' }
  /** `former`: entries that stay as they are, by their paths. */
  | { readonly is: 'write'; readonly former: readonly string[] };

export function planSeal(
  read: SealedSecrets | 'absent' | 'unreadable',
  wanted: SealWanted,
  { force, keepFormer }: SealChoice,
): SealPlan {
  const stored = typeof read === 'object' ? read : undefined;
  const revision = stored?.settingsRevision ?? 0;
  if (revision > wanted.settingsRevision && !force) return { is: 'outdated', revision };
  const former = Object.keys(stored?.sealed ?? {}).filter((path) => !wanted.paths.has(path));
  const kept = keepFormer ? former : [];
  if (wanted.paths.size === 0 && kept.length === 0) return { is: read === 'absent' ? 'keep' : 'remove' };
  const isSame =
    stored?.fingerprint === wanted.fingerprint &&
    stored.generation === wanted.generation &&
    kept.length === former.length;
  return isSame && !force ? { is: 'keep' } : { is: 'write', former: kept };
}
