/**
 * `readPeelWord` reads what a peel says about a job from a message that anyone may have made. The peel in the subject is
 * the peel, the server sees to that; what cannot be read as its word is dropped, with the reason.
 */
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { parseJobSubject } from '../../wire/names/subjects.ts';
import type { Return } from '../../wire/records/job-return.ts';
import { readJobWord } from '../../wire/records/job-words.ts';

export type PeelWord =
  | { readonly kind: 'ack'; readonly jid: Jid; readonly peel: PeelId }
  | { readonly kind: 'return'; readonly jid: Jid; readonly peel: PeelId; readonly value: Return }
  /** `peel` is who sent it, when the subject is one of ours. */
  | { readonly kind: 'nonsense'; readonly peel: PeelId | undefined; readonly problem: string };

export function readPeelWord(subject: string, data: Uint8Array): PeelWord {
  const from = parseJobSubject(subject);
  if (from?.kind !== 'ack' && from?.kind !== 'return')
    return { kind: 'nonsense', peel: undefined, problem: 'no ack or return' };
  const { peel } = from;
  const word = readJobWord(subject, data);
  if (!word.isReadable) return { kind: 'nonsense', peel, problem: word.problem };
  return word.value.kind === 'return' ? word.value : { ...from, kind: 'ack' };
}
