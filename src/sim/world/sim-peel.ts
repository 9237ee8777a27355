/** A simulated peel is a managed machine: the real peel on simulated ports, and a disk that outlives it. */
import { openAgentBus } from '../../bus/bus.ts';
import { functionRegistry } from '../../modules/registry.ts';
import type { Peel, PeelState } from '../../peel/peel-ports.ts';
import { startPeel } from '../../peel/start-peel.ts';
import type { Fault, SystemCall } from '../../system/memory/memory-gate.ts';
import { type MemoryMachine, memoryMachine } from '../../system/memory/memory-machine.ts';
import { curveKeyOf, newSigningKey, type SigningKey } from '../../trust/nkeys.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import {
  type StateWatch,
  watchedStateFunctions,
  watchedStateModules,
} from '../states/sim-state-functions.ts';
import { ADHOC, SETTINGS_DIR, STATES_DIR } from '../states/sim-states.ts';
import { SITE } from '../states/site-tree.ts';
import { StateBook } from '../states/state-book.ts';
import type { Life } from './life.ts';
import { simFunctions } from './sim-functions.ts';
import { simMachineFiles } from './sim-machine-files.ts';
import { SimNode } from './sim-node.ts';
import type { SimWorld } from './sim-world.ts';

/** As a service manager would. */
const RESTART_MS = 5_000;
const DATA_DIR = '/var/lib/zester/peel';

export type DiskFault = (call: SystemCall) => Fault;

export class SimPeel extends SimNode {
  readonly id: PeelId;
  readonly book: StateBook;
  private readonly key: SigningKey;
  private readonly machine: MemoryMachine;
  private peel: Peel | undefined;
  private disk: DiskFault | undefined;
  /** Disk faults so far. */
  private diskFaults = 0;

  constructor(world: SimWorld, id: PeelId) {
    super(world, id);
    this.id = id;
    this.key = newSigningKey('user', this.chance);
    this.machine = memoryMachine({
      clock: world.clock,
      random: world.chanceOf(`disk of ${id}`),
      files: simMachineFiles(id),
      fault: (call) => this.systemCall(this.life, call),
    });
    const broke = (rule: string, text: string) => world.observer.break(rule, `${id}: ${text}`);
    this.book = new StateBook({ look: () => this.machine.look(SITE), broke });
  }

  state(): PeelState | undefined {
    return this.alive ? this.peel?.state() : undefined;
  }

  /** Undefined: nothing is wrong with it. */
  setDisk(disk: DiskFault | undefined): void {
    this.disk = disk;
    if (disk !== undefined) this.diskFaults += 1;
  }

  /** What the file has that a job asked for by the state's own name. */
  adHocFile(jid: string): string | undefined {
    const found = this.machine.look(ADHOC).find(({ path }) => path === jid);
    return found && Buffer.from(found.bytes).toString();
  }

  protected boot(): void {
    const runtime = this.runtime();
    const bus = openAgentBus(this.connect({ role: 'peel', name: this.id }), runtime);
    const effect = (jid: string) => this.world.observer.effect(this.id, jid);
    this.book.check('at the start');
    this.peel = startPeel({
      bus,
      system: this.machine.boot(),
      runtime,
      identity: { peelId: this.id, curveKey: curveKeyOf(this.key) },
      dataDir: DATA_DIR,
      version: '0',
      functions: functionRegistry([...simFunctions(effect), ...watchedStateFunctions(this.watch(effect))]),
      states: {
        modules: watchedStateModules({ effect, book: this.book }),
        sources: { bakedDir: STATES_DIR, cacheDir: undefined },
        settingsDir: SETTINGS_DIR,
      },
    });
    const { life } = this;
    this.peel.ready.catch((error: unknown) => {
      if (this.life !== life) return;
      this.world.note(this.name, `did not start: ${String(error)}`);
      this.kill();
      this.world.clock.after(RESTART_MS, () => this.start());
    });
  }

  protected died(how: 'kill' | 'power'): void {
    if (how === 'kill') this.machine.crash();
    else this.machine.powerLoss();
    this.book.died();
  }

  private watch(effect: StateWatch['effect']): StateWatch {
    return {
      peel: this.id,
      book: this.book,
      effect,
      broke: (rule, text) => this.world.observer.break(rule, `${this.id}: ${text}`),
      diskWatch: () => {
        const { disk, diskFaults } = this;
        return () => disk === undefined && diskFaults === this.diskFaults;
      },
    };
  }

  private systemCall(life: Life, call: SystemCall): Fault {
    if (!life.alive) return 'hang';
    const death = this.deathAt(`${call.name} ${call.path}`);
    if (death === undefined) return this.disk?.(call);
    const die = () => {
      if (this.life === life) this.kill(death.how);
    };
    if (death.when === 'before') {
      die();
      return 'hang';
    }
    // The effect comes in the turn after next, its answer in the one after that: death is between the two.
    queueMicrotask(() => queueMicrotask(die));
    return undefined;
  }
}
