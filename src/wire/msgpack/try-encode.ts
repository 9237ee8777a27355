/** `tryEncode` writes a value that may be over the limits of the contract: too long a text, too deep, too many. */
import { WireError } from './wire-error.ts';

/** Undefined when the contract has no room for it. A bug still throws. */
export function tryEncode(encode: () => Uint8Array): Uint8Array | undefined {
  try {
    return encode();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
