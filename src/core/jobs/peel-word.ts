/**
 * What a peel says about a job, read from a message that anyone may have made. The peel in the subject is the peel, the
 * server sees to that; a payload that names another peel or another job is not its word and is dropped.
 */

import { WireError } from '../../wire/msgpack/wire-error.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { parseJobSubject } from '../../wire/names/subjects.ts';
import { ackCodec, type Return, returnCodec } from '../../wire/records/job-return.ts';
import { isRealReturn } from './job-tally.ts';

export type PeelWord =
  | { readonly kind: 'ack'; readonly jid: Jid; readonly peel: PeelId }
  | { readonly kind: 'return'; readonly jid: Jid; readonly peel: PeelId; readonly value: Return }
  /** `peel` is who sent it, when the subject is one of ours. */
  | { readonly kind: 'nonsense'; readonly peel: PeelId | undefined; readonly problem: string };

export function readPeelWord(subject: string, data: Uint8Array): PeelWord {
  const from = parseJobSubject(subject);
  if (from?.kind !== 'ack' && from?.kind !== 'return') return nonsense(undefined, 'no ack or return');
  const { kind, jid, peel } = from;
  try {
    if (kind === 'ack') {
      const ack = ackCodec.decode(data);
      return ack.jid === jid && ack.peelId === peel ? { kind, jid, peel } : nonsense(peel, 'names another');
    }
    const value = returnCodec.decode(data);
    if (value.jid !== jid || value.peelId !== peel) return nonsense(peel, 'names another');
    // Only masters write such rows, and only into the store.
    return isRealReturn(value) ? { kind, jid, peel, value } : nonsense(peel, 'is marked unreachable');
  } catch (error) {
    if (error instanceof WireError) return nonsense(peel, error.message);
    throw error;
  }
}

function nonsense(peel: PeelId | undefined, problem: string): PeelWord {
  return { kind: 'nonsense', peel, problem };
}
