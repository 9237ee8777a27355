/** "waits behind job X", in words: of one target, of some, of a whole job. What a peel said is a stranger's text. */

import { printableLine } from '../../core/printable.ts';
import { type PeelId, parseJid } from '../../wire/ids.ts';
import type { TargetAck } from './job-acks.ts';

/** Different things that targets wait behind, named before the rest is counted. */
const NAMED_MAX = 2;
const WORDS_CHARS_MAX = 40;

export function behindText(behind: string): string {
  return parseJid(behind) === undefined
    ? `other work (${printableLine(behind, WORDS_CHARS_MAX)})`
    : `job ${behind}`;
}

/** `job A`, `job A and job B`, `job A, job B and 3 more`. */
export function behindAll(behind: readonly string[]): string {
  const each = [...new Set(behind)];
  const named = each.slice(0, NAMED_MAX).map(behindText);
  if (each.length > NAMED_MAX) return `${named.join(', ')} and ${each.length - NAMED_MAX} more`;
  return named.join(' and ');
}

/** Of a job that is open: what it waits behind, if no target has started it and at least one has it in its queue. */
export function jobWaitsBehind(acks: ReadonlyMap<PeelId, TargetAck>): string | undefined {
  const behind = [...acks.values()].map((ack) => ack.behind);
  if (behind.length === 0 || behind.includes(undefined)) return undefined;
  return behindAll(behind as string[]);
}
