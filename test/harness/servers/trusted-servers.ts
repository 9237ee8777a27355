/**
 * This file starts servers as production has them, for whoever holds the trust of a deployment: operator mode, TLS 1.3,
 * JetStream.
 */
import { join } from 'node:path';
import type { PublicTrust } from '../../../src/trust/accounts/topology.ts';
import { renderServerConfig, type ServerConfig, type TlsFiles } from '../../../src/trust/server-config.ts';
import { type ClusterOptions, startCluster, type TestCluster } from './nats-cluster.ts';
import { startNatsServer, type TestServer, type TestServerPlace } from './nats-server.ts';

export interface ServerTrust {
  readonly trust: PublicTrust;
  readonly tls: TlsFiles;
}

/** `always`: every write is on disk before it is acknowledged. */
export type SyncInterval = ServerConfig['jetstream']['syncInterval'];

export interface TrustedServerOptions {
  readonly syncInterval?: SyncInterval;
  /** Stays when the server is stopped; otherwise a temporary one goes away with it. */
  readonly dir?: string;
  readonly limits?: ServerConfig['limits'];
}

export function startTrustedServer(
  trust: ServerTrust,
  { syncInterval = 'default', dir, limits = {} }: TrustedServerOptions = {},
): Promise<TestServer> {
  const config = (place: TestServerPlace) =>
    renderServerConfig({ ...serverConfig(trust, place, syncInterval), limits });
  return startNatsServer({ config, ...(dir === undefined ? {} : { dir }) });
}

export function startTrustedCluster(
  trust: ServerTrust,
  options: Pick<ClusterOptions, 'absent' | 'until'> = {},
): Promise<TestCluster> {
  return startCluster({
    ...options,
    renderConfig: (place) =>
      renderServerConfig({
        ...serverConfig(trust, place),
        cluster: {
          name: 'test',
          listen: { host: '127.0.0.1', port: place.clusterPort },
          routes: place.routes.map((route) => ({ host: '127.0.0.1', port: Number(new URL(route).port) })),
        },
      }),
  });
}

function serverConfig(
  { trust, tls }: ServerTrust,
  place: TestServerPlace,
  syncInterval: SyncInterval = 'default',
): ServerConfig {
  return {
    serverName: place.name,
    listen: { host: '127.0.0.1', port: place.port },
    tls,
    trust,
    resolverDir: join(place.dir, 'jwt'),
    jetstream: { storeDir: place.storeDir, syncInterval },
  };
}
