/**
 * A cluster of three of which one server comes later, on real servers: masters make the copies as soon as there is a
 * place for them, and until then doctor fails and says what is missing. What happens when a server is connected and
 * JetStream does not count it cannot be forced; test/soak/meta-group-of-two.test.ts waits until it happens.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClusterGrowth, eventually } from '../../harness/servers/cluster-growth.ts';
import { DeployedCluster } from '../../harness/servers/deployed-cluster.ts';

describe('one of three servers comes later', () => {
  let growth: ClusterGrowth;
  beforeAll(async () => {
    growth = new ClusterGrowth(await DeployedCluster.start({ absent: 1 }));
    await growth.startMaster();
  }, 120_000);
  afterAll(() => growth.close(), 60_000);

  it('two copies so far, and doctor fails because the routes name three', async () => {
    expect(await growth.copies()).toBe('2');
    const said = await growth.doctorSays('nats-servers', 'fail');
    expect(said.code).toBe(2);
    expect(said.of('nats-servers')).toMatchObject({
      found: expect.stringMatching(/^the configured routes name 3 servers, but only 2 servers ever joined/),
      fix: expect.stringContaining('start the server that is missing'),
    });
  }, 90_000);

  it('three copies soon after it has come, and nobody needed a warning', async () => {
    await growth.deployed.cluster.startAbsent();
    await eventually('three copies', async () => (await growth.copies()) === '3');
    const said = await growth.doctorSays('replicas', 'ok');
    expect(said.of('nats-servers')).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/^3 servers/),
    });
    expect(said.of('replicas')?.found).toMatch(/^3 copies of each of \d+ assets on 3 servers/);
    expect(growth.lines).toContainEqual(
      expect.objectContaining({ msg: 'more copies of an asset are being made', copies: 3, before: 2 }),
    );
    expect(growth.warnings).toEqual([]);
  }, 120_000);
});
