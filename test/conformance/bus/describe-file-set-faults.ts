/**
 * `describeFileSetFaults` is the part of the suite about publishers that die, lose an answer or meet another one, at every
 * single write. Readers never get a mix, nothing that a whole set lists is missing, and the next publish puts it right.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import { filePublisher } from '../../../src/bus/file-set/publish-file-set.ts';
import { readFileSetHead } from '../../../src/bus/file-set/read-file-set.ts';
import type { AgentBus, Bus } from '../../../src/bus/port.ts';
import { OBJECT_STORES } from '../../../src/wire/names/streams.ts';
import { FILE_SETS } from '../../../src/wire/records/file-set.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { type BusFixture, bytes, type MakeFixture } from './fixture.ts';
import { filesOf, large, readTree, shownTree, type Tree, wipe } from './published-tree.ts';
import { diesBefore, losesAnswerTo, type WriteGate, writeGate } from './write-gate.ts';

const { states } = FILE_SETS;
const NOTHING: Tree = {};
const FIRST: Tree = { 'a.zy': 'a1', 'b.zy': 'b1', 'old.zy': 'o1', 'old.iso': large(1), 'kept.iso': large(2) };
const SECOND: Tree = {
  'a.zy': 'a2',
  'b.zy': 'b1',
  'new.zy': 'n2',
  'new.iso': large(3),
  'kept.iso': large(2),
};
const THIRD: Tree = { 'a.zy': 'a3', 'old.zy': 'o1', 'c.zy': 'c3', 'old.iso': large(1) };

export function describeFileSetFaults(make: MakeFixture): void {
  describe('file sets, when something goes wrong', () => {
    let fixture: BusFixture;
    let bus: Bus;
    let peel: AgentBus;
    let gate: WriteGate;
    /** The one that dies or sleeps. */
    let gated: Bus;
    beforeAll(async () => {
      fixture = await make();
      gate = writeGate();
      bus = await fixture.master();
      gated = await fixture.master(gate.wrap);
      peel = await fixture.peel('web-01');
      const buckets = Object.values(FILE_SETS).map(({ bucket }) => bucket);
      await ensureAssets(bus, { buckets, streams: [], objectStores: [OBJECT_STORES.fileBlobs] }, 1);
    });
    beforeEach(() => wipe(bus));
    afterAll(() => fixture.close());

    const publish = (tree: Tree, on = bus) =>
      filePublisher(on, states, quietRuntime).publish(filesOf(tree), { force: false });

    /** What a reader finds is one of these trees, or it finds that it has to wait. */
    async function expectOneOf(trees: readonly Tree[], where: string): Promise<void> {
      const read = await readTree(peel);
      if (read.is === 'whole') expect(trees.map(shownTree), where).toContainEqual(read.tree);
      if (trees.length === 1) expect(read.is, where).toBe('whole');
    }

    /** Exactly this tree is published, there is nothing more to do, and with the next change nothing else is left. */
    async function expectSettled(tree: Tree, where: string): Promise<void> {
      expect(await readTree(peel), where).toMatchObject({ is: 'whole', tree: shownTree(tree) });
      expect(await publish(tree), where).toMatchObject({ is: 'unchanged' });
      // Not before: what is newer than the manifest somebody may still be about to publish.
      await publish({ ...tree, 'more.zy': where });
      const keys = await bus.bucket(states.bucket.name).keysWithDeleted('>');
      const small = Object.keys(tree).filter((path) => typeof tree[path] === 'string');
      expect(keys, where).toEqual(['_manifest', '_revision', 'more.zy', ...small].sort());
      const { objects, looseChunks } = await bus.objects(OBJECT_STORES.fileBlobs.name).list();
      const blobs = new Set(
        filesOf(tree)
          .filter(({ size }) => size > 1_000)
          .map((file) => file.sha256),
      );
      expect(objects.map(({ name }) => name).sort(), where).toEqual([...blobs].sort());
      expect(looseChunks, where).toEqual([]);
    }

    it.each([
      ['first publish, and the same tree follows', NOTHING, FIRST, FIRST],
      ['next publish, and another tree follows', FIRST, SECOND, THIRD],
    ])(
      'a publisher that dies before any write of its %s leaves what the next one settles',
      async (_, before, tree, after) => {
        await atEveryWrite(async (number) => {
          if (before !== NOTHING) await publish(before);
          gate.judge(diesBefore(number));
          await publish(tree, gated).catch(() => undefined);
          const isOver = gate.writes() < number;
          await expectOneOf([before, tree], `dead before write ${number}`);
          await publish(after);
          await expectSettled(after, `dead before write ${number}`);
          return isOver;
        });
      },
    );

    it.each([
      ['the same tree', SECOND],
      ['another tree', THIRD],
    ])(
      'a publisher that loses the answer to any of its writes settles it when it publishes %s',
      async (_, after) => {
        await atEveryWrite(async (number) => {
          const publisher = filePublisher(gated, states, quietRuntime);
          gate.judge(() => 'pass');
          await publisher.publish(filesOf(FIRST), { force: false });
          gate.judge(losesAnswerTo(number));
          await publisher.publish(filesOf(SECOND), { force: false }).catch(() => undefined);
          const isOver = gate.writes() < number;
          await expectOneOf([FIRST, SECOND], `no answer to write ${number}`);
          gate.judge(() => 'pass');
          await publisher.publish(filesOf(after), { force: false });
          await expectSettled(after, `no answer to write ${number}`);
          return isOver;
        });
      },
    );

    it('removals that fail do not keep a revision from being published, and are made up for', async () => {
      await publish(FIRST);
      const tree = { 'a.zy': 'a1' };
      gate.judge(({ subject }) => (/PURGE|old|b\.zy|\.M\./.test(subject) ? 'refuse' : 'pass'));
      const outcome = await publish(tree, gated);
      expect(outcome).toMatchObject({ is: 'published', revision: 2, removed: 0 });
      expect(outcome.is === 'published' && outcome.notRemoved).toBe(4);
      expect(await readTree(peel)).toEqual({ is: 'whole', revision: 2, tree });
      gate.judge(() => 'pass');
      // The keys at the next check, the objects with the next change.
      expect(await publish(tree, gated)).toMatchObject({ is: 'unchanged' });
      await expectSettled(tree, 'after the failure');
    });

    it('a publisher whose removals fail tries them again by itself', async () => {
      const publisher = filePublisher(gated, states, quietRuntime);
      gate.judge(() => 'pass');
      await publisher.publish(filesOf(FIRST), { force: false });
      gate.judge(({ subject }) => (/old\.zy/.test(subject) ? 'refuse' : 'pass'));
      const { 'old.zy': _, ...rest } = FIRST;
      expect(await publisher.publish(filesOf(rest), { force: false })).toMatchObject({ notRemoved: 1 });
      gate.judge(() => 'pass');
      expect(await publisher.publish(filesOf(rest), { force: false })).toMatchObject({ is: 'unchanged' });
      expect(await bus.bucket(states.bucket.name).keysWithDeleted('>')).not.toContain('old.zy');
    });

    it.each([
      ['another tree', THIRD],
      ['the same tree', SECOND],
      ['what is published', FIRST],
    ])(
      'a publisher that sleeps before any write while another publishes %s spoils nothing for good',
      async (_, fast) => {
        await atEveryWrite(async (number) => {
          const where = `asleep before write ${number}`;
          await publish(FIRST);
          gate.judge((write) => (write.number === number ? 'hold' : 'pass'));
          const sleeping = publish(SECOND, gated);
          const isOver =
            (await Promise.race([gate.held().then(() => false), sleeping.then(() => true)])) === true;
          if (!isOver) {
            const { is } = await publish(fast);
            if (is !== 'beaten') await expectOneOf([fast], where);
          }
          gate.release();
          const late = await sleeping;
          const head = await readFileSetHead(peel, states);
          // Whoever says that it has published is right.
          if (late.is === 'published' && head.is === 'whole')
            expect(
              head.files.map(({ path }) => path),
              where,
            ).toEqual(Object.keys(SECOND).sort());
          // The content of the sleeper may be in it until the next check. Nothing that is listed is gone.
          const read = await readTree(peel);
          if (read.is === 'torn') expect(read.problem, where).not.toContain('not there');
          await publish(fast);
          await expectSettled(fast, where);
          return isOver;
        });
      },
    );

    it('a publisher does not believe that it knows the bucket when somebody wrote to it meanwhile', async () => {
      const publisher = filePublisher(gated, states, quietRuntime);
      gate.judge(() => 'pass');
      await publisher.publish(filesOf(FIRST), { force: false });
      gate.judge(({ subject }) => (subject.endsWith('_manifest') ? 'hold' : 'pass'));
      const publishing = publisher.publish(filesOf({ ...FIRST, 'a.zy': 'a2' }), { force: false });
      await gate.held();
      await bus.bucket(states.bucket.name).put('b.zy', bytes('evil'));
      gate.release();
      expect(await publishing).toMatchObject({ is: 'published', written: 1 });
      expect(await readTree(peel)).toMatchObject({ is: 'torn' });
      expect(await publisher.publish(filesOf({ ...FIRST, 'a.zy': 'a2' }), { force: false })).toMatchObject({
        is: 'published',
        revision: 2,
        written: 1,
      });
      expect(await readTree(peel)).toMatchObject({ is: 'whole', revision: 2 });
    });

    /** Until `attempt` says that there was no such write any more. */
    async function atEveryWrite(attempt: (number: number) => Promise<boolean>): Promise<void> {
      for (let number = 1; ; number++) {
        expect(number).toBeLessThan(60);
        await wipe(bus);
        if (await attempt(number)) return expect(number).toBeGreaterThan(10);
      }
    }
  });
}

/** What could not be taken away is expected here. */
const quietRuntime = { log: { ...testRuntime.log, warn: () => undefined } };
