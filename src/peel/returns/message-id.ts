import type { Random } from '../../runtime/random.ts';

const MESSAGE_ID_BYTES = 16;

/** Unguessable (decision 23e): who knew it could publish under it first, and ours would be dropped as a duplicate. */
export function newMessageId(random: Random): string {
  return Buffer.from(random.bytes(MESSAGE_ID_BYTES)).toString('hex');
}
