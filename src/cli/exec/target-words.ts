/** What is said about the targets before a job begins. */
import type { PeelId } from '../../wire/names/ids.ts';

const NAMED_MAX = 20;

/** `Targeting 3 peel(s): [db-01 web-01 web-02]`; of a large fleet the first few. */
export function targetingText(targets: readonly PeelId[]): string {
  const more = targets.length > NAMED_MAX ? ` and ${targets.length - NAMED_MAX} more` : '';
  return `Targeting ${targets.length} peel(s): [${targets.slice(0, NAMED_MAX).join(' ')}${more}]`;
}

/** Of a plain list: names that no peel has. Whoever writes a list means everyone on it. */
export function unknownInList(target: string, targets: readonly PeelId[]): readonly string[] {
  const list = /^\s*L@(\S+)\s*$/.exec(target)?.[1];
  if (list === undefined) return [];
  const found = new Set<string>(targets);
  const names = list.split(',').filter((name) => name !== '');
  return names.filter((name) => !found.has(name.replaceAll('.', '_')));
}
