/**
 * `peelFiles` decides whether a peel has the files and secrets that are published, by its last heartbeat. Pure.
 *
 * A heartbeat is up to some seconds old, so `behind` may be over already. Revisions are compared, not ordered: after a store
 * that lost writes a lower one can be the newer.
 */
import type { PeelHeartbeat } from '../../wire/records/heartbeat.ts';

export type PeelFilesState =
  /** It has everything. */
  | 'current'
  /** It has another revision than the published one, and has not said why. */
  | 'behind'
  /** It says what is wrong. */
  | 'problem'
  /** Its heartbeat cannot be read. */
  | 'unreadable'
  /** It has no heartbeat: what it has is not known, and it gets the rest when it is back. */
  | 'offline';

/** Undefined where nothing is published that could be compared: no set, no secrets for this peel. */
export interface PublishedRevisions {
  readonly states: number | undefined;
  readonly settings: number | undefined;
  readonly secrets: number | undefined;
}

export function peelFiles(
  beat: PeelHeartbeat | 'unreadable' | undefined,
  published: PublishedRevisions,
): PeelFilesState {
  if (beat === undefined) return 'offline';
  if (beat === 'unreadable') return 'unreadable';
  if (beat.filesProblem !== '') return 'problem';
  const has = (revision: number, wanted: number | undefined) => wanted === undefined || revision === wanted;
  const isCurrent =
    has(beat.statesRevision, published.states) &&
    has(beat.settingsRevision, published.settings) &&
    has(beat.secretsRevision, published.secrets);
  return isCurrent ? 'current' : 'behind';
}
