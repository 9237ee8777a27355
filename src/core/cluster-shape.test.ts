import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterShape, type ServerShape, serverCount } from './cluster-shape.ts';

const ROUTES = ['a:1', 'b:1', 'c:1'];
const server = (name: string, given: Partial<ServerShape> = {}): ServerShape => ({
  name,
  hasJetStream: true,
  metaSize: 3,
  metaLeader: 'n1',
  metaPeers: name === 'n1' ? ['n2', 'n3'] : [],
  routes: ROUTES,
  ...given,
});
const three = [server('n2'), server('n1'), server('n3')];

describe('clusterShape', () => {
  it('three servers that agree', () => {
    const members = ['n1', 'n2', 'n3'];
    expect(clusterShape(three)).toEqual({ seen: members, metaSize: 3, members, named: 3 });
  });

  it('one server without a cluster', () => {
    const alone = server('n1', { metaSize: 1, metaLeader: '', metaPeers: [], routes: [] });
    expect(clusterShape([alone])).toEqual({
      seen: ['n1'],
      metaSize: 1,
      members: undefined,
      named: 0,
    });
  });

  it('a meta group of two though three are connected: there are three servers to keep copies on', () => {
    const two = { metaSize: 2 };
    const shape = clusterShape([
      server('n1', { ...two, metaPeers: ['n3'] }),
      server('n2', two),
      server('n3', two),
    ]);
    expect(shape).toMatchObject({ metaSize: 2, members: ['n1', 'n3'], seen: ['n1', 'n2', 'n3'] });
    expect(serverCount(shape)).toBe(3);
  });

  it('a server that is away counts all the same, and one that lags does not overrule the leader', () => {
    const shape = clusterShape([server('n1'), server('n2', { metaSize: 2 })]);
    expect(shape).toMatchObject({ seen: ['n1', 'n2'], metaSize: 3, members: ['n1', 'n2', 'n3'] });
    expect(serverCount(shape)).toBe(3);
    const leaderAway = clusterShape([server('n2'), server('n3', { metaSize: 2 })]);
    expect(leaderAway).toMatchObject({ metaSize: 3, members: undefined });
  });

  it('a server without JetStream keeps nothing', () => {
    const relay = server('n4', { hasJetStream: false, metaSize: 1, routes: ['d:1'] });
    expect(clusterShape([...three, relay])).toEqual(clusterShape(three));
  });

  describe('how many servers the routes speak of', () => {
    const named = (...lists: string[][]) =>
      clusterShape(lists.map((routes, i) => server(`n${i + 1}`, { routes }))).named;

    it.each([
      ['all lists name all', [ROUTES, ROUTES, ROUTES], 3],
      [
        'each leaves itself out',
        [
          ['b:1', 'c:1'],
          ['a:1', 'c:1'],
          ['a:1', 'b:1'],
        ],
        3,
      ],
      [
        'two of three answer',
        [
          ['b:1', 'c:1'],
          ['a:1', 'c:1'],
        ],
        3,
      ],
      [
        'the same server under two names',
        [
          ['b:1', 'c:1'],
          ['a:1', 'c.example:1'],
          ['a.example:1', 'b.example:1'],
        ],
        3,
      ],
      ['one name for all of them', [['nats:1'], ['nats:1'], ['nats:1']], 1],
    ])('%s', (_what, lists, expected) => {
      expect(named(...lists)).toBe(expected);
    });

    it('never more than the longest list and its owner', () => {
      fc.assert(
        fc.property(
          fc.array(fc.array(fc.string(), { maxLength: 5 }), { minLength: 1, maxLength: 5 }),
          (lists) => {
            expect(named(...lists)).toBeLessThanOrEqual(Math.max(...lists.map((list) => list.length)) + 1);
          },
        ),
      );
    });
  });
});
