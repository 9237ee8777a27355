/**
 * The ports of a master are what it is put together from. Everything it does to the world goes through them, so the
 * program gives it a NATS connection and the machine's clock, the simulator a memory bus and a virtual one, and both run
 * the same master.
 */
import type { AccountAuthority } from '../accounts/next-docs.ts';
import type { AccountServers } from '../bus/account-servers.ts';
import type { Bus } from '../bus/port.ts';
import { FIRST } from '../core/fleet-key/rotation-plan.ts';
import type { SecretBook } from '../core/redact/secret-book.ts';
import { newKsuid } from '../runtime/ids.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { System } from '../system/system.ts';
import { messageIdsOf } from '../trust/command-key.ts';
import type { Ed25519Key } from '../trust/ed25519.ts';
import { type FleetKey, fleetKeyOf } from '../trust/fleet-key.ts';
import { type FleetSeedVault, fleetSeedVault } from '../trust/fleet-seed.ts';
import type { CurveKey, SigningKey } from '../trust/nkeys.ts';
import type { MasterId } from '../wire/names/ids.ts';
import type { AccountDocs } from '../wire/records/enroll/account-docs.ts';
import type { MasterMetrics } from './master-metrics.ts';
import type { MasterSettings } from './master-settings.ts';

export interface MasterPorts {
  /** With a master's rights. It may be disconnected; the master waits for it. Whoever opened it closes it. */
  readonly bus: Bus;
  readonly runtime: Runtime;
  readonly trust: MasterKeys;
  /** What credentials of peels are made with. */
  readonly issuer: PeelIssuer;
  readonly identity: MasterIdentity;
  /** The machine that it runs on: its source directories, and what it remembers of them. */
  readonly system: System;
  readonly sources: SourcePlaces;
  /** Whether no process of this number runs on this machine. */
  readonly isProcessGone: (pid: number) => boolean;
  /** The way to the system account, and what signs account documents. Not given: this master keeps none. */
  readonly accounts?: AccountPorts;
  /** How many servers the cluster has, those that are away included. Not given: one. */
  readonly servers?: () => Promise<number>;
  /** What is wrong with the stores, by their times; empty when all is well. Not given: nobody times them. */
  readonly storeProblem?: () => string;
  /** Hides secrets in the log. Not given: nobody asks it. */
  readonly secretBook?: SecretBook;
  /** Not given: what is counted is shown to nobody. */
  readonly metrics?: MasterMetrics;
  /** What is not given has its default. */
  readonly settings?: Partial<MasterSettings>;
}

export interface AccountPorts {
  readonly servers: AccountServers;
  readonly authority: AccountAuthority;
  /** Every server has these documents. Called again and again. */
  readonly onSettled?: (docs: AccountDocs) => void;
  /** Every server knows who signs system users of today; ours may not ask what servers have. */
  readonly onIntroduced?: () => void;
}

/** Where a master has what it publishes. A set without a directory is not published from here. */
export interface SourcePlaces {
  /** What it remembers of them: of this master alone. */
  readonly dataDir: string;
  readonly states?: string;
  readonly settings?: string;
  readonly reactor?: string;
}

/** The keys that a master works with. They change with a rotation of the fleet key: ask each time. */
export interface Keyring {
  /** Every generation there ever was, to open with. The first of the list is the one to seal with. */
  readonly fleet: readonly FleetKey[];
  /** Those that peels accept, the newest first. */
  good(): readonly FleetKey[];
  /** What commands to a peel are proven with, by the generation that its heartbeat confirms; undefined: it has none. */
  provingKey(confirmed: number | undefined): FleetKey;
  /** The message id under which any master would publish the event of this id. */
  readonly messageId: (eventId: string) => string;
}

/** The same on all masters of a deployment. */
export interface PeelIssuer {
  /** Public key of account AGENTS. */
  readonly agentsAccount: string;
  /** The first generation of the agents key, its scoped signing key. */
  readonly signingKey: SigningKey;
  /** Pin of our CA, to compare with what machines see; undefined: certificates come from elsewhere, and nothing is compared. */
  readonly caPin: string | undefined;
}

/** What all masters of a deployment share without talking, because they derive it from the same seed. */
export interface MasterKeys extends Keyring {
  /** Of the first generation. */
  readonly commandKey: Ed25519Key;
  readonly curveKey: CurveKey;
  /** Where the seeds of the later generations are sealed. */
  readonly vault: FleetSeedVault;
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
  const first = fleetKeyOf(FIRST, account);
  const { commandKey, curveKey } = first;
  const fleet = [first];
  return {
    commandKey,
    curveKey,
    fleet,
    good: () => fleet,
    provingKey: () => first,
    messageId: messageIdsOf(account),
    vault: fleetSeedVault(account),
  };
}

/** A fresh one for every start: a master that comes back is another master, and adopts what its former self left. */
export function newMasterId({ clock, random }: Runtime): MasterId {
  return `master-${newKsuid(clock, random)}` as MasterId;
}
