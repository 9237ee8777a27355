/**
 * The context of a running peel, built once for a life: what it was given (peel-ports.ts), with its settings complete, and
 * what its parts share. A part takes the context and names the fields it works with.
 *
 * Building it reads the records of the last life and starts nothing; what cannot be read throws (see `Peel.ready`).
 */
import type { AgentBus } from '../bus/port.ts';
import type { SecretBook } from '../core/redact/secret-book.ts';
import { undoKeyFrom } from '../trust/undo-key.ts';
import { prepareDataDir } from './data-dir.ts';
import { type FactsLoop, factsLoop } from './facts/facts-loop.ts';
import { type OwnWords, openOwnWords } from './facts/own-words.ts';
import { PeelFiles } from './files/peel-files.ts';
import { type JobBook, openJobBook } from './intake/job-book.ts';
import { type KeyRing, openKeyRing } from './intake/key-ring.ts';
import { openRememberedCancels, type RememberedCancels } from './intake/remembered-cancels.ts';
import { PEEL_DEFAULTS, type PeelIdentity, type PeelPorts, type PeelSettings } from './peel-ports.ts';
import { Outbox } from './returns/outbox.ts';
import { Reporter } from './returns/reporter.ts';
import { ExecQueue } from './run/exec-queue.ts';
import type { RequestContext, RequestStates } from './run/run-request.ts';
import { openUndoJournal } from './undo/open-undo-journal.ts';
import { undoSecret } from './undo/undo-key-file.ts';

export interface PeelContext extends RequestContext, PeelIdentity {
  readonly bus: AgentBus;
  readonly dataDir: string;
  readonly issuerInUse?: (() => string | undefined) | undefined;
  readonly agentsKeysChanged?: (() => void) | undefined;
  readonly settings: PeelSettings;
  /** What must not leave this machine: each way out asks it. */
  readonly secrets: SecretBook;
  readonly facts: FactsLoop;
  /** What operators say of this peel; `facts` has it in its place. */
  readonly words: OwnWords;
  readonly files: PeelFiles;
  readonly book: JobBook;
  readonly cancels: RememberedCancels;
  readonly keys: KeyRing;
  readonly outbox: Outbox;
  readonly reporter: Reporter;
  readonly queue: ExecQueue;
}

export async function openPeelContext(
  ports: PeelPorts & { readonly secrets: SecretBook },
): Promise<PeelContext> {
  const { system, runtime, dataDir, identity, states, ...others } = ports;
  const settings: PeelSettings = { ...PEEL_DEFAULTS, ...ports.settings };
  const given = { ...others, ...identity, system, runtime, dataDir, settings };
  await prepareDataDir(system.files, dataDir);
  const book = await openJobBook(given);
  const cancels = await openRememberedCancels(given);
  const keys = await openKeyRing(given);
  const outbox = new Outbox(given);
  const reporter = new Reporter({ ...given, book, outbox });
  const queue = new ExecQueue({ slots: settings.queueSlots, readers: settings.readOnlyLanes }, runtime.log);
  const words = await openOwnWords({ ...given, keys });
  const facts = factsLoop({ ...given, words });
  const files = new PeelFiles({ ...given, keys, facts }, states);
  const shared = { facts, words, files, book, cancels, keys, outbox, reporter, queue };
  return { ...given, ...shared, states: requestStates(ports, { facts, words }, files) };
}

function requestStates(
  { states, system, runtime, dataDir }: PeelPorts,
  { facts, words }: Pick<PeelContext, 'facts' | 'words'>,
  published: PeelFiles,
): RequestStates | undefined {
  if (states === undefined) return undefined;
  const { clock, random } = runtime;
  const { formerUndoSecret: former, modules, bakedDir } = states;
  const { files } = system;
  const key = async () => undoKeyFrom(await undoSecret({ files, dataDir, random, former }), random);
  const journal = openUndoJournal({ files, dataDir, key, clock, random });
  const { states: mirror, settings } = published;
  const sources = { mirror, bakedDir };
  const factsKnown = async () => void (await Promise.all([facts.known(), words.settled()]));
  return { modules, sources, settings, mirrors: published, journal, factsKnown };
}
