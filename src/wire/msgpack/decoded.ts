/**
 * `decoded` reads bytes that anyone may have written, and answers with a value either way: the record, or what is wrong with
 * the bytes. It is the one place outside this folder's own codecs where a WireError is caught, so that no reader has to
 * remember to: a bug still throws.
 */
import type { Codec } from './codec.ts';
import { WireError } from './wire-error.ts';

export type Decoded<T> =
  | { readonly isReadable: true; readonly value: T }
  /** The problem is one line without any byte of the value: fit for a log and, made printable, for a terminal. */
  | { readonly isReadable: false; readonly problem: string };

export function decoded<T>(codec: Pick<Codec<T>, 'decode'>, bytes: Uint8Array): Decoded<T> {
  try {
    return { isReadable: true, value: codec.decode(bytes) };
  } catch (error) {
    if (error instanceof WireError) return { isReadable: false, problem: error.message };
    throw error;
  }
}
