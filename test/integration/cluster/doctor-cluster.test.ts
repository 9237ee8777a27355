/** The built `zester doctor` and `zester master list` on a real cluster of three, with what can be wrong there. */
import { copyFileSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { credsPath } from '../../../src/trust/auth-dir.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { ALL_BUCKETS, BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { Jid, MasterId } from '../../../src/wire/names/ids.ts';
import { streamInfoSubject, streamUpdateSubject } from '../../../src/wire/names/jetstream.ts';
import { activeJobKey, PUBLISHER_LEASE_KEY } from '../../../src/wire/names/keys.ts';
import { kvStreamName } from '../../../src/wire/names/store-subjects.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../../../src/wire/names/streams.ts';
import { masterHeartbeatCodec } from '../../../src/wire/records/heartbeat.ts';
import { activeJobEntryCodec } from '../../../src/wire/records/job.ts';
import { zester } from '../../harness/programs/program.ts';
import { DeployedCluster } from '../../harness/servers/deployed-cluster.ts';
import type { TestCluster } from '../../harness/servers/nats-cluster.ts';
import { until } from '../../harness/until.ts';

const ASSETS = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const DEAD = 'master-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as MasterId;

describe('zester doctor on a cluster', () => {
  let deployed: DeployedCluster;
  let cluster: TestCluster;
  let master: Bus;

  beforeAll(async () => {
    deployed = await DeployedCluster.start();
    cluster = deployed.cluster;
    master = await deployed.bus('master');
  }, 120_000);
  afterAll(() => deployed.stop());

  const doctor = () => deployed.doctor();

  it('before the first master: three servers, nothing stored, no one there', async () => {
    const { code, of } = await doctor();
    expect(code).toBe(2);
    expect(of('nats')?.verdict).toBe('ok');
    expect(of('nats-version')).toMatchObject({
      verdict: 'ok',
      found: expect.stringContaining('(all servers)'),
    });
    expect(of('nats-servers')).toMatchObject({ verdict: 'ok', found: expect.stringMatching(/^3 servers: /) });
    expect(of('assets')).toMatchObject({ verdict: 'fail', fix: expect.stringContaining('start a master') });
    expect(of('masters')?.verdict).toBe('fail');
    expect(of('peels')?.found).toBe('no peel has ever been heard of');
    const listed = await zester(['master', 'list', ...deployed.place]);
    expect([listed.code, listed.out, JSON.parse(listed.err).error.code]).toEqual([
      1,
      '[]\n',
      'CLI_NO_MASTER',
    ]);
  });

  it('copies follow the cluster, or doctor says which do not', async () => {
    await ensureAssets(master, ASSETS, 1);
    const thin = await doctor();
    expect(thin.of('replicas')).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('with fewer than 3 copies on 3 servers'),
    });
    expect(thin.of('durability')).toMatchObject({
      verdict: 'warn',
      found: expect.stringMatching(/not the loss of its disk \(1 copy\), but a power cut .* the last 2m/),
      fix: expect.stringContaining('sync_interval: always'),
    });
    await ensureAssets(master, ASSETS, 3);
    const full = await until(
      async () => {
        const now = await doctor();
        return now.of('replicas')?.verdict === 'ok' ? now : undefined;
      },
      'the copies to be there',
      60_000,
    );
    expect(full.of('replicas')?.found).toBe(`3 copies of each of ${assetCount()} assets on 3 servers`);
    expect(full.of('assets')).toMatchObject({ verdict: 'ok', found: `${assetCount()} assets as declared` });
    expect(full.of('durability')?.found).toContain('the loss of 1 of 3 servers');
    expect(full.of('masters')).toMatchObject({
      verdict: 'fail',
      fix: expect.stringContaining('start a master'),
    });
    expect(full.code).toBe(2);
  }, 120_000);

  it('names a setting that somebody changed, and that it is unsafe', async () => {
    const stream = kvStreamName(BUCKETS.facts.name);
    const { config } = await master.api(streamInfoSubject(stream), {});
    await master.api(streamUpdateSubject(stream), { ...(config as object), allow_rollup_hdrs: true });
    const { of } = await doctor();
    expect(of('assets')).toMatchObject({
      verdict: 'fail',
      found: `unsafe settings: ${stream} (allow_rollup_hdrs); a peel could empty a bucket`,
    });
    await ensureAssets(master, ASSETS, 3);
    expect((await doctor()).of('assets')?.verdict).toBe('ok');
  });

  it('finds a clock that is off, and a job nobody watches', async () => {
    const beats = master.bucket(BUCKETS.masterHeartbeat.name);
    const id = 'master-2hPx1FNsSgJMqVn5bLSTXeBQMpA' as MasterId;
    // All of them expire: written anew before each program.
    const beatNow = async () => {
      const beat = masterHeartbeatCodec.create({
        masterId: id,
        timestamp: nanosFromMs(systemClock.nowMs() + 60_000),
        host: 'elsewhere',
        pid: 42,
        version: '9.9.9',
      });
      await beats.put(id, masterHeartbeatCodec.encode(beat));
      await master.bucket(BUCKETS.leases.name).put(PUBLISHER_LEASE_KEY, Buffer.from(id));
      await master.bucket(BUCKETS.peelHeartbeat.name).put('web-01', Buffer.from('nonsense'));
    };
    const entry = activeJobEntryCodec.encode({ owner: DEAD, updated: nanosFromMs(systemClock.nowMs()) });
    await master.bucket(BUCKETS.jobs.name).put(activeJobKey(JID), entry);

    await beatNow();
    const listed = await zester(['master', 'list', ...deployed.place]);
    expect([listed.code, listed.err]).toEqual([0, '']);
    expect(JSON.parse(listed.out)).toMatchObject([
      { master_id: id, state: 'alive', host: 'elsewhere', pid: 42, version: '9.9.9', leases: ['publisher'] },
      { master_id: DEAD, state: 'gone', jobs: 1, leases: [], leaving: false },
    ]);
    await beatNow();
    const { of } = await doctor();
    expect(of('clocks')).toMatchObject({ verdict: 'fail', found: expect.stringMatching(`${id} \\+(59|1m)`) });
    expect(of('masters')).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('nobody takes over'),
    });
    expect(of('jobs')).toMatchObject({ verdict: 'warn', found: expect.stringContaining(JID) });
    expect(of('peels')).toMatchObject({ verdict: 'ok', found: '1 peel, all heard of' });
    expect(of('late-returns')).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('not there'),
    });
  });

  it('without sys.creds, or with credentials that may not ask, it says what it does not know', async () => {
    const sys = credsPath(deployed.authDir, 'system');
    renameSync(sys, `${sys}.away`);
    const without = await doctor();
    expect(without.of('nats-servers')).toMatchObject({
      verdict: 'unknown',
      found: expect.stringContaining('there is no'),
    });
    expect(without.of('durability')).toMatchObject({
      verdict: 'unknown',
      found: expect.stringContaining('a power cut: not known'),
      fix: expect.stringContaining('look for `sync_interval`'),
    });
    expect(without.of('replicas')?.verdict).toBe('ok');
    for (const node of cluster.nodes) node.expectViolation(/SYS\.REQ\.SERVER\.PING\.VARZ/);
    copyFileSync(credsPath(deployed.authDir, 'master'), sys);
    expect((await doctor()).of('nats-servers')?.found).toContain('may not ask');
    renameSync(`${sys}.away`, sys);
  });

  it('a server that is away is missed at once', async () => {
    await cluster.nodes[2]?.kill9();
    const seen = await until(
      async () => {
        const now = await doctor();
        return now.of('nats')?.verdict === 'ok' && now.of('nats-servers')?.verdict === 'warn'
          ? now
          : undefined;
      },
      'doctor to see it',
      60_000,
    );
    expect(seen.of('nats-servers')?.found).toMatch(/^2 of 3 servers answer: /);
  }, 90_000);

  it('with no server left it still looks at this machine, and ends with 1', async () => {
    await Promise.all(cluster.nodes.map((node) => node.kill9()));
    const { code, of } = await doctor();
    expect(code).toBe(1);
    expect(of('nats')).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('cannot reach NATS'),
    });
    expect(of('auth-files')).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/^\d+ secret files/),
    });
    expect(of('disk')?.check).toBe('disk');
    expect(of('masters')).toBeUndefined();
  });
});

function assetCount(): number {
  return ALL_BUCKETS.length + ALL_STREAMS.length + ALL_OBJECT_STORES.length;
}
