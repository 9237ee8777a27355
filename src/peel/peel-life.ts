/**
 * The parts of a peel and how they hang together, from the records of the last life to the end of this one.
 *
 * Start: report what the last life left, and end the commands that it was running; listen, first for cancels, so that none
 * is missed for a command that is heard.
 *
 * Stop: take nothing more in; what waits is answered `interrupted by restart`, what runs gets a moment and is then
 * cancelled; what is owed is sent as far as that goes quickly. The rest is on disk, for the next start.
 */
import { isZesterError } from '../core/errors/zester-error.ts';
import { sleep } from '../runtime/clock.ts';
import { CertificateVerdicts } from '../trust/certificate-verdicts.ts';
import { undoKeyFrom } from '../trust/undo-key.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import { ANY, commandSubject, jobCancelSubject } from '../wire/names/subjects.ts';
import { PROTOCOL_VERSION } from '../wire/records/job.ts';
import { prepareDataDir } from './data-dir.ts';
import { type FactsLoop, factsLoop } from './facts/facts-loop.ts';
import { startHeartbeat } from './facts/heartbeat-loop.ts';
import { Intake } from './intake/intake.ts';
import { type JobBook, openJobBook } from './intake/job-book.ts';
import { type KeyRing, openKeyRing } from './intake/key-ring.ts';
import { listen } from './intake/listen.ts';
import { openRememberedCancels, type RememberedCancels } from './intake/remembered-cancels.ts';
import type { PeelPorts, PeelSettings, PeelState } from './peel-ports.ts';
import { Outbox } from './returns/outbox.ts';
import { Reporter } from './returns/reporter.ts';
import { DirectRunner } from './run/direct-runner.ts';
import { ExecQueue, type LaneName } from './run/exec-queue.ts';
import { ABANDON_MS, type CallFunction } from './run/execution.ts';
import { JobRunner } from './run/job-runner.ts';
import { LeftoverCommands, recordingSystem } from './run/leftover-commands.ts';
import { type RequestStates, runRequest } from './run/run-request.ts';
import { findStatesDir } from './states/state-sources.ts';
import { openUndoJournal } from './undo/open-undo-journal.ts';
import { undoSecret } from './undo/undo-key-file.ts';

/** What is owed at the end is tried for this long. */
const FLUSH_MS = 3_000;

export interface Records {
  readonly book: JobBook;
  readonly cancels: RememberedCancels;
  readonly keys: KeyRing;
}

/** Throws when they cannot be read; see `Peel.ready`. */
export async function readRecords({ bus, system, runtime, identity, dataDir }: PeelPorts): Promise<Records> {
  const { files } = system;
  await prepareDataDir(files, dataDir);
  const book = await openJobBook({ files, dataDir, runtime });
  const cancels = await openRememberedCancels({ files, dataDir, log: runtime.log });
  const keys = await openKeyRing({ bus, files, runtime, dataDir, curveKey: identity.curveKey });
  return { book, cancels, keys };
}

export class Life {
  private readonly ports: PeelPorts;
  private readonly settings: PeelSettings;
  private readonly records: Records;
  private readonly outbox: Outbox;
  private readonly reporter: Reporter;
  private readonly queue: ExecQueue;
  private readonly runner: JobRunner;
  private readonly direct: DirectRunner;
  private readonly intake: Intake;
  private readonly facts: FactsLoop;
  private readonly leftovers: LeftoverCommands;
  private readonly states: RequestStates | undefined;
  /** What to end first, in this order: everything that brings in work or only tells of us. */
  private readonly inputs: { stop(): void }[] = [];

  constructor(ports: PeelPorts, settings: PeelSettings, records: Records) {
    const { bus, system, runtime, version } = ports;
    const { peelId, curveKey } = ports.identity;
    const { book, cancels } = records;
    this.ports = ports;
    this.settings = settings;
    this.records = records;
    this.outbox = new Outbox(bus, runtime);
    this.reporter = new Reporter({ peelId, book, outbox: this.outbox, clock: runtime.clock });
    const { reporter } = this;
    const own = { version, protocol: PROTOCOL_VERSION, curvePublicKey: curveKey.publicKey };
    const { customFactsFile: customFile, factsEveryMs: everyMs } = settings;
    this.facts = factsLoop({ bus, system, runtime, peelId, own, customFile, everyMs });
    this.states = statesOf(ports, this.facts);
    this.queue = new ExecQueue({ slots: settings.queueSlots, readers: settings.readOnlyLanes }, runtime.log);
    const { queue } = this;
    const call: CallFunction = (request, signal) => this.call(request, signal);
    this.runner = new JobRunner({ peelId, bus, runtime, queue, book, reporter, call });
    this.direct = new DirectRunner({ peelId, bus, runtime, queue, call });
    const { runner, direct } = this;
    this.leftovers = new LeftoverCommands({
      system,
      runtime,
      dataDir: ports.dataDir,
      queue,
      interrupted: book.openJobs(),
      finish: (jid, ending) => runner.finishUnrun(jid, ending),
    });
    const laneOf = (module: string) => this.laneOf(module);
    const trust = this.doorTrust();
    this.intake = new Intake({ runtime, trust, book, cancels, queue, runner, direct, reporter, laneOf });
  }

  async start(): Promise<void> {
    const { bus, runtime, version, identity } = this.ports;
    const { peelId } = identity;
    const { book, keys } = this.records;
    await this.leftovers.start();
    for (const jid of book.unsentReturns()) this.reporter.report(jid);
    keys.start();
    const cancels = listen(bus, jobCancelSubject(ANY), (message) => this.intake.cancel(message), runtime);
    await cancels.asked;
    const commands = listen(bus, commandSubject(peelId), (message) => this.intake.command(message), runtime);
    await commands.asked;
    this.facts.start();
    void this.warnWithoutStates();
    const everyMs = this.settings.heartbeatMs;
    const keysKnown = () => keys.known();
    const heartbeat = startHeartbeat({ bus, runtime, peelId, version, everyMs, keysKnown });
    this.inputs.push(commands, cancels, heartbeat, this.facts, keys, this.leftovers);
  }

  async stop(): Promise<void> {
    for (const input of this.inputs) input.stop();
    this.runner.refuseMore();
    await this.intake.stop();
    for (const task of this.queue.withdrawAll()) await task.dismiss();
    await this.idleWithin(this.settings.stopGraceMs);
    this.runner.stopAll();
    this.direct.stopAll();
    await this.idleWithin(ABANDON_MS + FLUSH_MS);
    if (this.ports.bus.status() === 'connected') await this.outbox.flushed(FLUSH_MS);
    this.outbox.stop();
    await this.records.book.close();
    this.ports.runtime.log.info('peel stopped');
  }

  state(): Omit<PeelState, 'phase' | 'connection'> {
    const { book } = this.records;
    return {
      ...this.queue.counts(),
      spooled: book.unsentReturns().length,
      counts: { ...this.intake.counts, returned: book.settledCount() },
    };
  }

  private call(...[request, signal]: Parameters<CallFunction>): ReturnType<CallFunction> {
    const { system, runtime, identity, version, functions, dataDir } = this.ports;
    const { peelId } = identity;
    const facts = this.facts.store;
    return runRequest(request, signal, {
      system: recordingSystem(system, dataDir, request.jid),
      facts,
      runtime,
      peelId,
      version,
      functions,
      states: this.states,
    });
  }

  /** Who asks for a function that is not there gets its answer at once. */
  private laneOf(module: string): LaneName {
    const { functions } = this.ports;
    const acts = functions.has(module)
      ? functions.get(module).kind === 'action'
      : this.states?.modules.has(module) === true;
    return acts ? 'worker' : 'readers';
  }

  private async warnWithoutStates(): Promise<void> {
    const { system, runtime } = this.ports;
    const { clock, log } = runtime;
    if (this.states === undefined) return;
    try {
      await findStatesDir(this.states.sources, { files: system.files, clock, log });
    } catch (error) {
      // What else is wrong with the directory is told to whoever asks for states.
      if (isZesterError(error, 'STATES_UNAVAILABLE'))
        log.warn('states engine unavailable at boot; will build when state files appear');
    }
  }

  private doorTrust() {
    const { keys } = this.records;
    return {
      peelId: this.ports.identity.peelId,
      commandProofKeys: () => keys.commandProofKeys(),
      commandKeys: () => keys.commandKeys(),
      certificates: new CertificateVerdicts(),
      now: () => nanosFromMs(this.ports.runtime.clock.nowMs()),
    };
  }

  private async idleWithin(ms: number): Promise<void> {
    const patience = new AbortController();
    const waited = sleep(this.ports.runtime.clock, ms, patience.signal).catch(() => undefined);
    await Promise.race([this.queue.idle(), waited]);
    patience.abort();
  }
}

function statesOf(
  { states, system, runtime, dataDir }: PeelPorts,
  facts: FactsLoop,
): RequestStates | undefined {
  if (states === undefined) return undefined;
  const { clock, random } = runtime;
  const { formerUndoSecret: former, ...others } = states;
  const { files } = system;
  const key = async () => undoKeyFrom(await undoSecret({ files, dataDir, random, former }), random);
  const journal = openUndoJournal({ files, dataDir, key, clock, random });
  return { ...others, journal, factsKnown: () => facts.known() };
}
