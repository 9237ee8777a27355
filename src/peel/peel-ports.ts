/**
 * The ports of a peel are what it is started with, and what it gives back. The program gives it NATS and the machine,
 * the simulator gives it memory and virtual time; nothing else of the outside world is touched.
 */
import type { AgentBus, ConnectionStatus } from '../bus/port.ts';
import type { SecretBook } from '../core/redact/secret-book.ts';
import type { FunctionRegistry } from '../modules/contract.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { System } from '../system/system.ts';
import type { CurveKey } from '../trust/nkeys.ts';
import type { PeelId } from '../wire/names/ids.ts';
import { MACHINE_REFRESH_MS } from './facts/collect-facts.ts';
import { CUSTOM_FACTS_FILE } from './facts/custom-facts.ts';
import type { AgentsKeysListed } from './intake/key-ring.ts';
import type { RequestStates } from './run/run-request.ts';

export interface PeelPorts {
  /** Stays the caller's: `stop` does not close it. */
  readonly bus: AgentBus;
  readonly system: System;
  readonly runtime: Runtime;
  readonly identity: PeelIdentity;
  /** Of this peel alone; made when it is not there. What is in it: `job-book.ts`. */
  readonly dataDir: string;
  /** Of the program. */
  readonly version: string;
  readonly functions: FunctionRegistry;
  /** Without it the peel runs execution functions only. */
  readonly states?: PeelStates;
  /** Who signed the credentials of the present connection; not given: nobody needs to know. */
  readonly issuerInUse?: () => string | undefined;
  /** Credentials are signed by other keys than before: see `Peel.agentsKeys`. */
  readonly agentsKeysChanged?: () => void;
  readonly settings?: Partial<PeelSettings>;
  /** For a caller that redacts what it writes itself, such as a log of its own. Default: one of the peel's own. */
  readonly secrets?: SecretBook;
}

export interface PeelStates extends Pick<RequestStates, 'modules'> {
  /** Settings that this machine was built with, for as long as none are mirrored. */
  readonly settingsDir: string | undefined;
  /** The state files that this machine was built with. */
  readonly bakedDir: string | undefined;
  /** Where the published files are mirrored; absolute. Undefined: they are not. */
  readonly caches: FileCaches | undefined;
  /** The peel's user seed: an undo journal that is older than its own key is sealed under it (undo-key-file.ts). */
  readonly formerUndoSecret?: Uint8Array;
}

/** Paths of the mirrors, one for each file set that a peel reads. */
export interface FileCaches {
  readonly states: string;
  readonly settings: string;
}

export interface PeelIdentity {
  readonly peelId: PeelId;
  /** From the peel's user seed: masters prove their commands to it. */
  readonly curveKey: CurveKey;
}

export interface PeelSettings {
  readonly heartbeatMs: number;
  readonly factsEveryMs: number;
  readonly customFactsFile: string;
  /** Waiting requests, for the worker and for the readers each. */
  readonly queueSlots: number;
  /** Functions that only look and may run at the same time. */
  readonly readOnlyLanes: number;
  /** How long `stop` lets running work go on before it is cancelled. */
  readonly stopGraceMs: number;
}

export const PEEL_DEFAULTS: PeelSettings = {
  heartbeatMs: 10_000,
  factsEveryMs: MACHINE_REFRESH_MS,
  customFactsFile: CUSTOM_FACTS_FILE,
  queueSlots: 64,
  readOnlyLanes: 8,
  stopGraceMs: 2_000,
};

export interface Peel {
  /**
   * Resolves when the peel has read its records and listens (or will, as soon as there is a connection). Rejects when
   * its own records cannot be read: then nothing was started, and nothing may be, since it cannot know what it ran.
   */
  readonly ready: Promise<void>;
  /** Takes no more work, ends what runs, reports what it can; what could not be sent is sent after the next start. */
  stop(): Promise<void>;
  state(): PeelState;
  /** Which keys sign credentials of peels, as far as was heard. */
  agentsKeys(): AgentsKeysListed;
}

export interface PeelState {
  readonly phase: 'starting' | 'ready' | 'stopping' | 'stopped' | 'failed';
  readonly connection: ConnectionStatus;
  readonly queued: number;
  readonly running: number;
  /** Returns that no stream has confirmed yet. */
  readonly spooled: number;
  readonly counts: PeelCounts;
}

/** Since the start. */
export interface PeelCounts {
  readonly accepted: number;
  readonly repeated: number;
  readonly answeredUnrun: number;
  readonly turnedAway: number;
  readonly direct: number;
  readonly canceled: number;
  readonly returned: number;
  /** What did not verify, could not be decoded, or found the inbox full. */
  readonly refused: number;
  /** Cancels and direct requests that were dropped because too many came to check their signatures. */
  readonly overBudget: number;
}
