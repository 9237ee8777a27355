/**
 * The agents key service answers operators about the agents key, which signs credentials of peels: how it stands, make another
 * generation. One master of the queue group answers each question.
 *
 * A rotation is the creation of a record, and that is its fence: of two operators at once one wins, and the other is told of a rotation
 * that is under way. The same question again, because its answer was lost, is answered with what it did. The seed is drawn here,
 * sealed, and leaves this process only so. Everything after the creation is the keeper's, on any master.
 *
 * Without an overlap (`isNow`) the generation before ends with the creation: for a key that was stolen. So it does where it was lost.
 */
import { isSettled } from '../../accounts/settle-accounts.ts';
import { openTable } from '../../bus/kv/table.ts';
import { never } from '../../core/assert.ts';
import { nameSome } from '../../core/doctor/finding.ts';
import { isLive } from '../../core/enroll/desk/enrollment-state.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { FIRST, GENERATIONS_MAX, rotationRefusal } from '../../core/fleet-key/rotation-plan.ts';
import type { FleetSeedVault } from '../../trust/fleet-seed.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { AGENTS_KEY_ROTATE_SUBJECT, AGENTS_KEY_STATUS_SUBJECT } from '../../wire/names/subjects.ts';
import type { AgentsGeneration } from '../../wire/records/fleet-key/agents-keys.ts';
import {
  type FleetKeyReply,
  type FleetKeyRequest,
  fleetKeyReplyCodec,
  fleetKeyRequestCodec,
  NAMED_MAX,
} from '../../wire/records/fleet-key/fleet-key-admin.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { settlingProblem } from '../accounts/account-keeper.ts';
import { refusalOf } from '../dispatch/dispatch-service.ts';
import type { MasterContext } from '../master-context.ts';
import type { AgentsKeyKeeper } from './agents-key-keeper.ts';
import { KeyQuestions, mustHaveId } from './key-questions.ts';

const KEY = 'the agents key';

export class AgentsKeyService {
  private readonly context: MasterContext;
  private readonly keeper: AgentsKeyKeeper;
  private readonly vault: FleetSeedVault;
  private readonly questions: KeyQuestions;

  constructor(context: MasterContext, keeper: AgentsKeyKeeper, vault: FleetSeedVault) {
    this.context = context;
    this.keeper = keeper;
    this.vault = vault;
    this.questions = new KeyQuestions(context);
  }

  async start(): Promise<void> {
    const serve = (subject: string, work: (request: FleetKeyRequest) => Promise<FleetKeyReply>) =>
      this.questions.serve(
        subject,
        fleetKeyRequestCodec,
        fleetKeyReplyCodec,
        (error) => fleetKeyReplyCodec.create(refusalOf(error)),
        work,
      );
    await serve(AGENTS_KEY_STATUS_SUBJECT, () => this.status());
    await serve(AGENTS_KEY_ROTATE_SUBJECT, (request) => this.rotate(request));
  }

  stop(): Promise<void> {
    return this.questions.stop();
  }

  private async rotate(asked: FleetKeyRequest): Promise<FleetKeyReply> {
    const { agentsKeys, bus, runtime } = this.context;
    const { request, user } = asked;
    mustHaveId(request);
    const newest = agentsKeys.newest();
    if (agentsKeys.recordOf(newest)?.request === request) return this.status();
    const isLost = agentsKeys.generation() === 0;
    await this.refuse(newest, isLost, asked.isNow);
    const generation = newest + 1;
    const record = this.newRecord(generation, asked, asked.isNow || isLost);
    const write = await openTable(bus, TABLES.agentsGenerations).createOrRead(generation, record);
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
    runtime.log.info('a rotation of the agents key begins', { generation, user, phase: record.phase });
    await this.keeper.taken(generation, record);
    return this.status();
  }

  private newRecord(
    generation: number,
    { request, user }: FleetKeyRequest,
    isNow: boolean,
  ): AgentsGeneration {
    const { runtime, settings, now } = this.context;
    const seed = newSigningKey('account', runtime.random);
    const created = now();
    return {
      seed: this.vault.seal({ of: 'agents', generation }, seed, runtime.random),
      publicKey: seed.publicKey,
      phase: isNow ? 'final' : 'overlap',
      created,
      createdBy: user,
      request,
      overlapMinMs: isNow ? 0 : settings.fleetKeyOverlapMinMs,
      overlapMaxMs: isNow ? 0 : settings.fleetKeyOverlapMaxMs,
      ended: isNow ? created : undefined,
    };
  }

  private async refuse(newest: number, isLost: boolean, isNow: boolean): Promise<void> {
    const { agentsKeys, accounts } = this.context;
    const missing = isLost ? [] : await this.keeper.mastersMissing();
    const refusal = rotationRefusal(agentsKeys.records(), missing.length);
    switch (refusal) {
      case undefined:
        break;
      case 'running': {
        // A stolen key does not wait for the end of an overlap.
        if (isNow) break;
        const by = agentsKeys.recordOf(newest)?.createdBy ?? '';
        throw zesterError('AUTH_ROTATION_RUNNING', { key: KEY, generation: newest, by });
      }
      case 'masters':
        throw zesterError('AUTH_ROTATION_MASTERS', { key: KEY, masters: nameSome(missing) });
      case 'too many':
        throw zesterError('AUTH_ROTATION_TOO_MANY', { key: KEY, max: GENERATIONS_MAX });
      default:
        never(refusal);
    }
    const strangers = isNow ? [] : this.peelsWithoutEnrollment();
    if (strangers.length > 0) throw zesterError('AUTH_ROTATION_PEELS', { peels: nameSome(strangers) });
    const report = await accounts.settle();
    if (!isSettled(report))
      throw zesterError('AUTH_ROTATION_SERVERS', {
        problem: settlingProblem(report) || 'no server answered',
      });
  }

  /** Nobody could give them other credentials. */
  private peelsWithoutEnrollment(): string[] {
    const { presence, enrollments } = this.context;
    return presence.onlinePeels().filter((peel) => {
      const current = enrollments.currentOf(peel);
      return current === undefined || !isLive(current.state);
    });
  }

  private async status(): Promise<FleetKeyReply> {
    const { agentsKeys, identity, presence } = this.context;
    const records = agentsKeys.records();
    const newest = agentsKeys.recordOf(agentsKeys.newest());
    const ends = (ms: number | undefined) =>
      newest === undefined || ms === undefined || !isOverlap ? undefined : newest.created + nanosFromMs(ms);
    const numbers = [...records.map(({ generation }) => generation), FIRST].sort((a, b) => b - a);
    // It lasts until servers have heard of its end.
    const isOverlap = numbers.filter((generation) => agentsKeys.isAccepted(generation)).length > 1;
    const peelsOnline = presence.online();
    const peelsMissing = this.keeper.peelsMissing();
    return fleetKeyReplyCodec.create({
      master: identity.masterId,
      generations: numbers.map((generation) => {
        const record = agentsKeys.recordOf(generation);
        return {
          generation,
          isGood: agentsKeys.isAccepted(generation),
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
      mastersMissing: (await this.keeper.mastersMissing()).slice(0, NAMED_MAX),
    });
  }
}
