import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import type { AgentBus } from '../../../src/bus/port.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { describeBus } from './describe-bus.ts';

describeBus('bus on a real nats-server', async () => {
  const trust = new TrustedNats();
  const server = await trust.startServer();
  const open: AgentBus[] = [];
  const connected = async <B extends AgentBus>(bus: B): Promise<B> => {
    open.push(bus);
    await bus.connected();
    return bus;
  };
  return {
    master: (wrap = (connection) => connection) =>
      connected(openBus(wrap(trust.connect([server.url], 'master', 'master')), testRuntime)),
    peel: (id) => connected(openAgentBus(trust.connect([server.url], 'peel', id), testRuntime)),
    killServer: () => server.kill9(),
    startServer: () => server.restart(),
    expectDenials: () => server.expectViolation(/violation/i),
    close: async () => {
      await Promise.all(open.map((bus) => bus.close()));
      await server.stop();
    },
  };
});
