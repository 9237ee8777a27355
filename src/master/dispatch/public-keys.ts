/**
 * The two public keys by which peels know their masters: the account's curve key, for the proofs of commands, and the
 * command key, for cancels. All masters derive the same ones, so each writes them only where they are missing or others:
 * a rotation of the account seed.
 */
import { encodeBase64url } from '../../wire/msgpack/base64url.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { COMMAND_KEY, MASTER_CURVE_KEY } from '../../wire/names/keys.ts';
import type { MasterContext } from '../master-context.ts';
import { sameBytes } from '../same-bytes.ts';

const encoder = new TextEncoder();

export async function publishKeys({ bus, keys, runtime }: MasterContext): Promise<void> {
  const secrets = bus.bucket(BUCKETS.secrets.name);
  const wanted = {
    [MASTER_CURVE_KEY]: keys.curveKey.publicKey,
    [COMMAND_KEY]: encodeBase64url(keys.commandKey.publicKey),
  };
  for (const [key, text] of Object.entries(wanted)) {
    const value = encoder.encode(text);
    const there = await secrets.getLatest(key);
    if (there.found && sameBytes(there.value, value)) continue;
    await secrets.put(key, value);
    runtime.log.info(there.found ? 'public key replaced' : 'public key published', { key });
  }
}
