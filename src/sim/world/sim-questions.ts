/**
 * `SimQuestions` is what operators do besides jobs: they ask which peels a target means, and call single peels without a
 * master. Having no answer is allowed; a wrong one is not.
 */
import type { Bus } from '../../bus/port.ts';
import type { ClientContext } from '../../client/client-context.ts';
import { askPeel } from '../../client/direct/ask-peel.ts';
import { publishFiles } from '../../client/files/ask-publisher.ts';
import { diffSources } from '../../client/files/diff-files.ts';
import { readFilesStatus } from '../../client/files/files-status.ts';
import { readSecrets, resealSecrets } from '../../client/secrets/ask-secrets.ts';
import { resolveTargets } from '../../client/targets/resolve-targets.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { stopSource } from '../../runtime/signals.ts';
import { commandKeyOf } from '../../trust/command-key.ts';
import { newOperatorKey, type OperatorKey } from '../../trust/operator-key.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { BOX_IDS } from '../enroll/sim-registrar.ts';
import { ACT, LOOK } from './sim-functions.ts';
import type { SimWorld } from './sim-world.ts';

const ASKED = 0.3;
const DIRECT = 0.3;
const DIRECT_RUN_MS_MAX = 5_000;
const DIRECT_TIMEOUT_MS = 10_000;
const TARGETS = [
  '*',
  'peel-1*',
  'E@^peel-[12]$',
  'G@os.family:debian',
  'peel-* and not G@role:sim',
  'L@peel-1,peel-2',
];

export class SimQuestions {
  private readonly world: SimWorld;
  /** An operator at work. */
  readonly client: ClientContext;
  private key: OperatorKey;
  private directs = 0;

  constructor(world: SimWorld, runtime: Runtime, bus: Bus) {
    this.world = world;
    this.key = newOperatorKey(runtime.random, commandKeyOf(world.account), {
      name: 'sim',
      issued: nanosFromMs(world.clock.nowMs()),
      expires: undefined,
    });
    const { signal } = stopSource();
    this.client = { bus, runtime, signal, user: 'sim', operatorKey: () => this.key };
  }

  useKey(key: OperatorKey): void {
    this.key = key;
  }

  perhapsAsk(): void {
    const { random } = this.client.runtime;
    if (random.fraction() < ASKED) this.watched(this.resolve(pick(TARGETS, random.fraction())));
    if (random.fraction() < DIRECT) this.watched(this.direct(pick(this.world.peels, random.fraction())?.id));
  }

  async publish(force: boolean): Promise<void> {
    await publishFiles(this.client, { force });
  }

  /** `zester secret reencrypt`. */
  async sealAnew(): Promise<void> {
    await resealSecrets(this.client);
  }

  /** `zester files status`, `zester files diff`, `zester secret list`. */
  async lookAtFiles(): Promise<void> {
    await readFilesStatus(this.client);
    await diffSources(this.client, '');
    await readSecrets(this.client);
  }

  private async resolve(target: string | undefined): Promise<void> {
    if (target === undefined) return;
    const shutOut = BOX_IDS.filter((peel) => this.world.enroll.isKnownShutOut(peel));
    const peels = await resolveTargets(this.client, target, ({ kind }) => this.world.note('client', kind));
    const known = new Set<string>([...this.world.peels.map(({ id }) => id), ...BOX_IDS]);
    const { enroll } = this.world;
    const revoked = shutOut.filter((peel) => peels.includes(peel) && enroll.isKnownShutOut(peel));
    if (revoked.length > 0)
      this.world.observer.break('no target means a revoked peel', `${target}: ${revoked.join()}`);
    const strange = peels.filter((peel) => !known.has(peel));
    if (strange.length > 0) this.world.observer.break('a target means peels', `${target}: ${strange.join()}`);
  }

  private async direct(peel: PeelId | undefined): Promise<void> {
    if (peel === undefined) return;
    const { random } = this.client.runtime;
    const tag = `direct-${++this.directs}`;
    this.world.note('client', `asks ${peel} directly, ${tag}`);
    const ms = Math.floor(random.fraction() * DIRECT_RUN_MS_MAX);
    const functionName = random.fraction() < 0.5 ? ACT : LOOK;
    const args = { jid: tag, ms: String(ms) };
    const call = { functionName, id: '', args, timeoutMs: DIRECT_TIMEOUT_MS };
    const answer = await askPeel(this.client, call, peel);
    const times = this.world.observer.effects.get(`${tag}.${peel}`) ?? 0;
    if (answer.success && times !== 1)
      this.world.observer.break(
        'a row is true to what the peel did',
        `${tag} answered and ran ${times} times`,
      );
  }

  /** Any failure may happen but one that is no error of the registry: that is a bug. */
  watched(question: Promise<void>): void {
    question.catch((error: unknown) => {
      this.world.note('client', `has no answer: ${(error as Error).message}`);
      if (!isZesterError(error)) this.world.observer.break('nothing breaks', String(error));
    });
  }
}

function pick<T>(from: readonly T[], fraction: number): T | undefined {
  return from[Math.floor(fraction * from.length)];
}
