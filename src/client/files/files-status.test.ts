import { beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import { PLAIN_FILES } from '../../bus/file-set/plain-files.ts';
import { filePublisher } from '../../bus/file-set/publish-file-set.ts';
import { openTable } from '../../bus/kv/table.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import type { Bus } from '../../bus/port.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../runtime/virtual-clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { MasterId, PeelId } from '../../wire/names/ids.ts';
import { PUBLISHER_LEASE_KEY } from '../../wire/names/keys.ts';
import { OBJECT_STORES } from '../../wire/names/streams.ts';
import { FILESERVER_STATUS_SUBJECT, FILESERVER_UPDATE_SUBJECT } from '../../wire/names/subjects.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import {
  type FilesReply,
  filesReplyCodec,
  filesSetReportCodec,
  filesUpdateRequestCodec,
} from '../../wire/records/fileserver.ts';
import { peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { publishFiles } from './ask-publisher.ts';
import { type FilesStatus, readFilesStatus } from './files-status.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const MASTER = 'master-1' as MasterId;
const [WEB, DB, NEW, ODD] = ['web-01', 'db-01', 'new-01', 'odd-01'] as PeelId[] as [
  PeelId,
  PeelId,
  PeelId,
  PeelId,
];

let clock: VirtualClock;
let bus: Bus;
beforeEach(async () => {
  clock = virtualClock();
  const random = seededRandom(1);
  bus = openBus(new MemoryServer({ clock, random }).connect({ role: 'master', name: 'm' }), {
    clock,
    random,
    log: silent,
  });
  await ended(bus.connected());
});

/** In virtual time. */
async function ended<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = work.finally(() => {
    isOver = true;
  });
  end.catch(() => undefined);
  for (let step = 0; step < 1_000 && !isOver; step++) await clock.advance(100);
  return end;
}

const client = () => clientOf(bus, { clock, random: seededRandom(1), log: silent });
const status = (): Promise<FilesStatus> => ended(readFilesStatus(client()));
const makeStores = () =>
  ended(
    ensureAssets(
      bus,
      { buckets: Object.values(BUCKETS), streams: [], objectStores: [OBJECT_STORES.fileBlobs] },
      1,
    ),
  );
const answer = (reply: Partial<FilesReply>, subject = FILESERVER_STATUS_SUBJECT) =>
  ended(
    bus.subscribe(subject, ({ reply: to = '' }) =>
      bus.publish(to, filesReplyCodec.encode(filesReplyCodec.create({ master: MASTER, ...reply }))),
    ),
  );
const publish = (set: keyof typeof FILE_SETS, text: string) => {
  const bytes = new TextEncoder().encode(text);
  const file = {
    path: 'top.zy',
    sha256: PLAIN_FILES.digest(bytes),
    size: bytes.length,
    read: async () => bytes,
  };
  return ended(filePublisher(bus, FILE_SETS[set], { log: silent }).publish([file], { force: false }));
};
const beat = (peel: PeelId, has: Parameters<typeof peelHeartbeatCodec.create>[0]) =>
  ended(openTable(bus, TABLES.peelHeartbeats).put(peel, peelHeartbeatCodec.create(has)));

describe('the status of files', () => {
  it('of a deployment that has nothing yet is empty, and nobody publishes', async () => {
    const { publisher, sets, peels } = await status();
    expect(isZesterError(publisher, 'FILES_NO_PUBLISHER') && publisher.message).toContain(
      'no master is there',
    );
    expect(sets.map(({ set, published }) => [set, published])).toEqual([
      ['settings', 'empty'],
      ['states', 'empty'],
      ['reactor', 'empty'],
    ]);
    expect(peels).toEqual([]);
  });

  it('tells what is published also where no master holds the lease', async () => {
    await makeStores();
    await publish('states', 'x');
    await ended(bus.subscribe(FILESERVER_STATUS_SUBJECT, () => undefined));
    const { publisher, sets } = await status();
    expect(isZesterError(publisher) && publisher.message).toContain('none of the masters holds the lease');
    expect(sets[1]).toMatchObject({
      set: 'states',
      published: 'whole',
      revision: 1,
      files: 1,
      report: undefined,
    });
  });

  it('names the holder that does not answer', async () => {
    await makeStores();
    await ended(bus.subscribe(FILESERVER_STATUS_SUBJECT, () => undefined));
    await ended(bus.bucket(BUCKETS.leases.name).put(PUBLISHER_LEASE_KEY, new TextEncoder().encode(MASTER)));
    const { publisher } = await status();
    expect(isZesterError(publisher) && publisher.message).toContain(
      'master-1 holds the lease and did not answer',
    );
  });

  it('has the words of the publisher for each set', async () => {
    await makeStores();
    await publish('states', 'x');
    const report = filesSetReportCodec.create({
      set: 'states',
      state: 'conflict',
      directory: '/srv',
      note: 'n',
    });
    await answer({ host: 'ctl-1', sets: [report] });
    const { publisher, sets } = await status();
    expect(publisher).toMatchObject({ master: MASTER, host: 'ctl-1' });
    expect(sets.map((set) => set.report?.state)).toEqual([undefined, 'conflict', undefined]);
  });

  it('says what is torn, and compares nobody with it', async () => {
    await makeStores();
    await publish('states', 'x');
    await ended(bus.bucket(FILE_SETS.states.bucket.name).delete('_manifest'));
    await beat(WEB, { statesRevision: 1 });
    const { sets, peels } = await status();
    expect(sets[1]).toMatchObject({
      published: 'torn',
      revision: undefined,
      problem: expect.stringContaining('manifest'),
    });
    expect(peels.map(({ state }) => state)).toEqual(['current']);
  });

  it('tells of each peel whether it has it', async () => {
    await makeStores();
    await publish('states', 'x');
    await publish('settings', 'y');
    await publish('settings', 'z');
    const sealed = await ended(
      openTable(bus, TABLES.sealedSecrets).put(WEB, {
        generation: 1,
        settingsRevision: 1,
        fingerprint: '',
        sealed: {},
      }),
    );
    await ended(bus.bucket(BUCKETS.secrets.name).put('_master_curve_pub', new Uint8Array(1)));
    await ended(openTable(bus, TABLES.facts).put(DB, {}));
    await beat(WEB, { statesRevision: 1, settingsRevision: 2, secretsRevision: sealed });
    await beat(NEW, { statesRevision: 1, settingsRevision: 1 });
    await ended(bus.bucket(BUCKETS.peelHeartbeat.name).put(ODD, Uint8Array.of(0xc1)));
    const { peels, unreadable } = await status();
    expect(peels.map(({ id, state, sealedRevision }) => [id, state, sealedRevision])).toEqual([
      [DB, 'offline', undefined],
      [NEW, 'behind', undefined],
      [ODD, 'unreadable', undefined],
      [WEB, 'current', sealed],
    ]);
    expect(unreadable).toMatchObject([{ kind: 'heartbeat', key: ODD }]);
  });

  it('waits a moment for masters that are on their way to another node', async () => {
    await makeStores();
    clock.after(
      1_500,
      () =>
        void bus.subscribe(FILESERVER_STATUS_SUBJECT, ({ reply: to = '' }) =>
          bus.publish(to, filesReplyCodec.encode(filesReplyCodec.create({ master: MASTER }))),
        ),
    );
    expect((await status()).publisher).toMatchObject({ master: MASTER });
  });
});

describe('publishing now', () => {
  it('asks with force, and tells what the publisher says', async () => {
    const asked: boolean[] = [];
    await ended(
      bus.subscribe(FILESERVER_UPDATE_SUBJECT, ({ data, reply: to = '' }) => {
        asked.push(filesUpdateRequestCodec.decode(data).force);
        bus.publish(to, filesReplyCodec.encode(filesReplyCodec.create({ master: MASTER })));
      }),
    );
    expect(await ended(publishFiles(client(), { force: true }))).toMatchObject({ master: MASTER });
    expect(asked).toEqual([true]);
  });

  it('that is refused is an error with the code of the publisher', async () => {
    await answer({ error: 'no', code: 'FILES_TOO_MANY' }, FILESERVER_UPDATE_SUBJECT);
    await expect(ended(publishFiles(client(), { force: false }))).rejects.toMatchObject({
      code: 'FILES_REFUSED',
      reasonCode: 'FILES_TOO_MANY',
    });
  });

  it('is asked once, also where nobody answers: it may be under way', async () => {
    let asked = 0;
    await ended(bus.subscribe(FILESERVER_UPDATE_SUBJECT, () => asked++));
    await expect(ended(publishFiles(client(), { force: true }))).rejects.toMatchObject({
      code: 'FILES_NO_PUBLISHER',
    });
    expect(asked).toBe(1);
  });
});
