/**
 * Runs one function on this machine without any NATS: `zester-peel call --local state.apply web --states DIR`. The same
 * functions, compiler and runner as in a peel that runs as a service; the facts are collected first, or read from a
 * file.
 *
 * The undo journal is opened, and its key made, when something is about to be changed: a question or a dry run leaves
 * nothing behind.
 */
import { isDataMap, wireOfDataMap } from '../../core/data/data-value.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import type { SecretBook } from '../../core/redact/secret-book.ts';
import { readYamlValue } from '../../core/states/template/yaml-value.ts';
import { NO_WORDS } from '../../core/target/operator-words.ts';
import type { FactsAccess } from '../../modules/contract.ts';
import { lookUpFact, withFact } from '../../modules/facts/fact-path.ts';
import { FUNCTIONS } from '../../modules/registry.ts';
import { STATE_MODULES } from '../../modules/state-registry.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { System } from '../../system/system.ts';
import { undoKeyFrom } from '../../trust/undo-key.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { type Jid, type PeelId, peelIdOfName } from '../../wire/names/ids.ts';
import type { ExecResponse } from '../../wire/records/exec.ts';
import { PROTOCOL_VERSION } from '../../wire/records/job.ts';
import { factsStore } from '../facts/facts-store.ts';
import { redactedResponse } from '../returns/redacted-return.ts';
import { directorySettings } from '../settings/settings-source.ts';
import { openUndoJournal } from '../undo/open-undo-journal.ts';
import type { UndoJournal } from '../undo/undo-journal.ts';
import { undoSecret } from '../undo/undo-key-file.ts';
import type { LocalCallOptions } from './local-call-options.ts';
import { runRequest } from './run-request.ts';

export interface LocalCallParts {
  readonly system: System;
  readonly runtime: Runtime;
  readonly version: string;
  readonly signal: AbortSignal;
  /** Keeps another call from working in the same data directory; throws when one does. */
  readonly lockDataDir: (dir: string) => Promise<void>;
  readonly secrets: SecretBook;
}

/** Paths in the options are absolute. The answer is without secrets. */
export async function localCall(options: LocalCallOptions, parts: LocalCallParts): Promise<ExecResponse> {
  const { system, runtime, version, signal, secrets } = parts;
  const facts = await factsFor(options, parts);
  const { functionName: module, id, args, dryRun } = options;
  const jid = newKsuid(runtime.clock, runtime.random) as Jid;
  const request = { jid, module, id, args: dryRun ? { ...args, test: 'true' } : args };
  const host = { system, facts, runtime, peelId: nameFor(options, facts), version, functions: FUNCTIONS };
  const response = await runRequest(request, signal, {
    ...host,
    states: {
      modules: STATE_MODULES,
      sources: { bakedDir: options.statesDir, mirror: undefined },
      settings: directorySettings(host, options.settingsDir, secrets),
      journal: localJournal(options.dataDir, parts),
    },
  });
  return redactedResponse(response, secrets);
}

async function factsFor({ factsFile }: LocalCallOptions, parts: LocalCallParts): Promise<FactsAccess> {
  const { system, runtime, version, secrets } = parts;
  if (factsFile !== undefined) return givenFacts(await readFacts(system, factsFile));
  const own = { version, protocol: PROTOCOL_VERSION, curvePublicKey: undefined };
  const store = factsStore(system, { log: runtime.log, own, secrets });
  await store.refresh();
  return store;
}

async function readFacts({ files }: System, path: string): Promise<WireMap> {
  const bytes = await files.read(path);
  if (bytes === undefined) throw zesterError('PEEL_USAGE', { problem: `there is no file of facts ${path}` });
  const facts = readYamlValue(Buffer.from(bytes).toString('utf8'), path) ?? {};
  if (isDataMap(facts)) return wireOfDataMap(facts);
  throw zesterError('PEEL_USAGE', {
    problem: `the file of facts ${path} is not a mapping of names to values`,
  });
}

/** What is set lasts as long as the call: the file is somebody's test data. */
function givenFacts(initial: WireMap): FactsAccess {
  let facts = initial;
  return {
    all: () => facts,
    words: () => NO_WORDS,
    get: (path) => lookUpFact(facts, path),
    setCustom: async (path, value) => {
      facts = withFact(facts, path, value);
    },
  };
}

function nameFor({ machineName }: LocalCallOptions, facts: FactsAccess): PeelId {
  const name = machineName ?? facts.get('network.hostname') ?? 'localhost';
  const peelId = peelIdOfName(String(name));
  if (peelId === undefined)
    throw zesterError('PEEL_USAGE', {
      problem: `${String(name)} cannot be the name of a machine; give --id`,
    });
  return peelId;
}

/** Its key is made, and the directory locked, when there is something to read or write. */
function localJournal(dataDir: string, { system, runtime, lockDataDir }: LocalCallParts): UndoJournal {
  const { files } = system;
  const { clock, random } = runtime;
  const key = async () => {
    await files.makeDirectory(dataDir, { parents: true, mode: 0o700 });
    await lockDataDir(dataDir);
    return undoKeyFrom(await undoSecret({ files, dataDir, random }), random);
  };
  return openUndoJournal({ files, dataDir, key, clock, random });
}
