/**
 * These functions derive the keys of a peel's undo journal from a secret of the journal's own
 * (peel/undo/undo-key-file.ts). One key seals files, the other names contents, so that a name tells nothing about a
 * content to somebody who can guess it.
 *
 * The label is part of the contract: another label is another key, and old journals cannot be read with it.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { assert } from '../core/assert.ts';
import type { Random } from '../runtime/random.ts';
import { type Opened, openAtRest, SEAL_KEY_BYTES, sealAtRest } from './seal-at-rest.ts';

const LABEL = 'zester-undo-v1';
const NAME_KEY_BYTES = 32;
export const UNDO_SECRET_BYTES = 32;

export interface UndoKey {
  /** The same name for the same content, and only for it. */
  nameOf(content: Uint8Array): string;
  seal(place: string, plain: Uint8Array): Uint8Array;
  open(place: string, sealed: Uint8Array): Opened;
}

export function undoKeyFrom(secret: Uint8Array, random: Random): UndoKey {
  assert(secret.length === UNDO_SECRET_BYTES, 'the undo journal wants a secret of 32 bytes');
  const bytes = hkdfSync('sha256', secret, Buffer.of(), LABEL, SEAL_KEY_BYTES + NAME_KEY_BYTES);
  const sealKey = new Uint8Array(bytes, 0, SEAL_KEY_BYTES);
  const nameKey = new Uint8Array(bytes, SEAL_KEY_BYTES);
  return {
    nameOf: (content) => createHmac('sha256', nameKey).update(content).digest('base64url'),
    seal: (place, plain) => sealAtRest(sealKey, random, { place, plain }),
    open: (place, sealed) => openAtRest(sealKey, { place, sealed }),
  };
}
