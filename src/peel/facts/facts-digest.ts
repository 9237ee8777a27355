/**
 * The digest of facts says whether they are worth publishing: when it is equal, there is nothing to publish. Every
 * publish wakes every master, so what moves all the time does not count: uptime, how much memory and disk is used, the
 * clock of the processor. Those values are published along with the next change of anything else; whoever wants them as
 * they are now asks the peel (`facts.get memory.available`). Totals count: more memory or a new disk is news.
 */
import { createHash } from 'node:crypto';
import { encodeSortedValue } from '../../wire/msgpack/msgpack-encode.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';

/** Facts that do not count. `*` stands for every item of a list. */
export const VOLATILE_FACTS: readonly string[] = [
  'os.uptime',
  'cpu.mhz',
  'memory.available',
  'memory.used',
  'memory.used_percent',
  'memory.free',
  'memory.swap_used',
  'memory.swap_free',
  'disk.mounts.*.used',
  'disk.mounts.*.free',
  'disk.mounts.*.used_percent',
];

/** SHA-256 in hex, of the facts that count with the keys of every map sorted. */
export function factsDigest(facts: WireMap): string {
  const counting = VOLATILE_FACTS.reduce<WireValue>((value, path) => without(value, path.split('.')), facts);
  return createHash('sha256').update(encodeSortedValue(counting)).digest('hex');
}

function without(value: WireValue, [key = '', ...rest]: readonly string[]): WireValue {
  if (key === '*') return Array.isArray(value) ? value.map((item: WireValue) => without(item, rest)) : value;
  if (!isWireMap(value) || !Object.hasOwn(value, key)) return value;
  const { [key]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [key]: without(inner as WireValue, rest) };
}
