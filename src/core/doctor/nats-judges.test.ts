/** What doctor says about the servers: versions, cluster, durability, copies, settings, room. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterShape } from '../cluster-shape.ts';
import { judgeDrift } from './asset-drift.ts';
import { judgeCluster } from './cluster-size.ts';
import { judgeLag } from './consumer-lag.ts';
import { judgeDurability } from './durability.ts';
import { judgeRoom } from './jetstream-room.ts';
import { judgeReplicas, type ReplicatedAsset } from './replicas.ts';
import { judgeServerVersions } from './server-version.ts';

describe('judgeServerVersions', () => {
  const judge = (...versions: string[]) =>
    judgeServerVersions({
      servers: versions.map((version, i) => ({ name: `n${i}`, version })),
      floor: '2.10.0',
      isComplete: true,
    });

  it.each([
    [['2.10.27', '2.10.27'], 'ok', 'nats-server 2.10.27 (all servers)', ''],
    [['2.9.25', '2.10.27'], 'fail', 'n0 2.9.25: older than 2.10.0', 'upgrade nats-server to 2.10.0'],
    [['2.10.27', '2.10.22'], 'fail', 'n1 2.10.22: a cluster can lose whole streams', '2.10.23 or newer'],
    [['2.10.20'], 'fail', 'issue 6888', '2.10.23'],
    [['2.10.23'], 'ok', '2.10.23', ''],
    [['2.10.27', '2.11.4'], 'warn', 'different versions', 'bring all servers to 2.11.4'],
  ])('%j: %s', (versions, verdict, found, fix) => {
    const judgement = judge(...versions);
    expect(judgement.verdict).toBe(verdict);
    expect(judgement.found).toContain(found);
    expect(judgement.fix).toContain(fix);
  });

  it('says when the others could not be asked', () => {
    const servers = [{ name: 'n', version: '2.10.27' }];
    expect(judgeServerVersions({ servers, floor: '2.10.0', isComplete: false }).found).toContain(
      'the others could not be asked',
    );
  });
});

describe('judgeCluster', () => {
  const names = (...numbers: number[]) => numbers.map((n) => `n${n}`);
  const shape = (given: Partial<ClusterShape>): ClusterShape => ({
    seen: names(1, 2, 3),
    metaSize: 3,
    members: names(1, 2, 3),
    named: 3,
    ...given,
  });

  it('is ok only where routes, servers and meta group agree, and fails without a majority', () => {
    const few = fc.integer({ min: 1, max: 7 });
    fc.assert(
      fc.property(few, few, fc.integer({ min: 0, max: 7 }), (metaSize, here, named) => {
        const seen = Array.from({ length: here }, (_, i) => `n${i}`);
        const { verdict, fix } = judgeCluster({
          seen,
          metaSize,
          named,
          members: undefined,
        });
        expect(verdict === 'ok').toBe(here === metaSize && named <= here);
        if (here * 2 <= metaSize) expect(verdict).toBe('fail');
        expect(fix === '').toBe(verdict === 'ok');
      }),
    );
  });

  it.each([
    ['all there', {}, 'ok', '3 servers: n1, n2, n3', ''],
    ['one server, no cluster', { seen: ['n1'], metaSize: 1, named: 0 }, 'ok', '1 server: n1', ''],
    [
      'a meta group of two though three are connected',
      { metaSize: 2, members: names(1, 3) },
      'fail',
      '3 servers answer, but JetStream counts with 2: n2 never joined its meta group',
      'restart nats-server on n2: it joins within seconds',
    ],
    [
      'one that is away and one that never joined',
      { seen: names(1, 2), metaSize: 2, members: names(1, 3) },
      'fail',
      'n2 never joined',
      'restart nats-server on n2',
    ],
    [
      'nobody says who the members are',
      { metaSize: 2, members: undefined },
      'fail',
      'counts with 2: 1 of them never joined',
      'restart nats-server on one after the other',
    ],
    [
      'two of three that are configured, and JetStream never heard of the third',
      { seen: names(1, 2), metaSize: 2, members: names(1, 2) },
      'fail',
      'the configured routes name 3 servers, but only 2 servers ever joined: n1, n2; so there are fewer copies',
      'start the server that is missing',
    ],
    ['three of four that are configured', { named: 4 }, 'warn', 'name 4 servers', 'take it out of'],
    ['one of three is away', { seen: names(1, 2) }, 'warn', '2 of 3 servers answer: n1, n2', 'start'],
  ] as const)('%s', (_what, given, verdict, found, fix) => {
    const judgement = judgeCluster(shape(given));
    expect([judgement.verdict, judgement.found, judgement.fix]).toEqual([
      verdict,
      expect.stringContaining(found),
      expect.stringContaining(fix),
    ]);
  });

  it('does not guess', () => {
    expect(judgeCluster({ notAsked: 'there is no sys.creds' })).toEqual({
      verdict: 'unknown',
      found: 'how many servers there are could not be asked: there is no sys.creds',
      fix: expect.stringContaining('sys.creds'),
    });
  });
});

describe('judgeDurability', () => {
  const always = { name: 'n1', always: true, intervalMs: 120_000 };
  const late = { name: 'n2', always: false, intervalMs: 120_000 };

  it.each([
    [
      [always],
      1,
      'ok',
      'is on disk: it survives a killed server and a power cut, not the loss of its disk (1 copy)',
    ],
    [[always, always, always], 3, 'ok', 'a power cut, and the loss of 1 of 3 servers'],
    [[always], 5, 'ok', 'the loss of 2 of 5 servers'],
    [[always], 2, 'ok', '(2 copies, both needed)'],
    [
      [always, late],
      3,
      'warn',
      'the loss of 1 of 3 servers, but a power cut or a crash of the machine may take the last 2m (n2)',
    ],
    [[late], undefined, 'warn', 'survives a killed server, but a power cut'],
  ] as const)('%#: %s copies', (sync, copies, verdict, found) => {
    const judgement = judgeDurability({ sync, copies });
    expect(judgement.verdict).toBe(verdict);
    expect(judgement.found).toContain(found);
    expect(judgement.fix.includes('sync_interval: always')).toBe(verdict === 'warn');
  });

  it('says that it does not know, why, and how to find out', () => {
    const judgement = judgeDurability({
      sync: { notKnown: 'not known, because there is no sys.creds' },
      copies: 3,
    });
    expect(judgement).toEqual({
      verdict: 'unknown',
      found:
        'an acknowledged write survives a killed server, and the loss of 1 of 3 servers; a power cut: not known, because there is no sys.creds',
      fix: expect.stringContaining('look for `sync_interval`'),
    });
  });
});

describe('judgeReplicas', () => {
  const asset = (given: Partial<ReplicatedAsset> = {}): ReplicatedAsset => ({
    asset: 'jobs',
    tier: 'critical',
    replicas: 3,
    leader: 'n1',
    followers: [
      { name: 'n2', current: true, offline: false },
      { name: 'n3', current: true, offline: false },
    ],
    ...given,
  });
  const single = asset({ replicas: 1, leader: undefined, followers: [] });

  it.each([
    ['one server', [single], 1, 'ok', '1 copy of each of 1 asset on 1 server'],
    [
      'three copies on three servers',
      [asset(), asset()],
      3,
      'ok',
      '3 copies of each of 2 assets on 3 servers',
    ],
    ['three copies on five servers are enough', [asset()], 5, 'ok', '3 copies'],
    [
      'one copy on three servers',
      [asset(), single],
      3,
      'fail',
      '1 critical asset with fewer than 3 copies on 3 servers: jobs',
    ],
    ['an ephemeral one may have fewer', [asset(), { ...single, tier: 'ephemeral' }], 3, 'ok', '3 copies'],
    ['no leader', [asset({ leader: '' })], 3, 'fail', 'no leader: jobs'],
    [
      'a copy that is away',
      [
        asset({
          followers: [
            { name: 'n2', current: true, offline: true },
            { name: 'n3', current: false, offline: false },
          ],
        }),
      ],
      3,
      'warn',
      'behind or away on n2, n3',
    ],
    ['one copy, servers unknown', [single], undefined, 'unknown', 'could not be asked'],
    ['three copies, servers unknown', [asset()], undefined, 'ok', '3 copies of each of 1 asset'],
  ] as const)('%s', (_what, assets, servers, verdict, found) => {
    const judgement = judgeReplicas({ assets, servers });
    expect([judgement.verdict, judgement.found]).toEqual([verdict, expect.stringContaining(found)]);
  });

  it('says so when there is nothing to judge', () => {
    expect(judgeReplicas({ assets: [], servers: 3 })).toMatchObject({
      verdict: 'unknown',
      found: 'no asset is there',
    });
  });
});

describe('judgeDrift', () => {
  const fine = { asset: 'KV_jobs', drift: [] };

  it.each([
    ['as declared', [fine, fine], 'ok', '2 assets as declared'],
    [
      'a limit that differs',
      [fine, { asset: 'KV_facts', drift: ['max_age', 'max_bytes'] }],
      'warn',
      'KV_facts (max_age, max_bytes)',
    ],
    [
      'roll-ups allowed',
      [{ asset: 'KV_facts', drift: ['allow_rollup_hdrs'] }],
      'fail',
      'a peel could empty a bucket',
    ],
    ['one that is missing', [fine, { asset: 'events', drift: undefined }], 'fail', '1 asset missing: events'],
  ] as const)('%s', (_what, assets, verdict, found) => {
    const judgement = judgeDrift({ assets, mastersAlive: 2 });
    expect([judgement.verdict, judgement.found]).toEqual([verdict, expect.stringContaining(found)]);
  });

  it('the fix depends on whether a master is there to do it', () => {
    const assets = [{ asset: 'events', drift: undefined }];
    expect(judgeDrift({ assets, mastersAlive: 0 }).fix).toContain('start a master');
    expect(judgeDrift({ assets, mastersAlive: 1 }).fix).toContain('within a minute');
  });
});

describe('judgeRoom', () => {
  const judge = (usedBytes: number, maxBytes = 100) =>
    judgeRoom({ usedBytes, limits: [{ name: 'n1', usedBytes, maxBytes }] });

  it.each([
    [79, 'ok', 'answers; 79 B stored'],
    [80, 'warn', 'n1 is 80 % full'],
    [94, 'warn', 'n1 is 94 % full'],
    [95, 'fail', 'n1 is 95 % full; writes are about to be refused'],
  ])('%d of 100', (used, verdict, found) => {
    expect([judge(used).verdict, judge(used).found]).toEqual([verdict, found]);
  });

  it('no limit, no worry', () => {
    expect(judgeRoom({ usedBytes: 5_000_000_000, limits: [] })).toMatchObject({
      verdict: 'ok',
      found: 'answers; 4.7 GiB stored',
    });
  });
});

describe('judgeLag', () => {
  it.each([
    [
      { waiting: 1_000, inWork: 3, redelivered: 1 },
      'ok',
      '1000 returns waiting, 3 in work, 1 delivered again',
    ],
    [{ waiting: 1_001, inWork: 0, redelivered: 0 }, 'warn', '1001 returns waiting'],
    ['absent', 'warn', 'not there'],
  ] as const)('%#', (facts, verdict, found) => {
    expect([judgeLag(facts).verdict, judgeLag(facts).found]).toEqual([
      verdict,
      expect.stringContaining(found),
    ]);
  });
});
