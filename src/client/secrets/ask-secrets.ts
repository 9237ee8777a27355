/**
 * These functions ask the master that publishes about secrets. A value is sealed to the fleet key here and travels so; no
 * answer ever has one.
 *
 * Only one master answers, and while the lease goes from one to another none does: a question is sent again for
 * `KEEP_ASKING_MS`. To store the same value twice changes nothing. If we are stopped in between, whether it was stored is
 * not known: the list tells.
 */
import { isTransient } from '../../bus/failed-call.ts';
import type { Bus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { sleep } from '../../runtime/clock.ts';
import { sealToFleet } from '../../trust/fleet-seal.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { MASTER_CURVE_KEY } from '../../wire/names/keys.ts';
import { FIRST_GENERATION, type FleetPublicKey } from '../../wire/records/fleet-key/fleet-keys.ts';
import type { SecretListing, SecretReply } from '../../wire/records/secret-admin.ts';
import { ask, QUESTIONS, type Question } from '../ask.ts';
import type { ClientContext } from '../client-context.ts';
import { readFleetKeys } from '../fleet-key/signing-key.ts';

const ANSWER_MS = 5_000;
const KEEP_ASKING_MS = 30_000;
const RETRY_MS = 500;
/** To seal for a whole fleet. */
const RESEAL_MS_MAX = 300_000;

export interface NewSecret {
  /** Path of a settings file in its tree. */
  readonly file: string;
  /** Of the setting, with dots. */
  readonly path: string;
  readonly value: string;
  /** Only replace a secret that is there. */
  readonly mustExist: boolean;
}

export interface StoredSecret {
  /** Revision of the settings that has it. */
  readonly settingsRevision: number;
  readonly listing: SecretListing | undefined;
  /** Peels that get it and for which it is not sealed yet: they still have what was before. */
  readonly unsealed: readonly string[];
  /** It took the place of a value that stood there as plain text. */
  readonly wasPlain: boolean;
}

export async function storeSecret(
  client: ClientContext,
  { file, path, value, mustExist }: NewSecret,
): Promise<StoredSecret> {
  const { bus, runtime, user } = client;
  const { generation, curve } = await unlessAborted(newestFleetKey(bus), client.signal);
  const plain = new TextEncoder().encode(value);
  const sealed = sealToFleet(curve, generation, plain, runtime.random);
  if (sealed === undefined) throw zesterError('SECRET_NO_FLEET_KEY', {});
  const request = { file, path, sealed, mustExist, user };
  const reply = await askPublisher(client, QUESTIONS.secretSet, request);
  const { settingsRevision, secrets, unsealed, wasPlain } = reply;
  return { settingsRevision, listing: secrets[0], unsealed, wasPlain };
}

/** Masters of an older program list no generations: then there is the first one only. */
async function newestFleetKey(bus: Bus): Promise<Pick<FleetPublicKey, 'generation' | 'curve'>> {
  const [newest] = await readFleetKeys({ bus });
  if (newest !== undefined) return newest;
  const read = await bus.bucket(BUCKETS.secrets.name).getLatest(MASTER_CURVE_KEY);
  const curve = read.found ? new TextDecoder().decode(read.value) : '';
  return { generation: FIRST_GENERATION, curve };
}

/** `peel`: only what this one gets. */
export async function readSecrets(client: ClientContext, peel = ''): Promise<readonly SecretListing[]> {
  return (await askPublisher(client, QUESTIONS.secretList, { peel })).secrets;
}

/** How many peels were sealed for. */
export async function resealSecrets(client: ClientContext, peel = ''): Promise<number> {
  // Whether anybody publishes: to seal for all takes long, and is not to be asked for twice.
  await readSecrets(client, peel);
  return (await askPublisher(client, QUESTIONS.secretReencrypt, { peel }, RESEAL_MS_MAX)).sealed;
}

async function askPublisher<Asked>(
  { bus, runtime, signal }: ClientContext,
  question: Question<Asked, SecretReply>,
  value: Asked,
  answerMs = ANSWER_MS,
): Promise<SecretReply> {
  const untilMs = runtime.clock.monotonicMs() + Math.max(KEEP_ASKING_MS, answerMs);
  for (;;) {
    try {
      const reply = await unlessAborted(ask(bus, question, value, answerMs), signal);
      if (reply.error === '') return reply;
      throw zesterError('SECRET_REFUSED', { reason: reply.error }, { reasonCode: reply.code });
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      if (runtime.clock.monotonicMs() >= untilMs)
        throw zesterError('SECRET_NO_PUBLISHER', {}, { cause: error });
    }
    await sleep(runtime.clock, RETRY_MS, signal);
  }
}
