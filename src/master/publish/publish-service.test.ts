/** Whole masters with source directories: leases, watches, requests, heartbeats. What a single turn does is tested beside it. */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { FleetWorld, type MasterProcess } from '../../../test/harness/master/master-fleet.ts';
import { readFileSetHead } from '../../bus/file-set/read-file-set.ts';
import { openTable } from '../../bus/kv/table.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { type MemoryMachine, memoryMachine } from '../../system/memory/memory-machine.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { PUBLISHER_LEASE_KEY, SPREAD_KEY } from '../../wire/names/keys.ts';
import {
  FILESERVER_DIFF_SUBJECT,
  FILESERVER_STATUS_SUBJECT,
  FILESERVER_UPDATE_SUBJECT,
} from '../../wire/names/subjects.ts';
import { FILE_SETS, type FileSetSpec } from '../../wire/records/file-set.ts';
import {
  type FilesDiffReply,
  type FilesReply,
  filesDiffReplyCodec,
  filesDiffRequestCodec,
  filesReplyCodec,
  filesUpdateRequestCodec,
} from '../../wire/records/fileserver.ts';
import { TABLES } from '../../wire/records/tables.ts';

const makeWorld = closedAfterEach(() => new FleetWorld());
const DIR = '/srv/zester/states';
const SOURCES = {
  dataDir: '/var/lib/zester/master',
  states: DIR,
  settings: '/srv/zester/settings',
  reactor: '/srv/zester/reactor',
};
const FILES = {
  [`${DIR}/top.zy`]: 'top 1',
  [`${DIR}/web/init.zy`]: 'web 1',
  '/srv/zester/settings/top.zy': "base:\n  '*': [common]\n",
  '/srv/zester/settings/common.zy': 'port: 80\n',
  '/srv/zester/reactor/top.zy': 'reactor: []\n',
};

class Host {
  readonly machine: MemoryMachine;
  private readonly world: FleetWorld;

  constructor(world: FleetWorld, files: Readonly<Record<string, string>> = FILES, seed = 1) {
    this.world = world;
    this.machine = memoryMachine({ clock: world.clock, random: seededRandom(seed), files });
  }

  start(): Promise<MasterProcess> {
    return this.world.process({ machine: this.machine, sources: SOURCES });
  }

  async edit(path: string, text: string): Promise<void> {
    const { files } = this.machine.boot();
    await this.world.settled(files.writeAtomic(`${DIR}/${path}`, Buffer.from(text)), 'an edit');
  }

  text(path: string): string | undefined {
    const found = this.machine.look(DIR).find((each) => each.path === path);
    return found && Buffer.from(found.bytes).toString();
  }
}

const leads = ({ master }: MasterProcess) => master.state().leases.includes(PUBLISHER_LEASE_KEY);
const stateOf = ({ master }: MasterProcess, set = 'states') =>
  master.state().files.find((each) => each.set === set)?.state;

async function revisionOf(world: FleetWorld, spec: FileSetSpec = FILE_SETS.states): Promise<number> {
  const head = await world.settled(readFileSetHead(world.admin, spec), 'a head');
  return head.is === 'whole' ? head.revision : 0;
}

/** Two masters with the same trees; the first publishes. */
async function setUp() {
  const world = makeWorld();
  const [one, other] = [new Host(world), new Host(world, FILES, 2)];
  const first = await one.start();
  await world.until(() => leads(first), 'the lease');
  const second = await other.start();
  await world.until(() => stateOf(first) === 'unchanged' && stateOf(second) === 'unchanged', 'both in step');
  return { world, one, other, first, second };
}

describe('masters with source directories', () => {
  it('publish all three sets as soon as one of them has the lease, each once', async () => {
    const { world } = await setUp();
    for (const spec of Object.values(FILE_SETS)) expect(await revisionOf(world, spec)).toBe(1);
    await world.clock.advance(120_000);
    for (const spec of Object.values(FILE_SETS)) expect(await revisionOf(world, spec)).toBe(1);
  });

  it('publish an edit within about a second, and the other one has it then', async () => {
    const { world, one, other } = await setUp();
    await world.clock.advance(5_000);
    await one.edit('web/init.zy', 'web 2');
    await world.until(async () => (await revisionOf(world)) === 2, 'the edit', 1_500, 50);
    await world.until(() => other.text('web/init.zy') === 'web 2', 'the edit on the other', 2_500, 50);
  });

  it('publish an edit that nobody told them of at the next check', async () => {
    const { world, one } = await setUp();
    await world.clock.advance(5_000);
    // As on a network file system: it is written to, and no event comes.
    const node = one.machine.look(DIR).find(({ path }) => path === 'top.zy');
    node?.bytes.set(Buffer.from('TOP 1'));
    await world.until(async () => (await revisionOf(world)) === 2, 'the edit', 70_000, 1_000);
  });

  it('go on when the publisher is killed: the next one publishes its own edits, and no old tree', async () => {
    const { world, one, other, first, second } = await setUp();
    await one.edit('web/init.zy', 'web 2');
    await world.until(() => other.text('web/init.zy') === 'web 2', 'the edit on the other');
    first.kill();
    await world.until(() => leads(second), 'the next publisher', 30_000);
    await world.clock.advance(60_000);
    expect(await revisionOf(world)).toBe(2);
    await other.edit('top.zy', 'top 2');
    await world.until(async () => (await revisionOf(world)) === 3, 'its edit', 2_000, 50);
    const back = await one.start();
    await world.until(() => one.text('top.zy') === 'top 2', 'the directory of the first', 5_000);
    await world.until(() => stateOf(back) === 'unchanged', 'the set to be in step');
  });

  it('have one that was edited while it was away wait, and say so to whoever looks', async () => {
    const { world, one, other, first, second } = await setUp();
    second.kill();
    await other.edit('top.zy', 'edited while away');
    await one.edit('web/init.zy', 'web 2');
    await world.until(async () => (await revisionOf(world)) === 2, 'the edit', 5_000);
    const back = await other.start();
    await world.until(() => stateOf(back) === 'conflict', 'the conflict');
    await world.clock.advance(12_000);
    const beats = await world.settled(
      openTable(world.admin, TABLES.masterHeartbeats).entries(),
      'heartbeats',
    );
    const problems = beats.flatMap((beat) =>
      beat.is === 'found' && !beat.value.leaving ? [[beat.id, beat.value.filesProblem]] : [],
    );
    expect(Object.fromEntries(problems)).toMatchObject({
      [back.masterId]: expect.stringMatching(/^states: edited here.*top\.zy, web\/init\.zy/),
      [first.masterId]: '',
    });
    expect(other.text('top.zy')).toBe('edited while away');
    expect(back.lines.filter(({ msg }) => msg === 'a file set cannot be published')).toHaveLength(1);
  });

  it('tell peels how long to spread their fetching', async () => {
    const { world } = await setUp();
    for (const { bucket } of [FILE_SETS.states, FILE_SETS.settings]) {
      const read = await world.settled(world.admin.bucket(bucket.name).getLatest(SPREAD_KEY), 'the spread');
      expect(read.found && Buffer.from(read.value).toString()).toBe('128');
    }
    const reactor = world.admin.bucket(BUCKETS.reactorFiles.name).getLatest(SPREAD_KEY);
    expect((await world.settled(reactor, 'no spread')).found).toBe(false);
  });

  it('stop in order: the next one publishes at once', async () => {
    const { world, other, first, second } = await setUp();
    await first.stop();
    await world.until(() => leads(second), 'the lease', 3_000);
    await other.edit('top.zy', 'top 2');
    await world.until(async () => (await revisionOf(world)) === 2, 'the edit', 2_000, 50);
  });
});

describe('whoever asks about files', () => {
  const ask = async (world: FleetWorld, subject: string, data: Uint8Array): Promise<Uint8Array> => {
    const answer = world.admin.request(subject, data, { timeoutMs: 35_000 });
    return (await world.settled(answer, 'an answer')).data;
  };
  const update = async (world: FleetWorld, force = false): Promise<FilesReply> =>
    filesReplyCodec.decode(
      await ask(world, FILESERVER_UPDATE_SUBJECT, filesUpdateRequestCodec.encode({ force })),
    );
  const status = async (world: FleetWorld): Promise<FilesReply> =>
    filesReplyCodec.decode(await ask(world, FILESERVER_STATUS_SUBJECT, new Uint8Array([0x80])));
  const diff = async (world: FleetWorld, set = ''): Promise<FilesDiffReply> =>
    filesDiffReplyCodec.decode(
      await ask(world, FILESERVER_DIFF_SUBJECT, filesDiffRequestCodec.encode({ set })),
    );

  it('is answered by the publisher and by nobody else', async () => {
    const { world, first } = await setUp();
    let answers = 0;
    const inbox = '_INBOX.admin.count';
    await world.settled(
      world.admin.subscribe(inbox, () => {
        answers += 1;
      }),
      'an inbox',
    );
    world.admin.publish(FILESERVER_STATUS_SUBJECT, new Uint8Array([0x80]), { reply: inbox });
    await world.clock.advance(2_000);
    expect(answers).toBe(1);
    const reply = await status(world);
    expect(reply).toMatchObject({ master: first.masterId, host: `host-${first.pid}`, error: '' });
    expect(reply.since).toBeGreaterThan(0n);
    expect(
      reply.sets.map(({ set, state, files, revision, directory }) => [
        set,
        state,
        files,
        revision,
        directory,
      ]),
    ).toEqual([
      ['settings', 'unchanged', 2, 1, '/srv/zester/settings'],
      ['states', 'unchanged', 2, 1, DIR],
      ['reactor', 'unchanged', 1, 1, '/srv/zester/reactor'],
    ]);
    expect(reply.sets[1]?.publishedAt).toBeGreaterThan(0n);
  });

  it('says of a directory that was edited just now that this is not published yet', async () => {
    const { world, one } = await setUp();
    await one.edit('new.zy', 'new');
    expect((await status(world)).sets[1]).toMatchObject({
      set: 'states',
      state: 'waiting',
      note: expect.stringContaining('1 file differs: new.zy'),
    });
    await world.until(async () => (await revisionOf(world)) === 2, 'the edit');
    expect((await status(world)).sets[1]).toMatchObject({ note: '', revision: 2 });
  });

  it('has what is there published at once', async () => {
    const { world, one } = await setUp();
    await one.edit('new.zy', 'new');
    const reply = await update(world);
    expect(reply.sets.map(({ set, state, changed }) => [set, state, changed])).toEqual([
      ['settings', 'unchanged', 0],
      ['states', 'published', 1],
      ['reactor', 'unchanged', 0],
    ]);
    expect(await revisionOf(world)).toBe(2);
  });

  it('settles a conflict by force', async () => {
    const { world, one, other, first } = await setUp();
    first.kill();
    await other.edit('top.zy', 'by the other');
    await world.until(async () => (await revisionOf(world)) === 2, 'the other’s edit', 40_000, 500);
    await one.edit('top.zy', 'by the one');
    for (const process of world.processes) process.kill();
    const back = await one.start();
    await world.until(() => leads(back) && stateOf(back) === 'conflict', 'the conflict', 30_000);
    expect((await update(world)).sets[1]).toMatchObject({
      state: 'conflict',
      note: expect.stringContaining('--force'),
    });
    expect((await update(world, true)).sets[1]).toMatchObject({ state: 'published' });
    expect(await revisionOf(world)).toBe(3);
    expect(one.text('top.zy')).toBe('by the one');
  });

  it('is told what would be published, and nothing is', async () => {
    const { world, one } = await setUp();
    const { files } = one.machine.boot();
    await one.edit('new.zy', 'new');
    await one.edit('top.zy', 'top 2');
    await world.settled(files.removeTree(`${DIR}/web`), 'a removal');
    const reply = await diff(world, 'states');
    expect(reply.sets).toMatchObject([
      {
        set: 'states',
        added: ['new.zy'],
        changed: ['top.zy'],
        removed: ['web/init.zy'],
        revision: 1,
        note: '',
      },
    ]);
    expect((await diff(world)).sets.map(({ set }) => set)).toEqual(['settings', 'states', 'reactor']);
    expect(await diff(world, 'stats')).toMatchObject({ code: 'FILES_SET_UNKNOWN' });
  });

  it('gets no answer where nobody publishes', async () => {
    const { world, first, second } = await setUp();
    first.partition();
    second.kill();
    const answer = world.admin.request(FILESERVER_STATUS_SUBJECT, new Uint8Array([0x80]), {
      timeoutMs: 1_000,
    });
    await expect(world.settled(answer, 'no answer')).rejects.toMatchObject({
      code: expect.stringMatching(/BUS_TIMEOUT|BUS_NO_RESPONDERS/),
    });
  });

  it('is refused with nonsense, and the master goes on', async () => {
    const { world } = await setUp();
    const reply = filesReplyCodec.decode(
      await ask(world, FILESERVER_UPDATE_SUBJECT, Buffer.from('nonsense')),
    );
    expect(reply.code).toBe('MASTER_QUESTION_UNREADABLE');
    expect((await status(world)).error).toBe('');
  });
});
