/**
 * A deployed cluster is a cluster of three as somebody deployed it: an auth directory with every key and credential,
 * and programs that use it.
 */
import { join } from 'node:path';
import { openBus } from '../../../src/bus/bus.ts';
import type { Connection } from '../../../src/bus/connection.ts';
import { connectNats } from '../../../src/bus/nats/nats-connection.ts';
import type { Bus } from '../../../src/bus/port.ts';
import type { Finding } from '../../../src/core/doctor/finding.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { credsPath, initAuthDir, loadCreds, loadPublicTrust } from '../../../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { issueLeaf } from '../../../src/trust/x509/ca.ts';
import { initCaDir, rootPath, writeLeaf } from '../../../src/trust/x509/ca-dir.ts';
import { scratchDir, zester } from '../programs/program.ts';
import type { ClusterOptions, TestCluster } from './nats-cluster.ts';
import { testRuntime } from './trusted-nats.ts';
import { startTrustedCluster } from './trusted-servers.ts';

const HOUR_MS = 3_600_000;

export interface DoctorSaid {
  readonly code: number | null;
  of(check: string): Finding | undefined;
}

export class DeployedCluster {
  readonly authDir: string;
  readonly cluster: TestCluster;
  private readonly open: Bus[] = [];

  static async start(options: Pick<ClusterOptions, 'absent' | 'until'> = {}): Promise<DeployedCluster> {
    const authDir = join(scratchDir(), 'auth');
    const nowMs = systemClock.nowMs();
    initAuthDir(authDir, systemRandom, nowMs, { adminOperator: 'test', force: false });
    const ca = initCaDir(authDir, systemRandom, nowMs, { force: false });
    const leaf = issueLeaf(ca, { names: ['localhost', '127.0.0.1'], validMs: HOUR_MS }, systemRandom, nowMs);
    writeLeaf(authDir, 'nats', leaf, { force: false });
    const tls = {
      certificateFile: join(authDir, 'nats.crt'),
      keyFile: join(authDir, 'nats.key'),
      caFile: rootPath(authDir),
    };
    const cluster = await startTrustedCluster({ trust: loadPublicTrust(authDir), tls }, options);
    return new DeployedCluster(authDir, cluster);
  }

  private constructor(authDir: string, cluster: TestCluster) {
    this.authDir = authDir;
    this.cluster = cluster;
  }

  connect(role: 'master' | 'system'): Connection {
    return connectNats({
      servers: this.cluster.urls,
      name: 'test',
      inboxName: role,
      authenticator: natsAuthenticator(() => loadCreds(credsPath(this.authDir, role))),
      caFile: rootPath(this.authDir),
      runtime: testRuntime,
    });
  }

  async bus(role: 'master' | 'system'): Promise<Bus> {
    const bus = openBus(this.connect(role), testRuntime);
    this.open.push(bus);
    await bus.connected();
    return bus;
  }

  /** Options that lead a program here. */
  get place(): string[] {
    return ['--nats-url', this.cluster.urls.join(','), '--auth-dir', this.authDir, '--format', 'json'];
  }

  async doctor(): Promise<DoctorSaid> {
    const { code, out, err } = await zester(['doctor', ...this.place]);
    if (err !== '') throw new Error(`doctor: ${err}`);
    const findings = JSON.parse(out) as Finding[];
    return { code, of: (check) => findings.find((finding) => finding.check === check) };
  }

  async stop(): Promise<void> {
    await Promise.all(this.open.map((bus) => bus.close()));
    await this.cluster.stop();
  }
}
