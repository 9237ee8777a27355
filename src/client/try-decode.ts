/**
 * Reading what others wrote. Bytes that are no record are told by name and left out; whatever else is there is shown. Peels
 * may write anything under their own keys, and a command that dies of it would blind the operator to all others.
 */
import { printableLine } from '../core/printable.ts';
import type { Codec } from '../wire/msgpack/codec.ts';
import { WireError } from '../wire/msgpack/wire-error.ts';

/** Undefined for bytes that make no sense. */
export function tryDecode<T>(codec: Codec<T>, bytes: Uint8Array): T | undefined {
  return decodeOrTell(codec, bytes, () => undefined);
}

/** The same; `tell` gets what is wrong with them. */
export function decodeOrTell<T>(
  codec: Codec<T>,
  bytes: Uint8Array,
  tell: (problem: string) => void,
): T | undefined {
  try {
    return codec.decode(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    tell(error.message);
    return undefined;
  }
}

/** One line for stderr. `what` may hold a key that a stranger chose. */
export function leftOut(what: string, problem: string): string {
  return printableLine(`${what} cannot be read and is left out: ${problem}`);
}
