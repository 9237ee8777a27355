/**
 * This file gives the exact bytes that proofs are made over. trust/ makes and checks the proofs; both ends take the
 * bytes from here.
 *
 * Each begins with a label of its own that ends in a zero byte, and what stands between zero bytes cannot contain one,
 * so no proof of one kind is ever a proof of another.
 */

import type { UnixNanos } from '../msgpack/time.ts';
import type { Jid, PeelId } from '../names/ids.ts';

const utf8 = new TextEncoder();

/** A command to one peel: the payload as it is sent. Proven by an HMAC that only that peel and the masters can make. */
export function commandProofBytes(peel: PeelId, payload: Uint8Array): Uint8Array {
  return joined(`zester-cmd-v1\0${peel}\0`, payload);
}

/** A cancel. Signed by the command key or by an operator key that it certified. */
export function cancelProofBytes(jid: Jid): Uint8Array {
  return utf8.encode(`zester-cancel-v1\0${jid}`);
}

/**
 * A direct request. Signed by an operator key; the deadline (header Zester-Deadline) bounds how long it can be
 * replayed.
 */
export function directProofBytes(peel: PeelId, deadline: UnixNanos, payload: Uint8Array): Uint8Array {
  return joined(`zester-direct-v1\0${peel}\0${deadline}\0`, payload);
}

/** Value of the header Zester-Deadline. */
export function formatDeadline(deadline: UnixNanos): string {
  return deadline.toString();
}

/** Undefined for what formatDeadline would not have written, or a time before 1970. */
export function parseDeadline(text: string): UnixNanos | undefined {
  return /^[1-9][0-9]{0,20}$/.test(text) ? BigInt(text) : undefined;
}

/** A label and the bytes after it. */
export function joined(label: string, payload: Uint8Array): Uint8Array {
  const head = utf8.encode(label);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}
