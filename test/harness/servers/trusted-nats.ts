/**
 * `TrustedNats` is real nats-servers as production has them: operator mode, two accounts, TLS 1.3 under an own CA. One
 * deployment's trust, any number of servers, connections of every role.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Connection } from '../../../src/bus/connection.ts';
import { connectNats } from '../../../src/bus/nats/nats-connection.ts';
import type { PeelIssuer } from '../../../src/master/master-ports.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { newTopology, type Topology } from '../../../src/trust/accounts/topology.ts';
import { mintPeelUser, mintTrustedUser } from '../../../src/trust/accounts/users.ts';
import type { Creds } from '../../../src/trust/creds.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { newSigningKey, type SigningKey } from '../../../src/trust/nkeys.ts';
import { issueLeaf, newCa, openCa } from '../../../src/trust/x509/ca.ts';
import { ADMIN_GRANT, MASTER_GRANT, SYS_GRANT } from '../../../src/wire/names/grants.ts';
import type { TestCluster } from './nats-cluster.ts';
import type { TestServer } from './nats-server.ts';
import {
  type ServerTrust,
  type SyncInterval,
  startTrustedCluster,
  startTrustedServer,
} from './trusted-servers.ts';

export type TestRole = 'master' | 'admin' | 'peel' | 'sys';

const HOUR_MS = 3_600_000;

export const testRuntime: Runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: testLogLevel() }),
};

function testLogLevel(): 'debug' | 'error' {
  return process.env.ZESTER_TEST_LOG === 'debug' ? 'debug' : 'error';
}

export class TrustedNats {
  readonly topology: Topology;
  readonly caFile: string;
  private readonly dir = mkdtempSync(join(tmpdir(), 'zester-trust-'));

  constructor(topology = newTopology(systemRandom, systemClock.nowMs())) {
    this.topology = topology;
    const nowMs = systemClock.nowMs();
    const { root, intermediate } = newCa(systemRandom, nowMs);
    const files = {
      rootPem: root.certificatePem,
      intermediatePem: intermediate.certificatePem,
      intermediateKeyPem: intermediate.keyPem,
    };
    const names = ['localhost', '127.0.0.1', '::1'];
    const leaf = issueLeaf(openCa(files, this.dir), { names, validMs: HOUR_MS }, systemRandom, nowMs);
    this.caFile = join(this.dir, 'ca.crt');
    writeFileSync(this.caFile, files.rootPem);
    writeFileSync(join(this.dir, 'server.crt'), leaf.chainPem);
    writeFileSync(join(this.dir, 'server.key'), leaf.keyPem, { mode: 0o600 });
    afterAll(() => rmSync(this.dir, { recursive: true, force: true }));
  }

  startServer(syncInterval: SyncInterval = 'default'): Promise<TestServer> {
    return startTrustedServer(this.serverTrust, { syncInterval });
  }

  startCluster(): Promise<TestCluster> {
    return startTrustedCluster(this.serverTrust);
  }

  /** What masters make credentials of peels with. */
  issuer(): PeelIssuer {
    const { agentsSigning: signingKey } = this.topology;
    return { agentsAccount: this.topology.public.agents.publicKey, signingKey, caPin: undefined };
  }

  creds(role: TestRole, name: string): Pick<Creds, 'jwt' | 'key'> {
    const key = newSigningKey('user', systemRandom);
    if (role === 'peel') return { jwt: this.peelJwt(name, key), key };
    const nowMs = systemClock.nowMs();
    const { control, systemSigning } = this.topology;
    const permissions = { master: MASTER_GRANT, admin: ADMIN_GRANT, sys: SYS_GRANT }[role];
    const user = { name, userPublicKey: key.publicKey, permissions, nowMs };
    const account = this.topology.public.system.publicKey;
    return {
      jwt:
        role === 'sys'
          ? mintTrustedUser(systemSigning, { ...user, account })
          : mintTrustedUser(control, user),
      key,
    };
  }

  peelJwt(peelId: string, { publicKey: userPublicKey }: Pick<SigningKey, 'publicKey'>): string {
    const { agentsSigning } = this.topology;
    const agentsAccount = this.topology.public.agents.publicKey;
    const nowMs = systemClock.nowMs();
    return mintPeelUser(agentsSigning, {
      ...{ agentsAccount, peelId, userPublicKey, nowMs, expiresAtMs: nowMs + HOUR_MS },
    });
  }

  connect(urls: readonly string[], role: TestRole, name: string, creds = this.creds(role, name)): Connection {
    return connectNats({
      servers: urls,
      name: `test-${name}`,
      inboxName: role === 'peel' ? name : role,
      authenticator: natsAuthenticator(() => creds),
      caFile: this.caFile,
      runtime: testRuntime,
    });
  }

  get serverTrust(): ServerTrust {
    const tls = {
      certificateFile: join(this.dir, 'server.crt'),
      keyFile: join(this.dir, 'server.key'),
      caFile: this.caFile,
    };
    return { trust: this.topology.public, tls };
  }
}
