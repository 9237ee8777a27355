import { describe, expect, it } from 'vitest';
import type { AssetState } from '../../bus/inspect-assets.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import { masterHeartbeatCodec, peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import type { FilesStatus } from '../files/files-status.ts';
import type { MastersSeen } from '../masters/read-masters.ts';
import type { ServerTold } from './ask-servers.ts';
import {
  clockFacts,
  clusterFacts,
  durabilityFacts,
  filesMirroredFacts,
  filesPublishedFacts,
  openJobFacts,
  peelFacts,
  roomFacts,
  versionFacts,
} from './bus-facts.ts';

const server = (name: string, given: Partial<ServerTold> = {}): ServerTold => ({
  name,
  version: '2.10.27',
  hasJetStream: true,
  metaSize: 3,
  metaLeader: 'n1',
  metaPeers: [],
  routes: [],
  syncAlways: true,
  syncIntervalMs: 120_000,
  usedBytes: 1,
  maxBytes: 10,
  limits: { payloadBytes: 1, pendingBytes: 1, connections: 1, subscriptions: 1, writeDeadlineMs: 1 },
  aheadMs: 0,
  uncertainMs: 1,
  ...given,
});
const notAsked = { notAsked: 'there is no sys.creds' };
const asset = (tier: AssetState['tier'], replicas: number): AssetState => ({
  asset: 'a',
  tier,
  found: { drift: [], replicas, leader: undefined, followers: [] },
});
const masters = (given: Partial<MastersSeen>): MastersSeen => ({
  beats: [],
  leases: [],
  openJobs: [],
  nowMs: 100_000,
  ...given,
});
const master = (id: string, writtenMs: number, aheadMs: number, leaving = false) => ({
  id,
  beat: masterHeartbeatCodec.create({
    masterId: id as MasterId,
    timestamp: nanosFromMs(writtenMs + aheadMs),
    since: nanosFromMs(1),
    leaving,
  }),
  writtenMs,
});

describe('facts for doctor', () => {
  it('without the system account there is one server to speak of', () => {
    const connected = { name: 'n1', version: '2.11.0', payloadBytesMax: 1 };
    expect(versionFacts(notAsked, connected)).toMatchObject({
      servers: [{ name: 'n1', version: '2.11.0' }],
      isComplete: false,
    });
    expect(clusterFacts(notAsked)).toEqual(notAsked);
  });

  it('limits that are none do not count', () => {
    const account = { storage: 7, limits: { max_storage: -1 } };
    expect(roomFacts(account, { servers: [server('n1')] })).toMatchObject({
      usedBytes: 7,
      limits: [{ name: 'n1', usedBytes: 1, maxBytes: 10 }],
    });
  });

  it('the sync setting is the servers’ own word, else the local configuration, else unknown; copies are of critical assets', () => {
    const assets = [asset('critical', 3), asset('critical', 2), asset('ephemeral', 1)];
    expect(durabilityFacts(assets, { servers: [server('n1')] }, undefined)).toEqual({
      copies: 2,
      sync: [{ name: 'n1', always: true, intervalMs: 120_000 }],
    });
    const always = 'jetstream {\n  sync_interval: always\n}\n';
    expect(durabilityFacts(assets, notAsked, always).sync).toMatchObject([{ always: true }]);
    expect(durabilityFacts(assets, notAsked, 'jetstream {\n}\n').sync).toMatchObject([{ always: false }]);
    expect(durabilityFacts([], notAsked, undefined)).toEqual({
      copies: undefined,
      sync: { notKnown: 'not known, because there is no sys.creds' },
    });
  });

  it('clocks are compared with the store, each by its own sign', () => {
    // Ours is 500 ms ahead of the store; n1 is 500 ms behind ours, so level with the store.
    const here = { storeMs: 1_000, askedMs: 1_490, answeredMs: 1_510 };
    const told = {
      servers: [server('n1', { aheadMs: -500, uncertainMs: 5 }), server('n2', { aheadMs: undefined })],
    };
    const beat = peelHeartbeatCodec.create({ timestamp: nanosFromMs(7_000), since: nanosFromMs(1) });
    const peels = {
      known: ['p', 'q'],
      beats: new Map([
        ['p', { beat, writtenMs: 5_000 }],
        ['q', { beat: undefined, writtenMs: 1 }],
      ]),
    };
    expect(clockFacts(here, told, masters({ beats: [master('m', 99_000, -30)] }), peels)).toEqual({
      here: { name: 'this machine', offsetMs: 500, uncertainMs: 10 },
      servers: [{ name: 'n1', offsetMs: 0, uncertainMs: 15 }],
      masters: [{ name: 'm', offsetMs: -30, uncertainMs: 0 }],
      peels: [{ name: 'p', offsetMs: 2_000, uncertainMs: 0 }],
    });
  });

  it('a job is without a master when its owner is gone, leaving, stale, or nobody', () => {
    const beats = [master('alive', 99_000, 0), master('going', 99_000, 0, true), master('stale', 80_000, 0)];
    const openJobs = ['alive', 'going', 'stale', 'gone', ''].map((owner) => ({ jid: `of-${owner}`, owner }));
    expect(openJobFacts(masters({ beats, openJobs }))).toEqual({
      open: 5,
      ownerless: ['of-going', 'of-stale', 'of-gone', 'of-'],
      mastersAlive: 1,
    });
  });

  it('peels without a heartbeat are silent; one whose heartbeat makes no sense is not', () => {
    const beats = new Map([
      ['a', { beat: peelHeartbeatCodec.create({ since: nanosFromMs(1) }), writtenMs: 1 }],
      ['b', { beat: undefined, writtenMs: 1 }],
    ]);
    expect(peelFacts({ known: ['a', 'b', 'c'], beats })).toEqual({ known: 3, silent: ['c'] });
  });
});

describe('facts about files', () => {
  const report = { state: 'conflict', note: 'why' };
  const sets = [
    { set: 'states', published: 'whole', revision: 3, files: 1, writtenMs: 40_000, problem: '', report },
    {
      set: 'reactor',
      published: 'empty',
      revision: undefined,
      files: 0,
      writtenMs: undefined,
      problem: '',
      report: undefined,
    },
  ];
  const status = (given: object): FilesStatus =>
    ({
      publisher: { master: 'm1', host: 'ctl-1' },
      sets,
      peels: [],
      unreadable: [],
      ...given,
    }) as unknown as FilesStatus;
  const withProblem = (id: string, filesProblem: string, writtenMs = 99_000) => {
    const seen = master(id, writtenMs, 0);
    return { ...seen, beat: { ...seen.beat, host: 'ctl-2', filesProblem } };
  };

  it('name the publisher, what it says of its sets, and other masters with trouble that are alive', () => {
    const beats = [
      withProblem('m1', 'states: conflict'),
      withProblem('m2', 'states: edited here'),
      withProblem('m3', ''),
      withProblem('m4', 'long gone', 1_000),
    ];
    expect(filesPublishedFacts(status({}), masters({ beats }))).toMatchObject({
      publisher: { name: 'm1 on ctl-1' },
      sets: [
        { set: 'states', revision: 3, state: 'conflict', note: 'why' },
        { set: 'reactor', revision: 0, state: '' },
      ],
      masters: [{ name: 'm2 on ctl-2', problem: 'states: edited here' }],
    });
  });

  it('say why nobody publishes', () => {
    const publisher = zesterError('FILES_NO_PUBLISHER', { why: 'no master is there' });
    expect(filesPublishedFacts(status({ publisher }), masters({})).publisher).toEqual({
      nobody: expect.stringContaining('no master is there'),
    });
  });

  it('count from the last publish, on the clock of the store', () => {
    const peels = [{ id: 'web-1', state: 'behind', beat: { filesProblem: 'x' } }];
    expect(filesMirroredFacts(status({ peels }), 100_000)).toEqual({
      peels: [{ name: 'web-1', state: 'behind', problem: 'x' }],
      publishedAgoMs: 60_000,
    });
    expect(filesMirroredFacts(status({ sets: [] }), 100_000).publishedAgoMs).toBeUndefined();
  });
});
