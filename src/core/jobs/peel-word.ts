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
  const word = readJobWord(subject, data);
  if (!word.isReadable) return { kind: 'nonsense', peel: senderOf(subject), problem: word.problem };
  const { value } = word;
  if (value.kind === 'return') return value;
  if (value.kind === 'ack') return { kind: 'ack', jid: value.jid, peel: value.peel };
  return { kind: 'nonsense', peel: undefined, problem: 'no ack or return' };
}

/** Asked only for what cannot be read, so that a good word has its subject parsed once. */
function senderOf(subject: string): PeelId | undefined {
  const from = parseJobSubject(subject);
  return from?.kind === 'ack' || from?.kind === 'return' ? from.peel : undefined;
}
