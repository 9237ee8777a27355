/**
 * `ClusterGrowth` is a deployed cluster and one master that looks after its copies twice a second: for clusters that
 * are not whole yet.
 */

import type { Connection } from '../../../src/bus/connection.ts';
import { inspectAssets } from '../../../src/bus/inspect-assets.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { readServerSettings } from '../../../src/bus/server-settings.ts';
import { type ClusterShape, clusterShape, serverCount } from '../../../src/core/cluster-shape.ts';
import type { Verdict } from '../../../src/core/doctor/finding.ts';
import { masterKeysOf, newMasterId } from '../../../src/master/master-ports.ts';
import { type Master, startMaster } from '../../../src/master/start-master.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { loadMasterTrust } from '../../../src/trust/auth-dir.ts';
import { ALL_BUCKETS } from '../../../src/wire/names/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../../../src/wire/names/streams.ts';
import type { LogLine } from '../log-line.ts';
import { bareMachine } from '../master/bare-machine.ts';
import { until } from '../until.ts';
import type { DeployedCluster, DoctorSaid } from './deployed-cluster.ts';
import { testRuntime } from './trusted-nats.ts';

const ASSETS = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
const SETTLE_MS_MAX = 60_000;

export class ClusterGrowth {
  readonly lines: LogLine[] = [];
  readonly deployed: DeployedCluster;
  private readonly system: Connection;
  private bus: Bus | undefined;
  private master: Master | undefined;

  constructor(deployed: DeployedCluster) {
    this.deployed = deployed;
    this.system = deployed.connect('system');
  }

  async startMaster(): Promise<void> {
    const { deployed, lines } = this;
    this.bus = await deployed.bus('master');
    const write = (line: string) => void lines.push(JSON.parse(line));
    const runtime = { ...testRuntime, log: jsonLog({ clock: systemClock, write }) };
    const masterId = newMasterId(runtime);
    this.master = startMaster({
      ...bareMachine(systemClock),
      bus: this.bus,
      runtime,
      trust: masterKeysOf(loadMasterTrust(deployed.authDir).control),
      identity: { masterId, host: 'here', pid: process.pid, bootId: 'boot', version: '0.0.0' },
      isProcessGone: () => false,
      servers: async () => serverCount(await this.shape()),
      settings: { assetCheckMs: 500 },
    });
    await this.master.ready;
  }

  async shape(): Promise<ClusterShape> {
    return clusterShape(await readServerSettings(this.system, systemClock));
  }

  async copies(): Promise<string> {
    if (this.bus === undefined) return 'no master';
    const states = await inspectAssets(this.bus, ASSETS);
    return [...new Set(states.map(({ found }) => found?.replicas))].join();
  }

  get warnings(): LogLine[] {
    return this.lines.filter(({ msg }) => msg.startsWith('UNDER-REPLICATED'));
  }

  doctorSays(check: string, verdict: Verdict): Promise<DoctorSaid> {
    return eventually(`doctor to say ${verdict} of ${check}`, async () => {
      const said = await this.deployed.doctor();
      return said.of(check)?.verdict === verdict ? said : undefined;
    });
  }

  async close(): Promise<void> {
    await this.master?.stop();
    await this.system.close();
    await this.deployed.stop();
  }
}

/** For what a cluster does in its own time. */
export function eventually<T>(what: string, condition: () => Promise<T | undefined>): Promise<T> {
  return until(condition, what, SETTLE_MS_MAX);
}
