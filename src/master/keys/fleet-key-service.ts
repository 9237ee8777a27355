/**
 * The fleet key service answers operators about the fleet key: how it stands, make another generation, renew the certificate of
 * an operator. One master of the queue group answers each question.
 *
 * A rotation is the creation of a record, and that is its fence: of two operators at once one wins, and the other is told of a
 * rotation that is under way. The same question again, because its answer was lost, is answered with what it did. The seed is
 * drawn here, sealed, and leaves this process only so. Everything after the creation is the keeper's, on any master.
 *
 * A certificate is renewed for whoever shows one by a generation that is still good and proves to have its key, within
 * `CLOCK_MS` of our clock. One by a generation that has ended is not: it may be the reason for the rotation.
 */

import { openTable } from '../../bus/kv/table.ts';
import { assert, never } from '../../core/assert.ts';
import { nameSome } from '../../core/doctor/finding.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import {
  FIRST,
  GENERATIONS_MAX,
  goodGenerations,
  nextGeneration,
  rotationRefusal,
} from '../../core/fleet-key/rotation-plan.ts';
import { verifyEd25519 } from '../../trust/ed25519.ts';
import { fleetKeyOf } from '../../trust/fleet-key.ts';
import type { FleetSeedVault } from '../../trust/fleet-seed.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import {
  certifyOperator,
  checkOperatorCertificate,
  generationOfCertificate,
} from '../../trust/operator-key.ts';
import { msFromNanos, nanosFromMs } from '../../wire/msgpack/time.ts';
import {
  FLEET_KEY_ROTATE_SUBJECT,
  FLEET_KEY_STATUS_SUBJECT,
  OPERATOR_CERTIFY_SUBJECT,
} from '../../wire/names/subjects.ts';
import {
  type CertifyReply,
  type CertifyRequest,
  certifyProofBytes,
  certifyReplyCodec,
  certifyRequestCodec,
  type FleetKeyReply,
  type FleetKeyRequest,
  fleetKeyReplyCodec,
  fleetKeyRequestCodec,
  NAMED_MAX,
} from '../../wire/records/fleet-key/fleet-key-admin.ts';
import type { FleetGeneration } from '../../wire/records/fleet-key/fleet-keys.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { refusalOf } from '../dispatch/dispatch-service.ts';
import type { MasterContext } from '../master-context.ts';
import { publicHalves } from './fleet-key-book.ts';
import type { FleetKeyKeeper } from './fleet-key-keeper.ts';
import { KeyQuestions, mustHaveId } from './key-questions.ts';

const KEY = 'the fleet key';
/** A message is longer on its way than clocks of one fleet differ. */
const CLOCK_MS = 300_000;

export class FleetKeyService {
  private readonly context: MasterContext;
  private readonly keeper: FleetKeyKeeper;
  private readonly vault: FleetSeedVault;
  private readonly questions: KeyQuestions;

  constructor(context: MasterContext, keeper: FleetKeyKeeper, vault: FleetSeedVault) {
    this.context = context;
    this.keeper = keeper;
    this.vault = vault;
    this.questions = new KeyQuestions(context);
  }

  async start(): Promise<void> {
    const refused = (error: unknown) => fleetKeyReplyCodec.create(refusalOf(error));
    await this.questions.serve(
      FLEET_KEY_STATUS_SUBJECT,
      fleetKeyRequestCodec,
      fleetKeyReplyCodec,
      refused,
      () => this.status(),
    );
    await this.questions.serve(
      FLEET_KEY_ROTATE_SUBJECT,
      fleetKeyRequestCodec,
      fleetKeyReplyCodec,
      refused,
      (request) => this.rotate(request),
    );
    await this.questions.serve(
      OPERATOR_CERTIFY_SUBJECT,
      certifyRequestCodec,
      certifyReplyCodec,
      (error) => ({ certificate: undefined, ...refusalOf(error) }),
      async (request) => this.certify(request),
    );
  }

  stop(): Promise<void> {
    return this.questions.stop();
  }

  private async rotate({ request, user }: FleetKeyRequest): Promise<FleetKeyReply> {
    const { fleetKeys, bus, runtime, settings, now } = this.context;
    mustHaveId(request);
    const newest = fleetKeys.newest();
    if (fleetKeys.recordOf(newest)?.request === request) return this.status();
    await this.refuse(newest);
    const generation = nextGeneration(fleetKeys.records());
    const seed = newSigningKey('account', runtime.random);
    const record: FleetGeneration = {
      seed: this.vault.seal({ of: 'fleet', generation }, seed, runtime.random),
      ...publicHalves(fleetKeyOf(generation, seed)),
      phase: 'overlap',
      created: now(),
      createdBy: user,
      request,
      overlapMinMs: settings.fleetKeyOverlapMinMs,
      overlapMaxMs: settings.fleetKeyOverlapMaxMs,
      ended: undefined,
    };
    const write = await openTable(bus, TABLES.fleetGenerations).createOrRead(generation, record);
    if (!write.isOurs) {
      const { there } = write;
      // Somebody was faster, or this very question was, at another master.
      if (there.is !== 'found' || there.value.request !== request)
        throw zesterError('AUTH_ROTATION_RUNNING', {
          key: KEY,
          generation,
          by: there.is === 'found' ? there.value.createdBy : 'another',
        });
      await this.keeper.taken(generation, there.value);
      return this.status();
    }
    runtime.log.info('a rotation of the fleet key begins', { generation, user });
    await this.keeper.taken(generation, record);
    return this.status();
  }

  private async refuse(newest: number): Promise<void> {
    const { fleetKeys } = this.context;
    const missing = await this.keeper.mastersWithout(newest);
    const refusal = rotationRefusal(fleetKeys.records(), missing.length);
    switch (refusal) {
      case undefined:
        return;
      case 'running': {
        const by = fleetKeys.recordOf(newest)?.createdBy ?? '';
        throw zesterError('AUTH_ROTATION_RUNNING', { key: KEY, generation: newest, by });
      }
      case 'masters':
        throw zesterError('AUTH_ROTATION_MASTERS', { key: KEY, masters: nameSome(missing) });
      case 'too many':
        throw zesterError('AUTH_ROTATION_TOO_MANY', { key: KEY, max: GENERATIONS_MAX });
      default:
        never(refusal);
    }
  }

  private async status(): Promise<FleetKeyReply> {
    const { fleetKeys, identity } = this.context;
    const records = fleetKeys.records();
    const good = goodGenerations(records);
    const { peelsOnline, peelsMissing, mastersMissing, sealedOld } = await this.keeper.standing();
    const newest = fleetKeys.recordOf(fleetKeys.newest());
    const isOverlap = good.length > 1;
    const ends = (ms: number | undefined) =>
      newest === undefined || ms === undefined || !isOverlap ? undefined : newest.created + nanosFromMs(ms);
    const numbers = [...records.map(({ generation }) => generation), FIRST].sort((a, b) => b - a);
    return fleetKeyReplyCodec.create({
      master: identity.masterId,
      generations: numbers.map((generation) => {
        const record = fleetKeys.recordOf(generation);
        return {
          generation,
          isGood: good.some((each) => each.generation === generation),
          created: record?.created,
          createdBy: record?.createdBy ?? '',
          ended: record?.ended,
        };
      }),
      isOverlap,
      endsEarliest: ends(newest?.overlapMinMs),
      endsLatest: ends(newest?.overlapMaxMs),
      peelsOnline,
      peelsConfirmed: peelsOnline - peelsMissing.length,
      peelsMissing: peelsMissing.slice(0, NAMED_MAX),
      mastersMissing: mastersMissing.slice(0, NAMED_MAX),
      sealedOld,
    });
  }

  private certify({ certificate, asked, signature }: CertifyRequest): CertifyReply {
    const { fleetKeys, certificates, now, runtime } = this.context;
    const apartMs = Math.abs(msFromNanos(now() - asked));
    if (apartMs > CLOCK_MS) throw zesterError('AUTH_CLOCK', { seconds: Math.round(apartMs / 1_000) });
    const good = fleetKeys.good();
    const trust = (commandKeys: readonly Uint8Array[]) => ({ commandKeys, certificates, now: now() });
    const keysOf = (keys: typeof good) => keys.map(({ commandKey }) => commandKey.publicKey);
    const problem = checkOperatorCertificate(certificate, trust(keysOf(good)));
    if (problem === 'unknown operator') {
      const known = checkOperatorCertificate(certificate, trust(keysOf(fleetKeys.fleet)));
      if (known === undefined)
        throw zesterError('AUTH_CERTIFICATE_RETIRED', {
          generation: generationOfCertificate(certificate),
          good: good.map(({ generation }) => generation).join(' and '),
        });
    }
    if (problem !== undefined) throw zesterError('AUTH_CERTIFICATE_REFUSED', { reason: problem });
    if (!verifyEd25519(certificate.publicKey, certifyProofBytes({ certificate, asked }), signature))
      throw zesterError('AUTH_CERTIFICATE_REFUSED', { reason: 'proof does not fit' });
    const [newest] = good;
    assert(newest !== undefined, 'a master has a fleet key');
    const identity = { ...certificate, issued: now() };
    runtime.log.info('operator certificate renewed', {
      operator: certificate.name,
      generation: newest.generation,
    });
    return {
      certificate: certifyOperator(newest.commandKey, identity, newest.generation),
      error: '',
      code: '',
    };
  }
}
