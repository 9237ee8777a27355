/**
 * These functions ask a master about the fleet key and the agents key: how one stands, make another generation, certify this operator by
 * the newest fleet key. Any master may answer. A question whose answer was lost is sent again, for `KEEP_ASKING_MS`, under the same id: a rotation
 * happens once.
 */
import { isTransient } from '../../bus/failed-call.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { sleep } from '../../runtime/clock.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { type OperatorKey, withCertificate } from '../../trust/operator-key.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { certifyProofBytes, type FleetKeyReply } from '../../wire/records/fleet-key/fleet-key-admin.ts';
import { ask, QUESTIONS, type Question } from '../ask.ts';
import type { ClientContext } from '../client-context.ts';

const ANSWER_MS = 10_000;
const KEEP_ASKING_MS = 30_000;
const RETRY_MS = 500;
const LOOK_MS = 1_000;
const LOOK_ANSWER_MS = 3_000;

/** The keys that have generations: what masters prove and seal with, and what signs credentials of peels. */
export type RotatedKey = 'fleet' | 'agents';

const STATUS = { fleet: QUESTIONS.fleetKeyStatus, agents: QUESTIONS.agentsKeyStatus } as const;
const ROTATE = { fleet: QUESTIONS.fleetKeyRotate, agents: QUESTIONS.agentsKeyRotate } as const;

export function readKey(client: ClientContext, key: RotatedKey): Promise<FleetKeyReply> {
  return keepAsking(client, STATUS[key], { request: '', user: client.user, isNow: false });
}

/** The same, asked once: for whoever also wants to know that no master answers. */
export async function lookAtKey({ bus }: ClientContext, key: RotatedKey): Promise<FleetKeyReply> {
  return answered(await ask(bus, STATUS[key], { request: '', user: '', isNow: false }, LOOK_ANSWER_MS));
}

/** Resolves when the rotation has begun: its overlap goes on by itself. `isNow`: there is none. */
export function rotateKey(client: ClientContext, key: RotatedKey, isNow = false): Promise<FleetKeyReply> {
  const { clock, random } = client.runtime;
  const request = newKsuid(clock, random);
  return keepAsking(client, ROTATE[key], { request, user: client.user, isNow });
}

/** Looks until the overlap is over; `seen` hears of every look. */
export async function whenRotated(
  client: ClientContext,
  key: RotatedKey,
  seen: (standing: FleetKeyReply) => void,
): Promise<FleetKeyReply> {
  for (;;) {
    const standing = await readKey(client, key);
    seen(standing);
    if (!standing.isOverlap) return standing;
    await sleep(client.runtime.clock, LOOK_MS, client.signal);
  }
}

/** The key with a certificate by the newest generation. */
export async function renewOperator(client: ClientContext, key: OperatorKey): Promise<OperatorKey> {
  const { certificate } = key;
  const asked = nanosFromMs(client.runtime.clock.nowMs());
  const signature = key.sign(certifyProofBytes({ certificate, asked }));
  const reply = await keepAsking(client, QUESTIONS.operatorCertify, { certificate, asked, signature });
  const renewed = reply.certificate === undefined ? undefined : withCertificate(key, reply.certificate);
  if (renewed === undefined)
    throw zesterError('AUTH_CERTIFICATE_REFUSED', { reason: 'the answer is about another key' });
  return renewed;
}

async function keepAsking<Asked, Answer extends { readonly error: string; readonly code: string }>(
  { bus, runtime, signal }: ClientContext,
  question: Question<Asked, Answer>,
  value: Asked,
): Promise<Answer> {
  const untilMs = runtime.clock.monotonicMs() + KEEP_ASKING_MS;
  for (;;) {
    try {
      const reply = await unlessAborted(ask(bus, question, value, ANSWER_MS), signal);
      return answered(reply);
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error) || runtime.clock.monotonicMs() >= untilMs) throw error;
    }
    await sleep(runtime.clock, RETRY_MS, signal);
  }
}

function answered<Answer extends { readonly error: string; readonly code: string }>(reply: Answer): Answer {
  if (reply.error === '') return reply;
  throw zesterError('AUTH_REFUSED', { reason: reply.error }, { reasonCode: reply.code });
}
