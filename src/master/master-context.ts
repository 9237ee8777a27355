/**
 * The context of a master holds what every part of it works with; `startMaster` makes it once. Parts take the whole of it, or
 * name the fields they need; what only two parts share is handed from one to the other instead.
 */
import { openTable, type Table } from '../bus/kv/table.ts';
import type { Bus } from '../bus/port.ts';
import { SecretBook } from '../core/redact/secret-book.ts';
import { Metrics } from '../daemon/metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { Semaphore } from '../runtime/semaphore.ts';
import type { System } from '../system/system.ts';
import { CertificateVerdicts } from '../trust/certificate-verdicts.ts';
import { nanosFromMs, type UnixNanos } from '../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../wire/names/ids.ts';
import type { ActiveJobEntry, Job } from '../wire/records/job.ts';
import type { Row } from '../wire/records/job-return.ts';
import { type RowId, TABLES } from '../wire/records/tables.ts';
import { type AccountKeeper, accountKeeper, noAccountKeeper } from './accounts/account-keeper.ts';
import { type CommandSender, commandSender } from './dispatch/command-sender.ts';
import { EnrollmentWatch } from './enroll/enrollment-watch.ts';
import { OperatorFacts } from './enroll/operator-facts.ts';
import { type FactWatch, factWatch } from './fleet/fact-watch.ts';
import { type Presence, peelPresence } from './fleet/presence.ts';
import { AgentsKeyBook } from './keys/agents-key-book.ts';
import { FleetKeyBook } from './keys/fleet-key-book.ts';
import { type MasterMetrics, masterMetrics } from './master-metrics.ts';
import type { Keyring, MasterIdentity, MasterPorts, PeelIssuer, SourcePlaces } from './master-ports.ts';
import { type MasterSettings, masterSettings } from './master-settings.ts';
import { type ReturnWriter, returnWriter } from './returns/return-writer.ts';
import { Strangers } from './returns/strangers.ts';
import { AgreedTime } from './store/agreed-time.ts';
import { notingBus, StoreMarks } from './store/store-marks.ts';

import { OwnSign } from './takeover/own-sign.ts';

export interface MasterContext {
  readonly bus: Bus;
  readonly runtime: Runtime;
  readonly issuer: PeelIssuer;
  readonly keys: Keyring;
  /** The same, for whoever rotates them. */
  readonly fleetKeys: FleetKeyBook;
  /** What credentials of peels are signed with. */
  readonly agentsKeys: AgentsKeyBook;
  readonly identity: MasterIdentity;
  readonly system: System;
  readonly sources: SourcePlaces;
  readonly settings: MasterSettings;
  readonly metrics: MasterMetrics;
  readonly jobs: Table<Jid, Job>;
  /** The index of those that are not finished. */
  readonly activeJobs: Table<Jid, ActiveJobEntry>;
  /** One row for each target of a job. */
  readonly rows: Table<RowId, Row>;
  readonly isProcessGone: (pid: number) => boolean;
  readonly certificates: CertificateVerdicts;
  /** Whoever opens a secret teaches it: what it knows is hidden in logs. */
  readonly secretBook: SecretBook;
  /** How far the streams of jobs had come when they last acknowledged a write of ours. */
  readonly storeMarks: StoreMarks;
  /** By it old records go. */
  readonly agreedTime: AgreedTime;
  /** When others last saw that we live. */
  readonly sign: OwnSign;
  /** Aborted when the master gives up what is still going on: at the end of its stop. */
  readonly life: AbortSignal;
  /** Who may join and who is shut out: read before anything that peels say. */
  readonly enrollments: EnrollmentWatch;
  /** Opens and seals what operators say in facts. */
  readonly operatorFacts: OperatorFacts;
  /** The facts of all peels, and the keys under which commands are proven to them. */
  readonly facts: FactWatch;
  readonly presence: Presence;
  /** Puts requests on the wire. */
  readonly sender: CommandSender;
  /** Writes the rows of all jobs. */
  readonly writer: ReturnWriter;
  /** Peels that send what nobody asked them for. */
  readonly strangers: Strangers;
  /** The account documents that every NATS server must have: call `settle` after a change of who is shut out. */
  readonly accounts: AccountKeeper;
  /** For readings of stream job-events: after a reconnect every job wants one. */
  readonly readings: Semaphore;
  now(): UnixNanos;
}

const READINGS_AT_A_TIME = 8;

/** What is heard of peels. */
export interface PeelNews {
  /** A peel has come (back), or can be sent proofs from now on. */
  readonly appeared: (peel: PeelId) => void;
  /** A peel has a curve key that it did not have before. */
  readonly keyed: (peel: PeelId) => void;
  /** A peel has told its facts. */
  readonly factsSeen: (peel: PeelId) => void;
  /** A peel that is shut out has written something. */
  readonly shutOutSeen: (peel: PeelId) => void;
  /** Operators may say something else of a peel, or of another machine under its id. */
  readonly wordsChanged: (peel: PeelId) => void;
}

export function masterContext(
  ports: MasterPorts,
  life: AbortSignal,
  { appeared, keyed, factsSeen, shutOutSeen, wordsChanged }: PeelNews,
): MasterContext {
  const { runtime, identity, trust, issuer, system, sources, isProcessGone } = ports;
  const storeMarks = new StoreMarks();
  const bus = notingBus(ports.bus, storeMarks);
  const fleetKeys = new FleetKeyBook(trust, runtime.clock);
  const ownRuntime = { ...runtime, log: runtime.log.with({ master: identity.masterId }) };
  const ground = {
    bus,
    runtime: ownRuntime,
    issuer,
    keys: fleetKeys,
    fleetKeys,
    agentsKeys: new AgentsKeyBook(issuer.signingKey, trust.vault),
    identity,
    system,
    sources,
    isProcessGone,
    certificates: new CertificateVerdicts(),
    secretBook: ports.secretBook ?? new SecretBook(),
    storeMarks,
    agreedTime: new AgreedTime({ bus, runtime: ownRuntime }),
    sign: new OwnSign(runtime.clock),
    settings: masterSettings(ports.settings),
    metrics: ports.metrics ?? masterMetrics(new Metrics()),
    jobs: openTable(bus, TABLES.jobs),
    activeJobs: openTable(bus, TABLES.activeJobs),
    rows: openTable(bus, TABLES.rows),
    life,
    now: () => nanosFromMs(runtime.clock.nowMs()),
  };
  const operatorFacts = new OperatorFacts(ground);
  const enrollments = new EnrollmentWatch({ ...ground, operatorFacts });
  const known = { ...ground, operatorFacts, enrollments };
  const facts = factWatch(known, {
    keyed: (peel) => {
      appeared(peel);
      keyed(peel);
    },
    factsSeen,
    shutOutSeen,
    wordsChanged,
  });
  const presence = peelPresence(known, { appeared, shutOutSeen });
  return {
    ...known,
    facts,
    presence,
    sender: commandSender(ground, { curveKeyOf: facts.curveKeyOf, generationOf: presence.generationOf }),
    writer: returnWriter(ground),
    strangers: new Strangers(ground),
    accounts: ports.accounts === undefined ? noAccountKeeper(ground) : accountKeeper(ground, ports.accounts),
    readings: new Semaphore(READINGS_AT_A_TIME),
  };
}
