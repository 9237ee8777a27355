/**
 * This file keeps the NATS servers of a local fleet running: one, or a cluster of three whose servers check each other's
 * certificates. Each has a directory, a supervisor and a lock of its own (start-embedded-server.ts); this file starts
 * them in an order in which they come together, and stops them all.
 *
 * A server that ends is started again on its port. One that cannot be kept running is told, and the fleet goes on while
 * more than half of them are; then `gaveUp` tells why it cannot.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../bus/connection.ts';
import { startEmbeddedServer } from '../nats-server/start-embedded-server.ts';
import type { EmbeddedServer } from '../nats-server/supervisor.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { PublicTrust } from '../trust/accounts/topology.ts';
import { renderServerConfig, type ServerConfig, type TlsFiles } from '../trust/server-config.ts';
import type { FleetEvent } from './fleet-event.ts';
import { hasLeader, isWhole, leftOut, whenGroup } from './meta-group.ts';
import { type ServerPlace, serverPlaces, settleRoutePorts } from './server-places.ts';

export interface LocalServer {
  readonly name: string;
  readonly url: string;
  /** Changes when the server is restarted. */
  readonly pid: number;
  readonly version: string;
  /** It was running already, left behind by an `up` that was killed. */
  readonly adopted: boolean;
  readonly logFile: string;
}

export interface LocalServers {
  readonly all: readonly LocalServer[];
  /** Called whenever a process id has changed. */
  onRestart(listener: () => void): void;
  /** Resolves with the reason when too few servers can be kept running. */
  readonly gaveUp: Promise<Error>;
  /** They read their certificates again; connections stay. */
  reload(): void;
  stop(): Promise<void>;
}

export interface LocalServersOptions {
  readonly count: number;
  readonly binary: string;
  /** The directory as a person can write it, for messages. */
  readonly knownAs: string;
  readonly tls: TlsFiles;
  readonly trust: PublicTrust;
  readonly syncInterval: 'always' | 'default';
  readonly runtime: Runtime;
  readonly onEvent: (event: FleetEvent) => void;
  readonly signal: AbortSignal;
  /** In the system account, to ask servers how they stand to each other. */
  readonly connectAsSystem: (urls: readonly string[]) => Connection;
}

const HOST = '127.0.0.1';
/** Members of a new group find each other within a second or two. */
const JOIN_MS_MAX = 10_000;
const TOGETHER_MS_MAX = 30_000;
/** Single servers have had this name from the start. */
const SINGLE_NAME = 'zester-local';
const CLUSTER_NAME = 'zester-local';

/** All of them, or none and the first error. */
export async function startLocalServers(dir: string, options: LocalServersOptions): Promise<LocalServers> {
  const places = serverPlaces(dir, options.count);
  const started: Started[] = [];
  const stop = async () => void (await Promise.all(started.map(({ server }) => server.stop())));
  try {
    if (places.length === 1) await startEach(started, places, options, () => undefined);
    else await startCluster(dir, started, places, options);
    return {
      all: started.map(localServer),
      onRestart: onRestart(started),
      gaveUp: gaveUp(started, options),
      reload() {
        for (const { server } of started) server.reload();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Started {
  readonly name: string;
  readonly server: EmbeddedServer;
}

async function startCluster(
  dir: string,
  started: Started[],
  places: readonly ServerPlace[],
  options: LocalServersOptions,
): Promise<void> {
  const { runtime, signal, onEvent } = options;
  const ports = await settleRoutePorts(dir, places.length);
  const clusterOf = (place: ServerPlace) => ({
    name: CLUSTER_NAME,
    listen: { host: HOST, port: ports[places.indexOf(place)] ?? 0 },
    routes: ports.filter((_, i) => i !== places.indexOf(place)).map((port) => ({ host: HOST, port })),
  });
  await startEach(started, places.slice(0, -1), options, clusterOf);
  const system = options.connectAsSystem(started.map(({ server }) => server.url));
  try {
    // Why a new one waits: meta-group.ts. If the others find no leader, it may be what they lack.
    const last = places.slice(-1);
    if (!last.every(hasStore))
      await whenGroup(
        system,
        runtime.clock,
        { servers: started.length, msMax: TOGETHER_MS_MAX, isThere: hasLeader },
        signal,
      );
    await startEach(started, last, options, clusterOf);
    if (!(await cameTogether(system, started, options)))
      onEvent({ kind: 'servers-apart', count: places.length });
  } finally {
    await system.close();
  }
}

/** A server that is left out (meta-group.ts) is started again once: that takes it in. */
async function cameTogether(
  system: Connection,
  started: readonly Started[],
  { runtime, signal }: LocalServersOptions,
): Promise<boolean> {
  const wanted = { servers: started.length, isThere: isWhole };
  const look = (msMax: number) => whenGroup(system, runtime.clock, { ...wanted, msMax }, signal);
  const { isThere, views } = await look(JOIN_MS_MAX);
  if (isThere) return true;
  const names = leftOut(views);
  for (const { name, server } of started) {
    if (!names.includes(name)) continue;
    runtime.log.warn('a NATS server was left out of the meta group; it is started again', { name });
    await server.restart();
  }
  return (await look(TOGETHER_MS_MAX)).isThere;
}

function hasStore(place: ServerPlace): boolean {
  return existsSync(join(place.dir, 'store'));
}

async function startEach(
  started: Started[],
  places: readonly ServerPlace[],
  options: LocalServersOptions,
  clusterOf: (place: ServerPlace) => ServerConfig['cluster'],
): Promise<void> {
  const { binary, knownAs, runtime, signal, tls, trust, syncInterval, count } = options;
  for (const place of places) {
    const cluster = clusterOf(place);
    const server = await startEmbeddedServer({
      dir: place.dir,
      knownAs,
      binary,
      runtime,
      signal,
      renderConfig: ({ port, storeDir }) =>
        renderServerConfig({
          serverName: count === 1 ? SINGLE_NAME : place.name,
          listen: { host: HOST, port },
          tls,
          trust,
          resolverDir: join(storeDir, '..', 'accounts'),
          jetstream: { storeDir, syncInterval },
          ...(cluster === undefined ? {} : { cluster }),
        }),
    });
    started.push({ name: place.name, server });
  }
}

function localServer({ name, server }: Started): LocalServer {
  return {
    name,
    url: server.url,
    get pid() {
      return server.pid;
    },
    version: server.version,
    adopted: server.adopted,
    logFile: server.logFile,
  };
}

function onRestart(started: readonly Started[]): (listener: () => void) => void {
  return (listener) => {
    for (const { server } of started) server.onRestart(() => listener());
  };
}

function gaveUp(started: readonly Started[], { onEvent, count }: LocalServersOptions): Promise<Error> {
  let running = count;
  return new Promise((resolve) => {
    for (const { name, server } of started) {
      void server.gaveUp.then((error) => {
        running -= 1;
        if (running <= count / 2) return resolve(error);
        onEvent({ kind: 'server-lost', name, error });
      });
    }
  });
}
