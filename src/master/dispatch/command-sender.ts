/**
 * The command sender puts the request of a job on the wire, once for each target: the same bytes for all, each with the
 * proof of its own (decision 23f). Core NATS, so nobody confirms anything: whoever sends watches for acks and sends
 * again.
 *
 * A target whose curve key is not known cannot be sent a proof, and without one it would refuse the command: it is
 * reported as keyless and sent to when its facts appear. A publish that throws had no effect; the others go on.
 * Bound: after every batch the event loop gets its turn, so a wide job does not stop the master.
 */

import { sleep } from '../../runtime/clock.ts';
import { makeCommandProof } from '../../trust/command-proof.ts';
import { PROOF_HEADER } from '../../wire/names/headers.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { commandSubject } from '../../wire/names/subjects.ts';
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

export function commandSender(
  context: Pick<MasterContext, 'bus' | 'runtime' | 'keys'>,
  curveKeyOf: (peel: PeelId) => string | undefined,
): CommandSender {
  const { bus, runtime } = context;
  const proofKeys = new ProofKeys(context.keys.curveKey);

  function sendOne(payload: Uint8Array, peel: PeelId): keyof SendReport {
    const curveKey = curveKeyOf(peel);
    const key = curveKey === undefined ? undefined : proofKeys.keyFor(peel, curveKey);
    if (key === undefined) return 'keyless';
    const proof = formatProof(makeCommandProof(key, peel, payload));
    try {
      bus.publish(commandSubject(peel), payload, { headers: new Map([[PROOF_HEADER, proof]]) });
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
