/** This file writes names of peels as people read them. */

/** Names shown of a group before the rest is counted. */
const NAMES_SHOWN_MAX = 12;

/** A dot in a host name travels as `_`. */
export function displayName(peel: string): string {
  return peel.replaceAll('_', '.');
}

/** Sorted, and cut where there are many. */
export function displayNames(peels: readonly string[]): string {
  const names = [...peels].sort().map(displayName);
  const rest = names.length > NAMES_SHOWN_MAX ? ` and ${names.length - NAMES_SHOWN_MAX} more` : '';
  return `${names.slice(0, NAMES_SHOWN_MAX).join(', ')}${rest}`;
}
