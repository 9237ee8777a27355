/**
 * Three fresh servers that start at once, until JetStream counts with two of them (about one start in thirteen with
 * nats-server 2.10.27): masters make what copies they can and warn, doctor fails and names the third, and after what
 * doctor says there are three copies of everything.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClusterGrowth, eventually } from '../harness/servers/cluster-growth.ts';
import { DeployedCluster } from '../harness/servers/deployed-cluster.ts';

describe('three servers are connected, and JetStream counts with two', () => {
  let growth: ClusterGrowth;
  beforeAll(async () => {
    growth = new ClusterGrowth(await DeployedCluster.start({ until: 'too-small' }));
  }, 900_000);
  afterAll(() => growth.close(), 60_000);

  it('doctor fails and names the server, what it says helps, and masters make the copies', async () => {
    const {
      seen,
      members = [],
      metaSize,
    } = await eventually('all to answer', async () => {
      const shape = await growth.shape();
      return shape.seen.length === 3 && shape.members !== undefined ? shape : undefined;
    });
    expect(metaSize).toBe(2);
    const outside = growth.deployed.cluster.nodes.find(({ name }) => !members.includes(name));
    expect(seen).toContain(outside?.name);
    const said = await growth.doctorSays('nats-servers', 'fail');
    expect(said.code).toBe(2);
    expect(said.of('nats-servers')).toMatchObject({
      found: expect.stringContaining(`JetStream counts with 2: ${outside?.name} never joined its meta group`),
      fix: expect.stringContaining(`restart nats-server on ${outside?.name}`),
    });
    await growth.startMaster();
    expect(await growth.copies()).toBe('2');
    await eventually('a warning', async () => growth.warnings.length > 0);
    expect(growth.warnings[0]).toMatchObject({ copies: 2, wanted: 3, servers: 3 });
    await outside?.restart();
    const well = await growth.doctorSays('nats-servers', 'ok');
    expect(well.of('nats-servers')?.found).toMatch(/^3 servers/);
    await growth.doctorSays('replicas', 'ok');
    expect(await growth.copies()).toBe('3');
  }, 300_000);
});
