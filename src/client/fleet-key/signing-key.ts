/**
 * `signingKey` is the operator's key for something that peels are to accept: before it signs, its certificate is compared with the
 * generations of the fleet key that are good. Peels say nothing to what they refuse, so without it a call with an old
 * certificate would look like a peel that does not answer.
 *
 * Where the list cannot be read, or there is none, the key signs as it is: a direct call must work while the store does not. Read
 * once in `KNOWN_MS` for each bus.
 */
import type { Bus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { within } from '../../runtime/abortable-wait.ts';
import { generationOfCertificate, type OperatorKey } from '../../trust/operator-key.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { FLEET_KEYS_KEY } from '../../wire/names/keys.ts';
import { type FleetPublicKey, fleetKeyListCodec } from '../../wire/records/fleet-key/fleet-keys.ts';
import type { ClientContext } from '../client-context.ts';

const KNOWN_MS = 5_000;
const READ_MS = 1_000;

interface Known {
  readonly atMs: number;
  readonly keys: Promise<readonly FleetPublicKey[]>;
}

const known = new WeakMap<Bus, Known>();

export async function signingKey(client: ClientContext): Promise<OperatorKey> {
  const key = client.operatorKey();
  const { bus, runtime } = client;
  const nowMs = runtime.clock.monotonicMs();
  const before = known.get(bus);
  const isOld = before === undefined || nowMs - before.atMs >= KNOWN_MS;
  const read = isOld ? { atMs: nowMs, keys: listed(client) } : before;
  known.set(bus, read);
  const good = (await read.keys).map(({ generation }) => generation);
  const generation = generationOfCertificate(key.certificate);
  if (good.length > 0 && !good.includes(generation))
    throw zesterError('AUTH_CERTIFICATE_RETIRED', { generation, good: good.join(' and ') });
  return key;
}

/** What peels go by, the newest first; empty where nobody can tell. */
async function listed({ bus, runtime }: ClientContext): Promise<readonly FleetPublicKey[]> {
  let keys: readonly FleetPublicKey[] = [];
  const reading = readFleetKeys({ bus }).then(
    (read) => {
      keys = read;
    },
    (error: unknown) => runtime.log.debug('the generations of the fleet key cannot be read', { error }),
  );
  await within(runtime.clock, READ_MS, reading);
  return keys;
}

/** The same, and throws where the store does. */
export async function readFleetKeys({ bus }: Pick<ClientContext, 'bus'>): Promise<readonly FleetPublicKey[]> {
  const read = await bus.bucket(BUCKETS.secrets.name).get(FLEET_KEYS_KEY);
  const list = read.found ? decoded(fleetKeyListCodec, read.value) : undefined;
  if (list?.isReadable === false)
    throw zesterError('BUS_BAD_DATA', {
      what: `${BUCKETS.secrets.name}/${FLEET_KEYS_KEY}`,
      problem: list.problem,
    });
  return list?.value.keys ?? [];
}
