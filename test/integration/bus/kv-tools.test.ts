/** Buckets as other programs see them: what NATS's own library reads with an admin's rights, `nats kv` reads too. */
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import { openBus } from '../../../src/bus/bus.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { newMasterId } from '../../../src/master/master-ports.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { ALL_BUCKETS, BUCKETS } from '../../../src/wire/names/buckets.ts';
import { masterHeartbeatCodec } from '../../../src/wire/records/heartbeat.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';

const trust = new TrustedNats();
let master: Bus;
let tool: NatsConnection;

beforeAll(async () => {
  const server = await trust.startServer();
  master = openBus(trust.connect([server.url], 'master', 'master'), testRuntime);
  await master.connected();
  await ensureAssets(master, { buckets: ALL_BUCKETS, streams: [], objectStores: [] }, 1);
  const creds = trust.creds('admin', 'operator');
  tool = await connect({
    servers: server.url,
    authenticator: natsAuthenticator(() => creds),
    tls: { caFile: trust.caFile },
  });
}, 60_000);
afterAll(async () => {
  await tool.close();
  await master.close();
});

describe('the buckets for tools of NATS', () => {
  it('have the life and the history that the contract says', async () => {
    const kvm = new Kvm(jetstream(tool));
    for (const { name, ttlMs, history } of ALL_BUCKETS) {
      const status = await (await kvm.open(name)).status();
      expect([name, status.ttl, status.history]).toEqual([name, ttlMs, history]);
    }
  });

  it('list the masters that are alive, and show what each says of itself', async () => {
    const beat = { masterId: newMasterId(testRuntime), timestamp: 1_700_000_000_000_000_000n, jobs: 3 };
    const value = masterHeartbeatCodec.encode(masterHeartbeatCodec.create(beat));
    await master.bucket(BUCKETS.masterHeartbeat.name).put(beat.masterId, value);
    const heartbeats = await new Kvm(jetstream(tool)).open(BUCKETS.masterHeartbeat.name);
    const keys: string[] = [];
    for await (const key of await heartbeats.keys()) keys.push(key);
    expect(keys).toEqual([beat.masterId]);
    const entry = await heartbeats.get(beat.masterId);
    expect(masterHeartbeatCodec.decode(entry?.value ?? new Uint8Array())).toMatchObject(beat);
  });
});
