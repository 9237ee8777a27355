/** A connection is told of other addresses: before it ever got through, and after its servers have gone elsewhere. */
import { describe, expect, it } from 'vitest';
import { connectNats } from '../../../src/bus/nats/nats-connection.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

describe('other addresses of the servers', () => {
  const trust = new TrustedNats();
  const creds = trust.creds('admin', 'admin');

  it('are used at the next try, and subscriptions live on', async () => {
    const [first, second] = [await trust.startServer(), await trust.startServer()];
    const connection = connectNats({
      servers: ['tls://127.0.0.1:1'],
      name: 'test',
      inboxName: 'admin',
      authenticator: natsAuthenticator(() => creds),
      caFile: trust.caFile,
      runtime: testRuntime,
    });
    const heard: string[] = [];
    connection.subscribe(
      `${connection.inbox}.x`,
      undefined,
      ({ data }) => void heard.push(Buffer.from(data).toString()),
    );
    const connected = () => until(() => connection.status() === 'connected', 'the connection', 20_000);
    await until(() => connection.failure() !== undefined, 'a first try to fail');
    connection.useServers([first.url]);
    await connected();
    const before = connection.server()?.name;
    await first.stop();
    await until(() => connection.status() !== 'connected', 'the server to be gone');
    connection.useServers([second.url]);
    await connected();
    expect(connection.server()?.name).not.toBe(before);
    connection.publish(`${connection.inbox}.x`, Buffer.from('still'));
    await until(() => heard.includes('still'), 'the subscription to live on');
    expect(() => connection.useServers(['nats://127.0.0.1:4222'])).toThrow('nats://127.0.0.1:4222');
    await connection.close();
    await second.stop();
  }, 60_000);
});
