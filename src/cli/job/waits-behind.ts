/** "waits behind job X", in words: of one target, of some, of a whole job. What a peel said is a stranger's text. */

import type { TargetAck } from '../../client/jobs/job-acks.ts';
import { printableLine } from '../../core/printable.ts';
import { type PeelId, parseJid } from '../../wire/names/ids.ts';

/** Different things that targets wait behind, named before the rest is counted. */
const NAMED_MAX = 2;
const WORDS_CHARS_MAX = 40;

export function behindText(behind: string): string {
  return parseJid(behind) === undefined
    ? `other work (${printableLine(behind, WORDS_CHARS_MAX)})`
    : `job ${behind}`;
}

/** `job A`, `job A and job B`, `job A, job B and 3 more`. */
export function behindAll(behind: Iterable<string>): string {
  const each = [...new Set(behind)];
  const named = each.slice(0, NAMED_MAX).map(behindText);
  if (each.length > NAMED_MAX) return `${named.join(', ')} and ${each.length - NAMED_MAX} more`;
  return named.join(' and ');
}

/** What is known of the targets of an open job. */
export interface TargetWords {
  readonly targets: readonly PeelId[];
  readonly acks: ReadonlyMap<PeelId, TargetAck>;
  /** Some target has returned. A fast return comes without an ack (decision 45), so acks alone do not tell. */
  readonly hasReturn: boolean;
}

/**
 * What an open job waits behind, each thing once: jobs, or other words of peels. Empty unless at least one target has it
 * in its queue, and none has started it or returned.
 */
export function jobWaitsBehind({ targets, acks, hasReturn }: TargetWords): readonly string[] {
  if (hasReturn) return [];
  const behind = new Set<string>();
  for (const peel of targets) {
    const ack = acks.get(peel);
    if (ack === undefined) continue;
    if (ack.behind === undefined) return [];
    behind.add(ack.behind);
  }
  return [...behind];
}
