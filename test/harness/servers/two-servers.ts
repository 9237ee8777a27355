/** This file puts the real server and the memory server behind one face, for tests of what both must allow and refuse. */
import type { Connection } from '../../../src/bus/connection.ts';
import { MemoryServer } from '../../../src/bus/memory/memory-server.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { until } from '../until.ts';
import { TrustedNats } from './trusted-nats.ts';

export interface ServerUnderTest {
  connect(role: 'master' | 'admin' | 'peel', name: string): Promise<Connection>;
  stop(): Promise<void>;
}

export const SERVERS_UNDER_TEST: readonly [name: string, start: () => Promise<ServerUnderTest>][] = [
  ['a real nats-server', startReal],
  ['the memory server', startMemory],
];

async function startReal(): Promise<ServerUnderTest> {
  const trust = new TrustedNats();
  const server = await trust.startServer();
  server.expectViolation(/violation/i);
  const open: Connection[] = [];
  return {
    async connect(role, name) {
      const connection = trust.connect([server.url], role, name);
      open.push(connection);
      await until(() => connection.status() === 'connected', `${name} to connect`);
      return connection;
    },
    async stop() {
      await Promise.all(open.map((connection) => connection.close()));
      await server.stop();
    },
  };
}

async function startMemory(): Promise<ServerUnderTest> {
  const server = new MemoryServer({ clock: systemClock, random: seededRandom(3) });
  const open: Connection[] = [];
  return {
    async connect(role, name) {
      const connection = server.connect({ role, name });
      open.push(connection);
      await until(() => connection.status() === 'connected', `${name} to connect`);
      return connection;
    },
    stop: async () => void (await Promise.all(open.map((connection) => connection.close()))),
  };
}
