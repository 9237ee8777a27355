import type { Codec } from '../wire/codec.ts';
import { WireError } from '../wire/wire-error.ts';

/** Undefined for bytes that make no sense: peels and other programs may write anything under their own keys. */
export function tryDecode<T>(codec: Codec<T>, bytes: Uint8Array): T | undefined {
  try {
    return codec.decode(bytes);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
