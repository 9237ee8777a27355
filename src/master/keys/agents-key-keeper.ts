/**
 * The agents key keeper brings this master along with the rotations of the agents key, which signs credentials of peels (decision 46),
 * and every rotation to its end, whoever began it. A rotation is a record in bucket fleet-keys; all masters do the same with it:
 *
 *   it appears    the document of AGENTS lists it beside the one before, on every NATS server; from then on masters sign with it,
 *                 and peels are told, who renew their credentials over the bus and connect anew
 *   overlap       looked at every `LOOK_MS`: when every online peel is connected by it and every master signs with it, no earlier than
 *                 the shortest and no later than the longest time, it is marked `final`
 *   final         the document lists it alone. Servers cut off whoever is connected by the one before; such a peel joins again with
 *                 its key, by itself (peel/join/tend-connection.ts)
 *
 * Safety: a generation is created, never replaced, and marked by compare-and-set; the document only goes forward (accounts/next-docs.ts).
 * If we die at any write, the records have everything for whoever goes on. A record that a store lost while we know it is put back.
 * Liveness: the watch, and a look every `LOOK_MS` in an overlap and every `CHECK_MS` otherwise. Twice or late: nothing is written twice.
 */
import { isSettled } from '../../accounts/settle-accounts.ts';
import { openTable, type TableRead } from '../../bus/kv/table.ts';
import type { Watch } from '../../bus/port.ts';
import { type OverlapVerdict, overlapVerdict } from '../../core/fleet-key/rotation-plan.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { AgentsGeneration } from '../../wire/records/fleet-key/agents-keys.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';
import { planOf } from './agents-key-book.ts';
import { mastersWithout } from './fleet-key-keeper.ts';
import { publishKeys } from './public-keys.ts';

const LOOK_MS = 2_000;
/** Where nothing is going on. */
const CHECK_MS = 60_000;
const LOOK_SPREAD = 0.2;

export class AgentsKeyKeeper {
  private readonly context: MasterContext;
  private readonly loop;
  /** When this master first saw each generation, on its monotonic clock. */
  private readonly seenMs = new Map<number, number>();
  /** What the servers and the peels were last told, and when. */
  private told = '';
  private toldMs = Number.NEGATIVE_INFINITY;
  private watch: Watch | undefined;
  private looking: Periodic | undefined;

  constructor(context: MasterContext) {
    this.context = context;
    const { log } = context.runtime;
    this.loop = wakeLoop(
      context.runtime,
      () => this.follow(),
      (error) => log.warn('generations of the agents key cannot be followed for the moment', { error }),
    );
  }

  /** Resolves when all generations there are have been read. */
  async open(): Promise<void> {
    const { runtime, bus, life } = this.context;
    const replayed = new Promise<void>((resolve) => {
      this.watch = openTable(bus, TABLES.agentsGenerations).watch({
        changed: (read) => this.note(read),
        replayed: resolve,
        trouble: (error) => runtime.log.debug('generations of the agents key cannot be seen', { error }),
      });
    });
    await unlessAborted(replayed, life);
  }

  /** From here on servers are told, and overlaps brought to their end. Peels and masters must be visible by now. */
  start(): void {
    this.looking = periodic(
      this.context.runtime,
      { what: 'rotation of the agents key', everyMs: LOOK_MS, spread: LOOK_SPREAD },
      () => {
        if (this.isDue() || this.isOverlap()) this.loop.wake();
      },
    );
    this.loop.wake();
  }

  stop(): void {
    this.watch?.stop();
    this.looking?.stop();
    this.loop.stop();
  }

  /** Online peels that are not connected by the newest generation. */
  peelsMissing(): PeelId[] {
    const { presence, agentsKeys } = this.context;
    const newest = agentsKeys.newest();
    // Nobody names the first one.
    return agentsKeys.recordOf(newest) === undefined ? [] : presence.unconfirmed('agentsGeneration', newest);
  }

  /** Masters that do not sign with the newest generation. */
  mastersMissing(): Promise<string[]> {
    return mastersWithout(this.context.bus, 'agentsGeneration', this.context.agentsKeys.newest());
  }

  /** Takes in a record that this master has just written, without waiting for the watch; resolves when servers were told. */
  async taken(generation: number, record: AgentsGeneration): Promise<void> {
    this.take(generation, record);
    await this.tell();
  }

  private note(read: TableRead<number, AgentsGeneration>): void {
    const { log } = this.context.runtime;
    if (read.is === 'found') this.take(read.id, read.value);
    else if (read.is === 'unreadable')
      log.error('a generation of the agents key cannot be read', { key: read.key, problem: read.problem });
    // Lost ones are put back in `follow`.
    if (this.looking !== undefined) this.loop.wake();
  }

  private take(generation: number, record: AgentsGeneration): void {
    const { agentsKeys, runtime } = this.context;
    if (!this.seenMs.has(generation)) this.seenMs.set(generation, this.nowMs());
    if (!agentsKeys.note(generation, record))
      runtime.log.error('a generation of the agents key is not sealed for the account of this master', {
        generation,
      });
  }

  private async follow(): Promise<void> {
    const { agentsKeys } = this.context;
    const newest = agentsKeys.newest();
    const record = agentsKeys.recordOf(newest);
    if (record === undefined) return;
    if (this.isDue()) {
      await this.tell();
      await this.putBack();
    }
    if (!this.isOverlap()) return;
    const verdict = await this.verdict(newest, record);
    if (verdict.is === 'end') await this.end(newest, record, verdict.because);
  }

  private nowMs(): number {
    return this.context.runtime.clock.monotonicMs();
  }

  private isDue(): boolean {
    return this.told !== this.state() || this.nowMs() - this.toldMs >= CHECK_MS;
  }

  /** Another one whenever there is something to tell. */
  private state(): string {
    const { agentsKeys } = this.context;
    const newest = agentsKeys.newest();
    return `${newest} ${agentsKeys.recordOf(newest)?.phase}`;
  }

  private isOverlap(): boolean {
    const { agentsKeys } = this.context;
    return agentsKeys.recordOf(agentsKeys.newest())?.phase === 'overlap';
  }

  /** The servers first, then the peels. */
  private async tell(): Promise<void> {
    const { accounts, agentsKeys, runtime } = this.context;
    const [state, before] = [this.state(), agentsKeys.generation()];
    const report = await accounts.settle();
    const generation = agentsKeys.generation();
    if (generation !== before) runtime.log.info('agents key', { generation });
    await publishKeys(this.context);
    if (!isSettled(report)) return;
    this.told = state;
    this.toldMs = this.nowMs();
  }

  private async putBack(): Promise<void> {
    const { bus, agentsKeys, runtime } = this.context;
    const table = openTable(bus, TABLES.agentsGenerations);
    const newest = agentsKeys.newest();
    const read = await table.get(newest);
    if (read.is !== 'absent' || (await table.getLatest(newest)).is !== 'absent') return;
    for (const { generation } of agentsKeys.records()) {
      const known = agentsKeys.recordOf(generation);
      if (known === undefined || !(await table.create(generation, known)).won) continue;
      runtime.log.warn('a generation of the agents key was lost and is put back', { generation });
    }
  }

  private async verdict(generation: number, record: AgentsGeneration): Promise<OverlapVerdict> {
    const { runtime } = this.context;
    const nowMs = this.nowMs();
    const view = {
      newest: planOf(generation, record),
      nowMs: runtime.clock.nowMs(),
      seenForMs: nowMs - (this.seenMs.get(generation) ?? nowMs),
      peelsMissing: this.peelsMissing().length,
      mastersMissing: 0,
      sealedOld: 0,
    };
    // The dear look only when the cheap ones do not answer already.
    const first = overlapVerdict(view);
    if (first.is !== 'end' || first.because !== 'confirmed') return first;
    return overlapVerdict({ ...view, mastersMissing: (await this.mastersMissing()).length });
  }

  /** Whoever is beaten hears of it by the watch. */
  private async end(generation: number, before: AgentsGeneration, because: string): Promise<void> {
    const { bus, runtime, now } = this.context;
    const table = openTable(bus, TABLES.agentsGenerations);
    const read = await table.getLatest(generation);
    if (read.is !== 'found' || read.value.phase !== before.phase) return;
    const record: AgentsGeneration = { ...read.value, phase: 'final', ended: now() };
    if (!(await table.update(generation, record, read.revision)).won) return;
    runtime.log.info('the generation of the agents key before this one has ended', { generation, because });
    await this.taken(generation, record);
  }
}
