/**
 * A simulated master is a machine on which the real master runs, on simulated ports. Its disk, with the source directories and
 * what the master remembers of them, outlives it.
 */
import { openAccountServers } from '../../bus/account-servers.ts';
import { openBus } from '../../bus/bus.ts';
import { ELECTION_MS_MAX } from '../../bus/retry-budget.ts';
import type { EnrollmentDesk } from '../../master/enroll/enrollment-desk.ts';
import type { MasterMetrics } from '../../master/master-metrics.ts';
import { masterKeysOf, newMasterId } from '../../master/master-ports.ts';
import { type Master, type MasterState, startMaster } from '../../master/start-master.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import { PEEL_CREDS_MS } from '../enroll/sim-box.ts';
import { SOURCE_DIRS, SourceDisk } from '../files/source-disk.ts';
import { OVERLAP_MAX_MS, OVERLAP_MIN_MS } from '../keys/sim-rotations.ts';
import { SimNode } from './sim-node.ts';
import type { SimWorld } from './sim-world.ts';

export const MASTER_DATA_DIR = '/var/lib/zester/master';
/** Rules are published like the other trees; nobody edits them here. */
const REACTOR_DIR = '/srv/zester/reactor';
const REACTOR_FILES = { [`${REACTOR_DIR}/top.zy`]: 'reactor: []\n' };

/** Nobody asks a simulated master for its numbers. */
const UNCOUNTED: Omit<MasterMetrics, 'storeWentBack'> = {
  jobEnded: () => undefined,
  dispatchAnswered: () => undefined,
  jobReclaimed: () => undefined,
  orphanScanned: () => undefined,
  strangerDropped: () => undefined,
  filesPublished: () => undefined,
  enrollmentBecame: () => undefined,
  doorAnswered: () => undefined,
  doorClosed: () => undefined,
  accountRestored: () => undefined,
  peelBanned: () => undefined,
};

export class SimMaster extends SimNode {
  /** As its operator sees it. */
  readonly sources: SourceDisk;
  private master: Master | undefined;
  private pid = 0;
  private stopping: Promise<void> | undefined;

  constructor(world: SimWorld, name: string) {
    super(world, name, REACTOR_FILES);
    this.sources = new SourceDisk(name, this.machine);
  }

  state(): MasterState | undefined {
    return this.alive ? this.master?.state() : undefined;
  }

  /** Somebody is at its door, who is heard by `alive` as long as it lives. False: it is closed. */
  atDoor(hear: (desk: EnrollmentDesk, alive: (tell: () => void) => void) => void): boolean {
    const { life, master } = this;
    if (!life.alive || master?.state().phase !== 'ready') return false;
    life.run(() => hear(master.desk, (tell) => life.run(tell)));
    return true;
  }

  /** A graceful stop; the process ends when it is done. */
  stop(): void {
    const { master, life } = this;
    if (!life.alive || master === undefined || this.stopping !== undefined) return;
    this.world.note(this.name, 'stops');
    this.stopping = master.stop().then(() => {
      if (this.life === life) this.kill();
    });
  }

  protected boot(): void {
    const { world } = this;
    this.stopping = undefined;
    const runtime = this.runtime();
    const masterId = newMasterId(runtime);
    this.pid += 1;
    // Under the name of this life: the server's observer must know who wrote.
    const connection = this.connect(
      () => ({ role: 'master', name: masterId }),
      world.enroll.masterStarted(masterId),
    );
    const bus = openBus(connection, runtime, { retryBudget: { ms: ELECTION_MS_MAX } });
    const system = this.connect(() => ({ role: 'system', name: `sys of ${this.name}` }));
    world.observer.masterStarted(masterId, this.name);
    world.files.masterStarted(masterId, this.name);
    this.master = startMaster({
      bus,
      runtime,
      trust: masterKeysOf(world.account),
      issuer: {
        agentsAccount: world.topology.public.agents.publicKey,
        signingKey: world.topology.agentsSigning,
        caPin: undefined,
      },
      identity: { masterId, host: this.name, pid: this.pid, bootId: 'sim', version: '0' },
      metrics: {
        ...UNCOUNTED,
        storeWentBack: (asset) => world.observer.reportedOlder(this.name, asset),
      },
      accounts: { servers: openAccountServers(system, runtime), authority: world.topology },
      settings: {
        fleetKeyOverlapMinMs: OVERLAP_MIN_MS,
        fleetKeyOverlapMaxMs: OVERLAP_MAX_MS,
        peelCredsValidMs: PEEL_CREDS_MS,
      },
      system: this.machine.boot(),
      sources: { dataDir: MASTER_DATA_DIR, ...SOURCE_DIRS, reactor: REACTOR_DIR },
      isProcessGone: (pid) => pid !== this.pid || !this.life.alive,
    });
    this.master.ready.catch(() => undefined);
  }

  protected died(): void {
    const gone = this.master?.state().masterId;
    if (gone === undefined) return;
    this.world.observer.masterEnded(gone as MasterId);
    this.world.enroll.masterEnded(gone);
  }

  protected writes(path: string, bytes: Uint8Array): void {
    this.world.files.secrets.masterWrites({
      node: this.name,
      path: () => this.machine.placeOf(path),
      bytes,
    });
  }
}
