/**
 * `planSeal` decides what happens to the sealed secrets of one peel: nothing, because the fingerprint says that they are
 * the same; new ones; or none. Sealing is never the same bytes twice, so without the fingerprint every look would write.
 *
 * A record that was made from newer settings stays: a master that slept must not bring an old password back. It is only gone
 * over where the store has lost those settings, and somebody wants that.
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
  /** Seal anew also where nothing has changed. */
  readonly force: boolean;
  /** The store does not have the newer settings any more. */
  readonly overNewer: boolean;
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
  { force, overNewer, keepFormer }: SealChoice,
): SealPlan {
  const stored = typeof read === 'object' ? read : undefined;
  const revision = stored?.settingsRevision ?? 0;
  if (revision > wanted.settingsRevision && !overNewer) return { is: 'outdated', revision };
  const former = Object.keys(stored?.sealed ?? {}).filter((path) => !wanted.paths.has(path));
  const kept = keepFormer ? former : [];
  if (wanted.paths.size === 0 && kept.length === 0) return { is: read === 'absent' ? 'keep' : 'remove' };
  const isSame =
    stored?.fingerprint === wanted.fingerprint &&
    stored.generation === wanted.generation &&
    kept.length === former.length;
  return isSame && !force && !overNewer ? { is: 'keep' } : { is: 'write', former: kept };
}
