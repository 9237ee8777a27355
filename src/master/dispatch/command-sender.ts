/**
 * The command sender puts the request of a job on the wire, once for each target: the same bytes for all, each with the
 * proof of its own (decision 23f). Core NATS, so nobody confirms anything: whoever sends watches for acks and sends
 * again, with a proof of its own: what was proven with a generation of the fleet key that the peel does not know yet, or no
 * more, is proven anew.
 *
 * A target whose curve key is not known cannot be sent a proof, and without one it would refuse the command: it is
 * reported as keyless and sent to when its facts appear. A publish that throws had no effect; the others go on.
 * Bound: after every batch the event loop gets its turn, so a wide job does not stop the master.
 */

import { sleep } from '../../runtime/clock.ts';
import { makeCommandProof } from '../../trust/command-proof.ts';
import { GENERATION_HEADER, PROOF_HEADER } from '../../wire/names/headers.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { commandSubject } from '../../wire/names/subjects.ts';
import { FIRST_GENERATION } from '../../wire/records/fleet-key/fleet-keys.ts';
import { formatProof } from '../../wire/records/proof-header.ts';
import type { MasterContext } from '../master-context.ts';
import { ProofKeys } from './proof-keys.ts';

const BATCH_TARGETS = 128;

export interface SendReport {
  readonly sent: readonly PeelId[];
  /** No usable curve key is known. */
  readonly keyless: readonly PeelId[];
  /** The publish threw. */
  readonly failed: readonly PeelId[];
}

export interface CommandSender {
  send(payload: Uint8Array, targets: readonly PeelId[]): Promise<SendReport>;
}

/** What is known of a peel. */
export interface PeelKeys {
  readonly curveKeyOf: (peel: PeelId) => string | undefined;
  /** Newest generation of the fleet key that its heartbeat confirms; undefined where it has none. */
  readonly generationOf: (peel: PeelId) => number | undefined;
}

export function commandSender(
  context: Pick<MasterContext, 'bus' | 'runtime' | 'keys'>,
  { curveKeyOf, generationOf }: PeelKeys,
): CommandSender {
  const { bus, runtime, keys } = context;
  const proofKeys = new ProofKeys();

  function sendOne(payload: Uint8Array, peel: PeelId): keyof SendReport {
    const curveKey = curveKeyOf(peel);
    const fleetKey = keys.provingKey(generationOf(peel));
    const key = curveKey === undefined ? undefined : proofKeys.keyFor(peel, curveKey, fleetKey.curveKey);
    if (key === undefined) return 'keyless';
    const headers = new Map([[PROOF_HEADER, formatProof(makeCommandProof(key, peel, payload))]]);
    const { generation } = fleetKey;
    if (generation !== FIRST_GENERATION) headers.set(GENERATION_HEADER, String(generation));
    try {
      bus.publish(commandSubject(peel), payload, { headers });
      return 'sent';
    } catch (error) {
      runtime.log.warn('request could not be published', { peel, error });
      return 'failed';
    }
  }

  return {
    async send(payload, targets) {
      const report = { sent: [] as PeelId[], keyless: [] as PeelId[], failed: [] as PeelId[] };
      for (const [index, peel] of targets.entries()) {
        if (index > 0 && index % BATCH_TARGETS === 0) await sleep(runtime.clock, 0);
        report[sendOne(payload, peel)].push(peel);
      }
      return report;
    },
  };
}
