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
import { type CommandSender, commandSender } from './dispatch/command-sender.ts';
import { type FactWatch, factWatch } from './fleet/fact-watch.ts';
import { type Presence, peelPresence } from './fleet/presence.ts';
import { type MasterMetrics, masterMetrics } from './master-metrics.ts';
import type { MasterIdentity, MasterKeys, MasterPorts, SourcePlaces } from './master-ports.ts';
import { type MasterSettings, masterSettings } from './master-settings.ts';
import { type ReturnWriter, returnWriter } from './returns/return-writer.ts';
import { Strangers } from './returns/strangers.ts';
import { notingBus, StoreMarks } from './store/store-marks.ts';
import { OwnSign } from './takeover/own-sign.ts';

export interface MasterContext {
  readonly bus: Bus;
  readonly runtime: Runtime;
  readonly keys: MasterKeys;
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
  /** When others last saw that we live. */
  readonly sign: OwnSign;
  /** Aborted when the master gives up what is still going on: at the end of its stop. */
  readonly life: AbortSignal;
  /** The facts of all peels, and the keys under which commands are proven to them. */
  readonly facts: FactWatch;
  readonly presence: Presence;
  /** Puts requests on the wire. */
  readonly sender: CommandSender;
  /** Writes the rows of all jobs. */
  readonly writer: ReturnWriter;
  /** Peels that send what nobody asked them for. */
  readonly strangers: Strangers;
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
}

export function masterContext(
  ports: MasterPorts,
  life: AbortSignal,
  { appeared, keyed }: PeelNews,
): MasterContext {
  const { runtime, identity, trust, system, sources, isProcessGone } = ports;
  const storeMarks = new StoreMarks();
  const bus = notingBus(ports.bus, storeMarks);
  const ground = {
    bus,
    runtime: { ...runtime, log: runtime.log.with({ master: identity.masterId }) },
    keys: trust,
    identity,
    system,
    sources,
    isProcessGone,
    certificates: new CertificateVerdicts(),
    secretBook: ports.secretBook ?? new SecretBook(),
    storeMarks,
    sign: new OwnSign(runtime.clock),
    settings: masterSettings(ports.settings),
    metrics: ports.metrics ?? masterMetrics(new Metrics()),
    jobs: openTable(bus, TABLES.jobs),
    activeJobs: openTable(bus, TABLES.activeJobs),
    rows: openTable(bus, TABLES.rows),
    life,
    now: () => nanosFromMs(runtime.clock.nowMs()),
  };
  const facts = factWatch(ground, (peel) => {
    appeared(peel);
    keyed(peel);
  });
  return {
    ...ground,
    facts,
    presence: peelPresence(ground, appeared),
    sender: commandSender(ground, facts.curveKeyOf),
    writer: returnWriter(ground),
    strangers: new Strangers(ground),
    readings: new Semaphore(READINGS_AT_A_TIME),
  };
}
