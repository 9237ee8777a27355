import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import { MemoryServer } from '../../../src/bus/memory/memory-server.ts';
import type { AgentBus } from '../../../src/bus/port.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { describeBus } from './describe-bus.ts';

describeBus('memory bus', async () => {
  const server = new MemoryServer({ clock: systemClock, random: seededRandom(7) });
  const open: AgentBus[] = [];
  const connected = async <B extends AgentBus>(bus: B): Promise<B> => {
    open.push(bus);
    await bus.connected();
    return bus;
  };
  let masters = 0;
  return {
    master: (wrap = (connection) => connection) =>
      connected(openBus(wrap(server.connect({ role: 'master', name: `m${masters++}` })), testRuntime)),
    peel: (id) => connected(openAgentBus(server.connect({ role: 'peel', name: id }), testRuntime)),
    killServer: async () => server.stop(),
    startServer: async () => server.start(),
    expectDenials: () => undefined,
    close: async () => void (await Promise.all(open.map((bus) => bus.close()))),
  };
});
