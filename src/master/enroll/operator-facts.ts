/**
 * Operator facts are sealed in the enrollment of a peel: `OperatorFacts` seals and opens them with the fleet key (decision 122), and
 * `resealOperatorFacts` brings all of them under the generation that is used. What operators say in facts may be secret, and the
 * bucket, with its history, is read by every admin and lies on the disks of the NATS servers.
 *
 * The names stay readable: people are shown those, and whoever can open nothing still sees that there is something. Each value has
 * a seal of its own, so that a change of one leaves the others as they are, and the same change twice changes nothing. Records of
 * the form before have them in clear: they are read, and whoever writes such a record seals them.
 */
import { openTable } from '../../bus/kv/table.ts';
import { type FactSeal, generationOfSeal, operatorFactSeal } from '../../trust/fleet-seal.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';

export class OperatorFacts {
  private readonly seal: FactSeal;

  constructor({ keys, runtime }: Pick<MasterContext, 'keys' | 'runtime'>) {
    this.seal = operatorFactSeal(() => keys.fleet, runtime.random);
  }

  /** Undefined: one of them cannot be opened, such as under a generation that we have not heard of yet. */
  of({ peelId, facts, sealedFacts }: Enrollment): WireMap | undefined {
    const opened: [string, WireValue][] = [];
    for (const [name, sealed] of Object.entries(sealedFacts)) {
      const value = this.open(peelId, name, sealed);
      if (value === undefined) return undefined;
      opened.push([name, value]);
    }
    return { ...facts, ...Object.fromEntries(opened) };
  }

  /** The record with these facts and no others. What was sealed already stays as it is. */
  withFacts(record: Enrollment, facts: WireMap): Enrollment {
    const { peelId, sealedFacts: before } = record;
    const sealed = Object.entries(facts).map(([name, value]) => {
      const bytes = factsCodec.encode({ [name]: value });
      const there = before[name];
      const known = there === undefined ? undefined : this.seal.open(peelId, there);
      const isSame = known !== undefined && Buffer.compare(known, bytes) === 0;
      return [name, isSame && there !== undefined ? there : this.seal.seal(peelId, bytes)] as const;
    });
    return { ...record, facts: {}, sealedFacts: Object.fromEntries(sealed) };
  }

  /** The same record without a value in clear. */
  sealed(record: Enrollment): Enrollment {
    if (Object.keys(record.facts).length === 0) return record;
    const { sealedFacts } = this.withFacts({ ...record, sealedFacts: {} }, record.facts);
    return { ...record, facts: {}, sealedFacts: { ...sealedFacts, ...record.sealedFacts } };
  }

  /** The record with every fact under the generation that is used; undefined: one cannot be opened. */
  resealed(record: Enrollment): Enrollment | undefined {
    const facts = this.of(record);
    return facts === undefined ? undefined : this.withFacts({ ...record, sealedFacts: {} }, facts);
  }

  private open(peel: PeelId, name: string, sealed: string): WireValue | undefined {
    const plain = this.seal.open(peel, sealed);
    const read = plain === undefined ? undefined : decoded(factsCodec, plain);
    return read?.isReadable === true && Object.hasOwn(read.value, name) ? read.value[name] : undefined;
  }
}

/** Whether it has a fact in clear, or under an older generation than this one. */
export function hasOldFacts({ facts, sealedFacts }: Enrollment, generation: number): boolean {
  const isOld = (sealed: string) => (generationOfSeal(sealed) ?? generation) < generation;
  return Object.keys(facts).length > 0 || Object.values(sealedFacts).some(isOld);
}

/** How many records were sealed anew, each by compare-and-set. One that cannot be opened stays, and is named. */
export async function resealOperatorFacts({
  bus,
  runtime,
  fleetKeys,
  operatorFacts,
  life,
}: Pick<MasterContext, 'bus' | 'runtime' | 'fleetKeys' | 'operatorFacts' | 'life'>): Promise<number> {
  const table = openTable(bus, TABLES.enrollments);
  let resealed = 0;
  for (const read of await table.entries()) {
    life.throwIfAborted();
    if (read.is !== 'found' || !hasOldFacts(read.value, fleetKeys.generation())) continue;
    const record = operatorFacts.resealed(read.value);
    if (record === undefined) {
      const { id, peelId: peel } = read.value;
      runtime.log.warn('facts that operators set cannot be opened, and stay as they are', { id, peel });
      continue;
    }
    if ((await table.update(read.id, record, read.revision)).won) resealed += 1;
  }
  return resealed;
}
