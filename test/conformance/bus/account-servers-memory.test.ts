import { MemoryServer } from '../../../src/bus/memory/memory-server.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { accountReader } from '../../../src/sim/enroll/account-book.ts';
import { newTopology } from '../../../src/trust/accounts/topology.ts';
import { describeAccountServers } from './describe-account-servers.ts';

describeAccountServers('account servers of the memory server', async () => {
  const topology = newTopology(seededRandom(3), systemClock.nowMs());
  const readAccount = accountReader(topology.operatorSigning);
  const server = new MemoryServer({ clock: systemClock, random: seededRandom(7), readAccount });
  const { control, agents, system } = topology.public;
  for (const { jwt } of [control, agents, system]) server.preload(jwt);
  return {
    topology,
    system: () => server.connect({ role: 'system', name: 'sys' }),
    peel: (name, key) =>
      server.connect({
        role: 'peel',
        name,
        key: key.publicKey,
        issuedAtS: Math.floor(systemClock.nowMs() / 1_000),
      }),
    async restart() {
      server.stop();
      server.start();
    },
    close: async () => undefined,
  };
});
