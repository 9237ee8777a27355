/**
 * The ports of a master are what it is put together from. Everything it does to the world goes through them, so the
 * program gives it a NATS connection and the machine's clock, the simulator a memory bus and a virtual one, and both run
 * the same master.
 */
import type { Bus } from '../bus/port.ts';
import type { SecretBook } from '../core/redact/secret-book.ts';
import { newKsuid } from '../runtime/ids.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { System } from '../system/system.ts';
import { commandKeyOf, messageIdsOf } from '../trust/command-key.ts';
import type { Ed25519Key } from '../trust/ed25519.ts';
import { type FleetKey, fleetKeyOf } from '../trust/fleet-key.ts';
import { type CurveKey, curveKeyOf, type SigningKey } from '../trust/nkeys.ts';
import type { MasterId } from '../wire/names/ids.ts';
import type { MasterMetrics } from './master-metrics.ts';
import type { MasterSettings } from './master-settings.ts';

export interface MasterPorts {
  /** With a master's rights. It may be disconnected; the master waits for it. Whoever opened it closes it. */
  readonly bus: Bus;
  readonly runtime: Runtime;
  readonly trust: MasterKeys;
  readonly identity: MasterIdentity;
  /** The machine that it runs on: its source directories, and what it remembers of them. */
  readonly system: System;
  readonly sources: SourcePlaces;
  /** Whether no process of this number runs on this machine. */
  readonly isProcessGone: (pid: number) => boolean;
  /** How many servers the cluster has, those that are away included. Not given: one. */
  readonly servers?: () => Promise<number>;
  /** Hides secrets in the log. Not given: nobody asks it. */
  readonly secretBook?: SecretBook;
  /** Not given: what is counted is shown to nobody. */
  readonly metrics?: MasterMetrics;
  /** What is not given has its default. */
  readonly settings?: Partial<MasterSettings>;
}

/** Where a master has what it publishes. A set without a directory is not published from here. */
export interface SourcePlaces {
  /** What it remembers of them: of this master alone. */
  readonly dataDir: string;
  readonly states?: string;
  readonly settings?: string;
  readonly reactor?: string;
}

/** What all masters of a deployment share, because they derive it from the same seed. */
export interface MasterKeys {
  /** Signs cancels; peels check with its public half. */
  readonly commandKey: Ed25519Key;
  /** The account's: commands to a peel are proven under what it and the peel's curve key agree on. */
  readonly curveKey: CurveKey;
  /** What secrets are sealed with: all current generations, the newest first. */
  readonly fleet: readonly FleetKey[];
  /** The message id under which any master would publish the event of this id. */
  readonly messageId: (eventId: string) => string;
}

/** One run of one master. */
export interface MasterIdentity {
  readonly masterId: MasterId;
  readonly host: string;
  readonly pid: number;
  readonly bootId: string;
  readonly version: string;
}

export function masterKeysOf(account: SigningKey): MasterKeys {
  return {
    commandKey: commandKeyOf(account),
    curveKey: curveKeyOf(account),
    fleet: [fleetKeyOf(1, account)],
    messageId: messageIdsOf(account),
  };
}

/** A fresh one for every start: a master that comes back is another master, and adopts what its former self left. */
export function newMasterId({ clock, random }: Runtime): MasterId {
  return `master-${newKsuid(clock, random)}` as MasterId;
}
