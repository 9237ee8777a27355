/**
 * `publishKeys` puts the public keys by which peels know their masters where peels read them, in bucket secrets: the list of
 * the generations that are good, and the curve key and the command key of the newest, for programs that know of no generations. The
 * agents keys by which credentials are good stand in the same list.
 *
 * Every master does it, at its start and whenever a generation appears or its overlap ends, from the records that all of them
 * have: whoever dies in between leaves the rest to the next, and two at once write the same. By compare-and-set and only
 * forward, so that a master that is behind takes nothing back.
 *
 * A master that finds a key there that is of none of its generations does not start: peels would refuse its commands and could
 * not open what it seals, and a key that it put there itself would take the fleet from the masters that work (decision 46).
 */
import type { Bucket, KvRead } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { COMMAND_KEY, FLEET_KEYS_KEY, MASTER_CURVE_KEY } from '../../wire/names/keys.ts';
import {
  type FleetKeyList,
  type FleetPublicKey,
  fleetKeyListCodec,
} from '../../wire/records/fleet-key/fleet-keys.ts';
import type { MasterContext } from '../master-context.ts';
import { publicHalves } from './fleet-key-book.ts';

/** Each round means that another master wrote between our reading and our writing. */
const ROUNDS_MAX = 8;
/** Of the shortest overlap: so long peels take over renewing their credentials, and have the rest to connect anew. */
const RENEW_PART = 0.2;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

type PublishContext = Pick<MasterContext, 'bus' | 'fleetKeys' | 'agentsKeys' | 'settings' | 'runtime'>;
/** What is to be done about what is stored; `foreign`: it is of none of our generations. */
type Judgement = 'right' | 'behind' | 'foreign';

/** Throws MASTER_OTHER_KEYS when the fleet has others. */
export async function publishKeys(context: PublishContext): Promise<void> {
  const list = listOf(context);
  const [newest] = list.keys;
  if (newest === undefined) return;
  const merged = (stored: Uint8Array | undefined) => fleetKeyListCodec.encode(furthest(list, stored));
  await settle(context, FLEET_KEYS_KEY, merged, (stored) => judgeList(context, list, stored));
  for (const [key, kind] of [
    [MASTER_CURVE_KEY, 'curve'],
    [COMMAND_KEY, 'command'],
  ] as const)
    await settle(
      context,
      key,
      () => encoder.encode(newest[kind]),
      (stored) => judgeKey(context, newest, kind, decoder.decode(stored)),
    );
}

async function settle(
  { bus, runtime }: PublishContext,
  key: string,
  value: (stored: Uint8Array | undefined) => Uint8Array,
  judge: (stored: Uint8Array) => Judgement,
): Promise<void> {
  const secrets = bus.bucket(BUCKETS.secrets.name);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const read = await secrets.getLatest(key);
    const judgement = read.found ? judge(read.value) : 'behind';
    if (judgement === 'right') return;
    if (judgement === 'foreign')
      throw zesterError('MASTER_OTHER_KEYS', { key, bucket: BUCKETS.secrets.name });
    if (await write(secrets, read, value(read.found ? read.value : undefined))) {
      runtime.log.info('public key published', { key });
      return;
    }
  }
  const what = `${BUCKETS.secrets.name}/${key}`;
  throw zesterError('BUS_STORE_UNAVAILABLE', { what, reason: 'it changes faster than it can be read' });
}

async function write(bucket: Bucket, read: KvRead, value: Uint8Array): Promise<boolean> {
  const outcome = read.found
    ? await bucket.update(read.key, value, read.revision)
    : await bucket.create(read.key, value);
  return outcome.won;
}

/** A list goes forward by its newest generation, and then from two to one. */
function judgeList({ fleetKeys }: PublishContext, ours: FleetKeyList, stored: Uint8Array): Judgement {
  const read = decoded(fleetKeyListCodec, stored);
  if (!read.isReadable) return 'behind';
  const isOurs = ({ generation, curve, command }: FleetPublicKey) => {
    const key = fleetKeys.keyOf(generation);
    const halves = key === undefined ? undefined : publicHalves(key);
    return halves?.curve === curve && halves.command === command;
  };
  if (!read.value.keys.every(isOurs)) return 'foreign';
  const isBehind =
    progress(read.value.keys) < progress(ours.keys) || progress(read.value.agents) < progress(ours.agents);
  return isBehind ? 'behind' : 'right';
}

function progress(keys: readonly { readonly generation: number }[]): number {
  return (keys[0]?.generation ?? 0) * 2 - (keys.length > 1 ? 1 : 0);
}

function listOf({ fleetKeys, agentsKeys, settings }: PublishContext): FleetKeyList {
  const agents = agentsKeys.list();
  const renewSpreadMs = Math.ceil(settings.fleetKeyOverlapMinMs * RENEW_PART);
  return { ...fleetKeys.list(), agents, renewSpreadMs: agents.length === 0 ? 0 : renewSpreadMs };
}

/** Of each of the two keys what is further: another master may know more of one and less of the other. */
function furthest(ours: FleetKeyList, stored: Uint8Array | undefined): FleetKeyList {
  const read = stored === undefined ? undefined : decoded(fleetKeyListCodec, stored);
  if (read?.isReadable !== true) return ours;
  const { keys, agents, renewSpreadMs } = read.value;
  return {
    keys: progress(keys) > progress(ours.keys) ? keys : ours.keys,
    ...(progress(agents) > progress(ours.agents)
      ? { agents, renewSpreadMs }
      : { agents: ours.agents, renewSpreadMs: ours.renewSpreadMs }),
  };
}

function judgeKey(
  { fleetKeys }: PublishContext,
  newest: FleetPublicKey,
  kind: 'curve' | 'command',
  stored: string,
): Judgement {
  if (stored === newest[kind]) return 'right';
  const generation = fleetKeys.fleet.find((key) => publicHalves(key)[kind] === stored)?.generation;
  if (generation === undefined) return 'foreign';
  return generation < newest.generation ? 'behind' : 'right';
}
