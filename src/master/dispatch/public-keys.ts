/**
 * `publishKeys` puts the two public keys by which peels know their masters where they are missing: the fleet's curve key,
 * for sealed secrets and the proofs of commands, and the command key, for cancels. All masters of a deployment derive
 * the same ones.
 *
 * A master that finds other keys there does not start: peels would refuse its commands and could not open what it seals,
 * and a key that it put there itself would take the fleet from the masters that work. So nothing here ever replaces a key;
 * a rotation adds a generation (decision 46). Two that start at once create the same bytes, whoever wins. One that dies
 * between the two keys leaves the second to the next.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { encodeBase64url } from '../../wire/msgpack/base64url.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { COMMAND_KEY, MASTER_CURVE_KEY } from '../../wire/names/keys.ts';
import type { MasterContext } from '../master-context.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Throws MASTER_OTHER_KEYS when the fleet has others. */
export async function publishKeys({
  bus,
  keys,
  runtime,
}: Pick<MasterContext, 'bus' | 'keys' | 'runtime'>): Promise<void> {
  const secrets = bus.bucket(BUCKETS.secrets.name);
  const wanted = {
    [MASTER_CURVE_KEY]: keys.curveKey.publicKey,
    [COMMAND_KEY]: encodeBase64url(keys.commandKey.publicKey),
  };
  for (const [key, own] of Object.entries(wanted)) {
    const before = await secrets.getLatest(key);
    if (!before.found && (await secrets.create(key, encoder.encode(own))).won) {
      runtime.log.info('public key published', { key });
      continue;
    }
    const there = before.found ? before : await secrets.getLatest(key);
    if (there.found && decoder.decode(there.value) === own) continue;
    throw zesterError('MASTER_OTHER_KEYS', { key, bucket: BUCKETS.secrets.name });
  }
}
