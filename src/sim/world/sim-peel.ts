/** A simulated peel is a managed machine: the real peel on simulated ports, and a disk that outlives it. */
import { openAgentBus } from '../../bus/bus.ts';
import { functionRegistry } from '../../modules/registry.ts';
import type { Peel, PeelState } from '../../peel/peel-ports.ts';
import { startPeel } from '../../peel/start-peel.ts';
import type { Fault, SystemCall } from '../../system/memory/memory-gate.ts';
import { type CurveKey, curveKeyOf, newSigningKey, type SigningKey } from '../../trust/nkeys.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { BAKED_SETTINGS_DIR, BAKED_STATES_DIR } from '../files/baked-files.ts';
import { PeelFilesBook } from '../files/peel-files-book.ts';
import { secretFiles } from '../files/site-meaning.ts';
import type { SettingsModel } from '../files/site-model.ts';
import { VAULT } from '../files/site-trees.ts';
import {
  type StateWatch,
  watchedStateFunctions,
  watchedStateModules,
} from '../states/sim-state-functions.ts';
import { ADHOC } from '../states/sim-states.ts';
import { SITE } from '../states/site-tree.ts';
import { StateBook } from '../states/state-book.ts';
import { simFunctions } from './sim-functions.ts';
import { simMachineFiles } from './sim-machine-files.ts';
import { SimNode } from './sim-node.ts';
import type { SimWorld } from './sim-world.ts';

/** As a service manager would. */
const RESTART_MS = 5_000;
export const PEEL_DATA_DIR = '/var/lib/zester/peel';
/** Every so many peels one has its mirrors on mount points. */
const MOUNTED_EVERY = 3;
const MOVES = ['rename', 'removeDirectory', 'unlink'];
const CACHES = { states: `${PEEL_DATA_DIR}/cache/states`, settings: `${PEEL_DATA_DIR}/cache/settings` };

export class SimPeel extends SimNode {
  readonly id: PeelId;
  readonly book: StateBook;
  readonly files: PeelFilesBook;
  private readonly key: SigningKey;
  /** Its mirrors are file systems of their own, so that their files are replaced one by one. */
  private readonly isMounted: boolean;
  private peel: Peel | undefined;

  constructor(world: SimWorld, id: PeelId) {
    super(world, id, simMachineFiles(id));
    this.id = id;
    this.key = newSigningKey('user', this.chance);
    this.isMounted = Number(id.slice(id.lastIndexOf('-') + 1)) % MOUNTED_EVERY === 0;
    if (this.isMounted)
      for (const cache of Object.values(CACHES))
        for (const text of ['', undefined]) this.machine.put(`${cache}/file`, text);
    const broke = (rule: string, text: string) => world.observer.break(rule, `${id}: ${text}`);
    this.book = new StateBook({ look: () => this.machine.look(SITE), broke });
    this.files = new PeelFilesBook({
      peel: id,
      books: world.files.books,
      caches: CACHES,
      look: (directory) => this.machine.look(directory),
      nowMs: () => world.clock.monotonicMs(),
      broke,
      hasForgotten: () => world.observer.forgotten,
    });
    world.files.watch(id, this.files);
  }

  get curveKey(): CurveKey {
    return curveKeyOf(this.key);
  }

  state(): PeelState | undefined {
    return this.alive ? this.peel?.state() : undefined;
  }

  /** A deployed secret that is not of these settings. */
  wrongSecret(settings: SettingsModel): string | undefined {
    const deployed = new Map(
      this.machine.look(VAULT).map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
    );
    return [...secretFiles(settings, this.id)].find(([name, text]) => deployed.get(name) !== text)?.[0];
  }

  /** It changes the machine. */
  get isActing(): boolean {
    return this.book.isActing || this.files.isActing;
  }

  /** What the file has that a job asked for by the state's own name. */
  adHocFile(jid: string): string | undefined {
    const found = this.machine.look(ADHOC).find(({ path }) => path === jid);
    return found && Buffer.from(found.bytes).toString();
  }

  /** Nobody moves or removes a mount point. */
  protected override refusal({ name, path }: SystemCall): Fault {
    if (!this.isMounted || !MOVES.includes(name)) return undefined;
    const place = this.machine.placeOf(path);
    const isMountPoint = Object.values(CACHES).some(
      (cache) => place === cache || place === `${cache}.before`,
    );
    return isMountPoint ? { fail: 'EBUSY' } : undefined;
  }

  protected boot(): void {
    const runtime = this.runtime();
    const bus = openAgentBus(
      this.connect(() => ({ role: 'peel', name: this.id })),
      runtime,
    );
    const effect = (jid: string) => this.world.observer.effect(this.id, jid);
    this.book.check('at the start');
    this.files.check('at the start');
    this.peel = startPeel({
      bus,
      system: this.machine.boot(),
      runtime,
      identity: { peelId: this.id, curveKey: this.curveKey },
      dataDir: PEEL_DATA_DIR,
      version: '0',
      functions: functionRegistry([...simFunctions(effect), ...watchedStateFunctions(this.watch(effect))]),
      states: {
        modules: watchedStateModules({ effect, book: this.book }),
        bakedDir: BAKED_STATES_DIR,
        settingsDir: BAKED_SETTINGS_DIR,
        caches: CACHES,
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

  protected died(): void {
    this.book.died();
    this.files.died();
  }

  protected writes(path: string, bytes: Uint8Array): void {
    this.world.files.secrets.peelWrites({ node: this.name, path: () => this.machine.placeOf(path), bytes });
  }

  private watch(effect: StateWatch['effect']): StateWatch {
    return {
      peel: this.id,
      book: this.book,
      files: this.files,
      effect,
      broke: (rule, text) => this.world.observer.break(rule, `${this.id}: ${text}`),
      diskWatch: () => this.diskWatch(),
    };
  }
}
