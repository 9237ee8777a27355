/**
 * `startMaster` puts a master together from its ports. It starts by itself as soon as the bus is connected and goes on
 * through every cut of the line; the program and the simulator call the same function.
 *
 * The order of the start is the order of need: assets before anything is stored, keys before a peel can be told anything,
 * enrollments read before anything that peels say, facts and presence read before a command is proven or a target resolved, returns and cancels heard before a job is
 * ours, a heartbeat before anyone can see a job of ours, and dispatches last.
 *
 * A graceful stop goes the other way: no new dispatches, returns flushed, what is complete ended, a last heartbeat that
 * says so. Running jobs stay `running` for whoever adopts them. What does not end within `stopMsMax` is let go: a stop
 * that hangs is worse than a crash, which everything here survives anyway.
 */
import { unlessAborted, within } from '../runtime/abortable-wait.ts';
import { stopSource } from '../runtime/signals.ts';
import type { MasterId } from '../wire/names/ids.ts';
import { ACCOUNTS_LEASE_KEY, FACTS_SECRETS_LEASE_KEY, PUBLISHER_LEASE_KEY } from '../wire/names/keys.ts';
import type { EnrollmentState } from '../wire/records/enroll/enrollment.ts';
import { serveCancels } from './dispatch/cancels.ts';
import type { JobsInHand } from './dispatch/dispatch-job.ts';
import { DispatchService } from './dispatch/dispatch-service.ts';
import { EnrollAdminService } from './enroll/admin-service.ts';
import { EnrollmentDesk } from './enroll/enrollment-desk.ts';
import { peelTagKeeper } from './enroll/peel-tags.ts';
import { ResolveService } from './fleet/resolve-service.ts';
import { FloodBans } from './guard/ban-book.ts';
import { BanService } from './guard/ban-service.ts';
import { floodGuard } from './guard/flood-guard.ts';
import { AgentsKeyKeeper } from './keys/agents-key-keeper.ts';
import { AgentsKeyService } from './keys/agents-key-service.ts';
import { FleetKeyKeeper } from './keys/fleet-key-keeper.ts';
import { FleetKeyService } from './keys/fleet-key-service.ts';
import { masterContext } from './master-context.ts';
import type { MasterPorts } from './master-ports.ts';
import { FileserverService } from './publish/fileserver-service.ts';
import { PublishService } from './publish/publish-service.ts';
import type { SetStanding } from './publish/running-set.ts';
import { LateReturns } from './returns/late-returns.ts';
import { secretSealer } from './secrets/secret-sealer.ts';
import { SecretService } from './secrets/secret-service.ts';
import { keepAssets } from './store/asset-keeper.ts';
import { holdLeaderLeases, type LeaderLeaseName, type LeaderLeases } from './store/leader-leases.ts';
import { watchStores } from './store/store-watch.ts';
import { Adoptions } from './takeover/adopt-job.ts';
import { InterruptedClaims } from './takeover/interrupted-claims.ts';
import { startMasterHeartbeat } from './takeover/master-heartbeat.ts';
import { masterSigns } from './takeover/master-signs.ts';
import { OrphanScan } from './takeover/orphan-scan.ts';
import { JobSweep } from './takeover/sweep-jobs.ts';
import { WatchedJobs } from './watch/watched-jobs.ts';

/** For the last words of a stop that has run out of time. */
const FAREWELL_MS = 1_000;

export interface Master {
  /** Resolves when it takes jobs; rejects when it is stopped before. */
  readonly ready: Promise<void>;
  readonly desk: EnrollmentDesk;
  state(): MasterState;
  /** Hands over and ends; resolves within `stopMsMax` and a second. The bus stays open. */
  stop(): Promise<void>;
}

export interface MasterState {
  readonly masterId: MasterId;
  readonly phase: 'starting' | 'ready' | 'stopping' | 'stopped';
  readonly jobs: number;
  readonly dispatchesWaiting: number;
  /** Dispatches of which a step has failed and is repeated. */
  readonly dispatchesRetrying: number;
  readonly rowsWaiting: number;
  readonly interruptedClaims: number;
  /** Peels with facts: before `seeded` perhaps not all. */
  readonly peels: number;
  readonly seeded: boolean;
  /** Peels with a living heartbeat. */
  readonly peelsOnline: number;
  /** By state. */
  readonly enrollments: Readonly<Record<EnrollmentState, number>>;
  readonly leases: readonly LeaderLeaseName[];
  /** How the file sets stand on this master. */
  readonly files: readonly SetStanding[];
  /** What a person should know of its source directories; empty when all is well. */
  readonly filesProblem: string;
  /** What a person should know of the account documents; empty when all is well. */
  readonly accountsProblem: string;
}

export function startMaster(ports: MasterPorts): Master {
  const life = stopSource();
  const context = masterContext(ports, life.signal, {
    appeared: (peel) => watched.appeared(peel),
    keyed: (peel) => sealer.keyed(peel),
    factsSeen: (peel) => desk.factsSeen(peel),
    shutOutSeen: (peel) => desk.eraser.seen(peel),
    wordsChanged: (peel) => {
      sealer.keyed(peel);
      tagKeeper.changed(peel);
    },
  });
  const { bus, identity, settings, enrollments, facts, presence, writer, accounts } = context;
  const { clock, log } = context.runtime;

  const desk = new EnrollmentDesk(context);
  const enrollAdmin = new EnrollAdminService(context, desk);
  const bans = new FloodBans(context);
  const banService = new BanService(context, bans);
  const watched = new WatchedJobs(context);
  const interrupted = new InterruptedClaims(context);
  const hand: JobsInHand = { watched, interrupted, underWay: new Map() };
  const dispatches = new DispatchService(context, hand);
  const resolving = new ResolveService(context);
  const lateReturns = new LateReturns(context, watched);
  const sweep = new JobSweep(context);
  const adoptions = new Adoptions(context, hand, dispatches);
  const signs = masterSigns(context);
  const scan = new OrphanScan(context, signs, {
    isInHand: (jid) =>
      watched.get(jid) !== undefined || adoptions.has(jid) || interrupted.has(jid) || dispatches.has(jid),
    doubt: (jid) => watched.get(jid)?.catchUp(),
    hasRoom: () => watched.size + adoptions.size < settings.watchedJobsMax,
    adopt: (orphan) => adoptions.adopt(orphan),
  });

  /** Undoes the steps of the start, the last one first. */
  const undo: (() => Promise<void> | void)[] = [];
  let phase: MasterState['phase'] = 'starting';
  let stopping: Promise<void> | undefined;
  let leases: LeaderLeases | undefined;
  const isPublisher = () => leases?.token(PUBLISHER_LEASE_KEY) !== undefined;
  const publishing = new PublishService(context, isPublisher);
  const fileserver = new FileserverService(context, publishing, isPublisher);
  const secrets = new SecretService(context, {
    isPublisher,
    source: () => publishing.settingsDirectory(),
  });
  const isSealer = () => leases?.token(FACTS_SECRETS_LEASE_KEY) !== undefined;
  const sealer = secretSealer(context, isSealer);
  const tagKeeper = peelTagKeeper(context, isSealer);
  const fleetKeys = new FleetKeyKeeper(context, {
    isSealer,
    learned: () => enrollments.keyLearned(),
    rotated: () => {
      sealer.rotated();
      tagKeeper.rotated();
    },
  });
  const fleetKeyService = new FleetKeyService(context, fleetKeys, ports.trust.vault);
  const agentsKeys = new AgentsKeyKeeper(context);
  const agentsKeyService = new AgentsKeyService(context, agentsKeys, ports.trust.vault);

  async function start(): Promise<void> {
    await bus.connected(life.signal);
    const assets = await keepAssets(context, ports.servers ?? (() => Promise.resolve(1)));
    const stores = watchStores(context);
    undo.push(
      () => assets.stop(),
      () => stores.stop(),
    );
    undo.push(
      () => enrollments.stop(),
      () => desk.stop(),
    );
    await unlessAborted(enrollments.start(), life.signal);
    undo.push(
      () => fleetKeys.stop(),
      () => agentsKeys.stop(),
    );
    await agentsKeys.open();
    await fleetKeys.open();
    undo.push(facts.stop, presence.stop);
    await unlessAborted(Promise.all([facts.start(), presence.start()]), life.signal);
    const cancels = await serveCancels(context, (jid) => {
      watched.cancel(jid);
      interrupted.cancel(jid);
    });
    undo.push(() => cancels.unsubscribe());
    const heartbeat = await startMasterHeartbeat(context, {
      jids: () => watched.jids(),
      filesProblem: () => publishing.problem(),
      storeProblem: ports.storeProblem ?? (() => ''),
      missed: () => watched.reconnected(),
    });
    undo.push(heartbeat.leave);
    leases = holdLeaderLeases(context, (name) => {
      if (name === PUBLISHER_LEASE_KEY) publishing.leaseChanged();
      if (name === ACCOUNTS_LEASE_KEY) accounts.leaseChanged();
    });
    undo.push(() => leases?.stop());
    accounts.start(() => leases?.token(ACCOUNTS_LEASE_KEY) !== undefined);
    undo.push(() => accounts.stop());
    if (ports.accounts !== undefined) {
      const { servers, authority } = ports.accounts;
      const guard = floodGuard(context, { bans, servers, agents: authority.public.agents.publicKey });
      guard.start(() => leases?.token(ACCOUNTS_LEASE_KEY) !== undefined);
      undo.push(() => guard.stop());
    }
    publishing.start();
    undo.push(() => publishing.stop());
    sealer.start();
    tagKeeper.start();
    undo.push(() => Promise.all([sealer.stop(), tagKeeper.stop()]).then(() => undefined));
    fleetKeys.start();
    agentsKeys.start();
    await fleetKeyService.start();
    await agentsKeyService.start();
    undo.push(
      () => fleetKeyService.stop(),
      () => agentsKeyService.stop(),
    );
    await secrets.start();
    undo.push(() => secrets.stop());
    await fileserver.start();
    undo.push(() => fileserver.stop());
    const statuses = bus.onStatus((status) => status === 'connected' && watched.reconnected());
    undo.push(
      () => statuses.unsubscribe(),
      () => interrupted.stop(),
      () => watched.detach(),
    );
    const consumption = lateReturns.start();
    undo.push(() => consumption.stop());
    sweep.start();
    undo.push(() => sweep.stop());
    desk.start(() => leases?.token(ACCOUNTS_LEASE_KEY) !== undefined);
    accounts.onLetIn(() => desk.eraser.letIn());
    await Promise.all([enrollAdmin.start(), banService.start()]);
    undo.push(() => Promise.all([enrollAdmin.stop(), banService.stop()]).then(() => undefined));
    await resolving.start();
    undo.push(() => resolving.stop());
    await dispatches.start();
    undo.push(() => dispatches.stop());
    scan.wake();
    // Before the dispatches: an adoption that gets nowhere must not hold them up.
    undo.push(async () => void (await Promise.all([adoptions.stop(), scan.stop()])));
    const gone = signs.onGone(() => {
      scan.wake();
      leases?.hurry();
    });
    undo.push(() => gone.stop());
    phase = 'ready';
    log.info('master ready', { peels: facts.index.size });
  }

  async function handOver(): Promise<void> {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
      try {
        await step();
      } catch (error) {
        log.warn('a step of the stop failed', { error });
      }
    }
  }

  async function stop(): Promise<void> {
    if (phase === 'starting') life.abort();
    phase = 'stopping';
    const outOfTime = clock.after(settings.stopMsMax, () => life.abort());
    await ready.catch((error: unknown) => log.debug('stopped before it was ready', { error }));
    await unlessAborted(handOver(), life.signal).catch(async (error: unknown) => {
      log.warn('not everything could be handed over', { error });
      // Whatever hangs has had its time. The rest may still be said: that we leave, above all.
      watched.abandon();
      await within(clock, FAREWELL_MS, handOver());
    });
    outOfTime.cancel();
    life.abort();
    void interrupted.stop();
    watched.abandon();
    phase = 'stopped';
    log.info('master stopped');
  }

  const ready = start();
  ready.catch((error: unknown) => {
    if (life.signal.aborted) return;
    log.error('the master could not start', { error });
    // What is running by now goes on for nobody.
    stopping ??= stop();
  });

  return {
    ready,
    desk,
    state: () => ({
      masterId: identity.masterId,
      phase,
      jobs: watched.size,
      dispatchesWaiting: dispatches.waiting,
      dispatchesRetrying: [...hand.underWay.values()].filter((progress) => progress.isRetrying).length,
      rowsWaiting: writer.waiting(),
      interruptedClaims: interrupted.size,
      peels: facts.index.size,
      seeded: facts.isSeeded(),
      peelsOnline: presence.online(),
      enrollments: enrollments.view.counts(),
      leases: leases?.held() ?? [],
      files: publishing.standings(),
      filesProblem: publishing.problem(),
      accountsProblem: accounts.problem(),
    }),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
