/** A bare user is a user of the control account who may do everything: for baselines, with the bare client library. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { mintTrustedUser } from '../src/trust/accounts/users.ts';
import { loadMasterTrust } from '../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../src/trust/nats-authenticator.ts';
import { newSigningKey } from '../src/trust/nkeys.ts';
import { rootPath } from '../src/trust/x509/ca-dir.ts';

export function bareUser(url: string, authDir: string): () => Promise<NatsConnection> {
  const { control } = loadMasterTrust(authDir);
  const key = newSigningKey('user', systemRandom);
  const jwt = mintTrustedUser(control, {
    name: 'bare',
    userPublicKey: key.publicKey,
    permissions: { pub: ['>'], sub: ['>'] },
    nowMs: systemClock.nowMs(),
  });
  return () =>
    connect({
      servers: url,
      tls: { caFile: rootPath(authDir) },
      authenticator: natsAuthenticator(() => ({ jwt, key })),
      // Thousands connect at once.
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      timeout: 20_000,
    });
}
