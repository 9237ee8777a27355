/** What every part of a master works with. */
import type { Bucket, Bus } from '../bus/port.ts';
import { Metrics } from '../daemon/metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { CertificateVerdicts } from '../trust/certificate-verdicts.ts';
import { nanosFromMs, type UnixNanos } from '../wire/msgpack/time.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import { type MasterMetrics, masterMetrics } from './master-metrics.ts';
import type { MasterIdentity, MasterKeys, MasterPorts } from './master-ports.ts';
import { type MasterSettings, masterSettings } from './master-settings.ts';
import { notingBus, StoreMarks } from './store/store-marks.ts';
import { OwnSign } from './takeover/own-sign.ts';

export interface MasterContext {
  readonly bus: Bus;
  readonly runtime: Runtime;
  readonly keys: MasterKeys;
  readonly identity: MasterIdentity;
  readonly settings: MasterSettings;
  readonly metrics: MasterMetrics;
  /** Records of jobs, and the index of those that are not finished. */
  readonly jobs: Bucket;
  /** `job-returns`: one row for each target of a job. */
  readonly rows: Bucket;
  readonly isProcessGone: (pid: number) => boolean;
  readonly certificates: CertificateVerdicts;
  /** How far the streams of jobs had come when they last acknowledged a write of ours. */
  readonly storeMarks: StoreMarks;
  /** When others last saw that we live. */
  readonly sign: OwnSign;
  /** Aborted when the master gives up what is still going on: at the end of its stop. */
  readonly life: AbortSignal;
  now(): UnixNanos;
}

export function masterContext(ports: MasterPorts, life: AbortSignal): MasterContext {
  const { runtime, identity, trust, isProcessGone } = ports;
  const storeMarks = new StoreMarks();
  const bus = notingBus(ports.bus, storeMarks);
  return {
    bus,
    runtime: { ...runtime, log: runtime.log.with({ master: identity.masterId }) },
    keys: trust,
    identity,
    isProcessGone,
    certificates: new CertificateVerdicts(),
    storeMarks,
    sign: new OwnSign(runtime.clock),
    settings: masterSettings(ports.settings),
    metrics: ports.metrics ?? masterMetrics(new Metrics()),
    jobs: bus.bucket(BUCKETS.jobs.name),
    rows: bus.bucket(BUCKETS.jobReturns.name),
    life,
    now: () => nanosFromMs(runtime.clock.nowMs()),
  };
}
