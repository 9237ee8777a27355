/**
 * One life of a peel: starts the parts that work on its context (peel-context.ts), and ends them.
 *
 * Start: report what the last life left, and end the commands that it was running; look what published files the disk has;
 * listen, first for cancels, so that none is missed for a command that is heard.
 *
 * Stop: take nothing more in; what waits is answered `interrupted by restart`, what runs gets a moment and is then
 * cancelled; what is owed is sent as far as that goes quickly. The rest is on disk, for the next start.
 */
import { isZesterError } from '../core/errors/zester-error.ts';
import { within } from '../runtime/abortable-wait.ts';
import { ANY, commandSubject, jobCancelSubject } from '../wire/names/subjects.ts';
import { startPeelHeartbeat } from './facts/heartbeat-loop.ts';
import { Intake } from './intake/intake.ts';
import type { AgentsKeysListed } from './intake/key-ring.ts';
import { listen } from './intake/listen.ts';
import type { PeelContext } from './peel-context.ts';
import type { PeelState } from './peel-ports.ts';
import { DirectRunner } from './run/direct-runner.ts';
import { ABANDON_MS, type CallFunction } from './run/execution.ts';
import { JobRunner } from './run/job-runner.ts';
import { LeftoverCommands, recordingSystem } from './run/leftover-commands.ts';
import { runRequest } from './run/run-request.ts';
import { findStates } from './states/state-sources.ts';

/** What is owed at the end is tried for this long. */
const FLUSH_MS = 3_000;

export class PeelLife {
  private readonly context: PeelContext;
  private readonly runner: JobRunner;
  private readonly direct: DirectRunner;
  private readonly intake: Intake;
  private readonly leftovers: LeftoverCommands;
  /** What to end first, in this order: everything that brings in work or only tells of us. */
  private readonly inputs: { stop(): void }[];

  constructor(context: PeelContext) {
    const { book, system, dataDir } = context;
    const call: CallFunction = (request, signal) =>
      runRequest(request, signal, { ...context, system: recordingSystem(system, dataDir, request.jid) });
    this.context = context;
    this.runner = new JobRunner(context, call);
    this.direct = new DirectRunner(context, call);
    const { runner } = this;
    const interrupted = book.openJobs();
    this.leftovers = new LeftoverCommands(context, interrupted, (jid, ending) =>
      runner.finishUnrun(jid, ending),
    );
    this.intake = new Intake(context, runner, this.direct);
    this.inputs = [context.facts, context.words, context.keys, context.files, this.leftovers];
  }

  async start(): Promise<void> {
    const { bus, runtime, peelId, book, keys, reporter, facts, words, files } = this.context;
    await this.leftovers.start();
    files.onChange(() => facts.publishAgain());
    await files.start();
    for (const jid of book.unsentReturns()) reporter.report(jid);
    keys.start();
    // Facts may repeat what is a secret now, and the top file of settings asks for tags.
    words.onChange(() => {
      facts.publishAgain();
      files.settings.noteNews();
    });
    words.start();
    const cancels = listen(bus, jobCancelSubject(ANY), (message) => this.intake.cancel(message), runtime);
    await cancels.asked;
    const commands = listen(bus, commandSubject(peelId), (message) => this.intake.command(message), runtime);
    await commands.asked;
    facts.start();
    void this.warnWithoutStates();
    this.inputs.unshift(commands, cancels, startPeelHeartbeat(this.context));
  }

  async stop(): Promise<void> {
    const { bus, runtime, settings, book, queue, outbox } = this.context;
    for (const input of this.inputs) input.stop();
    this.runner.refuseMore();
    await this.intake.stop();
    for (const task of queue.withdrawAll()) await task.dismiss();
    await within(runtime.clock, settings.stopGraceMs, queue.idle());
    this.runner.stopAll();
    this.direct.stopAll();
    await within(runtime.clock, ABANDON_MS + FLUSH_MS, queue.idle());
    if (bus.status() === 'connected') await outbox.flushed(FLUSH_MS);
    outbox.stop();
    await book.close();
    runtime.log.info('peel stopped');
  }

  agentsKeys(): AgentsKeysListed {
    return this.context.keys.agentsKeys();
  }

  state(): Omit<PeelState, 'phase' | 'connection'> {
    const { book, queue } = this.context;
    return {
      ...queue.counts(),
      spooled: book.unsentReturns().length,
      counts: { ...this.intake.counts, returned: book.settledCount() },
    };
  }

  private async warnWithoutStates(): Promise<void> {
    const { system, runtime, states } = this.context;
    const { clock, log } = runtime;
    if (states === undefined) return;
    try {
      (await findStates(states.sources, { files: system.files, clock, log })).release();
    } catch (error) {
      // What else is wrong with the directory is told to whoever asks for states.
      if (isZesterError(error, 'STATES_UNAVAILABLE'))
        log.warn('states engine unavailable at boot; will build when state files appear');
    }
  }
}
