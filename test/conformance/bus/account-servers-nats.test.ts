import { systemClock } from '../../../src/runtime/system-clock.ts';
import { mintPeelUser } from '../../../src/trust/accounts/users.ts';
import { TrustedNats } from '../../harness/servers/trusted-nats.ts';
import { describeAccountServers } from './describe-account-servers.ts';

const HOUR_MS = 3_600_000;

describeAccountServers('account servers of a real nats-server', async () => {
  const trust = new TrustedNats();
  const server = await trust.startServer();
  const { topology } = trust;
  return {
    topology,
    system: () => trust.connect([server.url], 'sys', 'sys'),
    peel(name, key) {
      const nowMs = systemClock.nowMs();
      const jwt = mintPeelUser(topology.agentsSigning, {
        agentsAccount: topology.public.agents.publicKey,
        peelId: name,
        userPublicKey: key.publicKey,
        nowMs,
        expiresAtMs: nowMs + HOUR_MS,
      });
      return trust.connect([server.url], 'peel', name, { jwt, key });
    },
    restart: () => server.restart(),
    close: () => server.stop(),
  };
});
