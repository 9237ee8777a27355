/**
 * `publishKeys` writes the two public keys by which peels know their masters: the account's curve key, for the proofs of
 * commands, and the command key, for cancels. All masters derive the same ones, so each writes them only where they are
 * missing or others: a rotation of the account seed.
 */
import { encodeBase64url } from '../../wire/msgpack/base64url.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { COMMAND_KEY, MASTER_CURVE_KEY } from '../../wire/names/keys.ts';
import type { MasterContext } from '../master-context.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export async function publishKeys({ bus, keys, runtime }: MasterContext): Promise<void> {
  const secrets = bus.bucket(BUCKETS.secrets.name);
  const wanted = {
    [MASTER_CURVE_KEY]: keys.curveKey.publicKey,
    [COMMAND_KEY]: encodeBase64url(keys.commandKey.publicKey),
  };
  for (const [key, text] of Object.entries(wanted)) {
    const there = await secrets.getLatest(key);
    if (there.found && decoder.decode(there.value) === text) continue;
    await secrets.put(key, encoder.encode(text));
    runtime.log.info(there.found ? 'public key replaced' : 'public key published', { key });
  }
}
