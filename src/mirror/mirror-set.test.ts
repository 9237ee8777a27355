import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PublishedTexts } from '../../test/harness/mirror/mirror-disk.ts';
import { CACHE } from '../../test/harness/mirror/mirror-disk.ts';
import { MirrorWorld } from '../../test/harness/mirror/mirror-world.ts';
import type { Files } from '../system/files.ts';
import { MANIFEST_KEY, REVISION_KEY, SPREAD_KEY } from '../wire/names/keys.ts';
import { FILE_VALUE_BYTES_MAX } from '../wire/names/limits.ts';
import { CATCH_UP_MS } from './mirror-set.ts';

const ONE: PublishedTexts = { 'top.zy': 'base', 'web/init.zy': 'one', gone: 'x' };
const TWO: PublishedTexts = { 'top.zy': 'base', 'web/init.zy': 'two', moved: 'x', 'new/file': 'n' };
/** Default spread, the time of the reads, and a little. */
const SOON_MS = 1_000;

let world: MirrorWorld;
const fetched = () => world.reads.filter((key) => !key.startsWith('_'));
const problem = () => world.mirror.state().problem;

beforeEach(async () => {
  world = await MirrorWorld.open();
});

describe('a mirror of a published set', () => {
  it('is empty before the first publish, and says so', async () => {
    await world.start();
    await world.clock.advance(SOON_MS);
    expect(world.mirror.state()).toEqual({ revision: 0, published: 'empty', problem: '' });
    expect(await world.mirror.pin()).toBeUndefined();
    expect(world.machine.look('/data')).toHaveLength(1);
  });

  it('has what was published, within its share of the spread', async () => {
    await world.start();
    await world.clock.advance(SOON_MS);
    await world.publish(ONE);
    await world.clock.advance(SOON_MS);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
    expect(world.mirror.state()).toEqual({ revision: 1, published: 'whole', problem: '' });
    await world.publish(TWO);
    world.reads = [];
    await world.clock.advance(SOON_MS);
    expect(await world.read()).toEqual({ revision: 2, texts: TWO });
    expect(fetched()).toEqual(['new/file', 'web/init.zy']);
  });

  it('waits as long as the publisher says, each peel its own part', async () => {
    await world.whileTimePasses(world.bucket().put(SPREAD_KEY, Buffer.from('60000')));
    await world.start();
    await world.clock.advance(60_000);
    await world.publish(ONE);
    await world.clock.advance(SOON_MS);
    expect(await world.read()).toBeUndefined();
    await world.clock.advance(60_000);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
  });

  it('waits by the spread also after a start, where the revision is told first', async () => {
    await world.whileTimePasses(world.bucket().put(SPREAD_KEY, Buffer.from('60000')));
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(SOON_MS);
    expect(await world.read()).toBeUndefined();
    await world.clock.advance(60_000);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
  });

  it('does nothing again for the revision that it has, also after a restart', async () => {
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(SOON_MS);
    world.crash('powerLoss');
    await world.start();
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
    world.reads = [];
    await world.clock.advance(60_000);
    expect([fetched(), world.changes]).toEqual([[], 1]);
  });

  it('has its tree without NATS', async () => {
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(SOON_MS);
    world.crash('powerLoss');
    world.server.stop();
    await world.start();
    await world.clock.advance(60_000);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
    expect(world.mirror.state()).toEqual({ revision: 1, published: undefined, problem: '' });
    world.server.start();
    await world.clock.advance(SOON_MS);
    await world.publish(TWO);
    await world.clock.advance(SOON_MS);
    expect(await world.read()).toEqual({ revision: 2, texts: TWO });
  });

  it('fetches large files from the object store, and checks them', async () => {
    const large = { big: 'x'.repeat(FILE_VALUE_BYTES_MAX + 1), small: 'y' };
    await world.publish(large);
    await world.start();
    await world.clock.advance(SOON_MS);
    const found = await world.read();
    expect(found?.texts.big === large.big && found.texts.small === large.small).toBe(true);
    expect(fetched().some((key) => key.startsWith('blob '))).toBe(true);
  });

  it('keeps what it has when the bucket is emptied', async () => {
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(SOON_MS);
    for (const key of await world.whileTimePasses(world.bucket().keys('>')))
      await world.whileTimePasses(world.bucket().erase(key));
    await world.clock.advance(120_000);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
    expect(world.mirror.state()).toEqual({ revision: 1, published: 'empty', problem: '' });
  });

  it('tells what differs from what is published, file by file', async () => {
    await world.start();
    await world.clock.advance(SOON_MS);
    const difference = () => world.whileTimePasses(world.mirror.difference());
    expect(await difference()).toMatchObject({
      directory: '',
      revision: 0,
      mirrored: 0,
      note: 'nothing is published',
    });
    await world.publish(ONE);
    expect(await difference()).toMatchObject({
      mirrored: 0,
      removed: ['gone', 'top.zy', 'web/init.zy'],
      note: '',
    });
    await world.clock.advance(SOON_MS);
    expect(await difference()).toMatchObject({
      ...{ set: 'states', directory: CACHE, revision: 1, mirrored: 1 },
      ...{ added: [], changed: [], removed: [], omitted: 0, note: '' },
    });
    const { files } = world.machine.boot();
    await files.writeAtomic(`${CACHE}/top.zy`, Buffer.from('by hand'));
    await files.writeAtomic(`${CACHE}/mine`, Buffer.from('x'));
    await files.removeFile(`${CACHE}/gone`);
    expect(await difference()).toMatchObject({ added: ['mine'], changed: ['top.zy'], removed: ['gone'] });
    await world.whileTimePasses(world.bucket().erase(MANIFEST_KEY));
    expect(await difference()).toMatchObject({
      revision: 0,
      note: 'what is published is incomplete: there is a revision and no manifest',
    });
  });

  it('looks at once when somebody asks', async () => {
    await world.whileTimePasses(world.bucket().put(SPREAD_KEY, Buffer.from('60000')));
    await world.start();
    await world.clock.advance(60_000);
    await world.publish(ONE);
    await world.whileTimePasses(world.mirror.lookNow());
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
    world.mirror.stop();
    await world.mirror.lookNow();
  });

  it('a revision that comes while it fetches is fetched after it', async () => {
    await world.publish(ONE);
    let published = 0;
    world.busFault = (key) => {
      if (key === 'web/init.zy' && published++ === 0) void world.publish(TWO);
      return undefined;
    };
    await world.start();
    await world.clock.advance(5_000);
    expect(await world.read()).toEqual({ revision: 2, texts: TWO });
  });

  it('does not let two passes run at a time', async () => {
    await world.publish(ONE);
    let [running, most] = [0, 0];
    world.systemFault = ({ name, path }) => {
      if (name === 'makeDirectory' && path.endsWith('/.stage')) most = Math.max(most, ++running);
      // It got its name, or was swept away after a failure.
      if (name === 'rename' && path.startsWith(`${CACHE}.trees/`)) running = 0;
      if (name === 'removeDirectory' && path.endsWith('/.stage')) running = 0;
      return { delayMs: 1 };
    };
    await world.start();
    for (let count = 0; count < 20; count++) {
      await world.publish({ ...ONE, count: String(count) });
      void world.mirror.lookNow();
    }
    await world.clock.advance(30_000);
    expect(most).toBe(1);
    expect((await world.whileTimePasses(world.read()))?.texts).toEqual({ ...ONE, count: '19' });
  });
});

describe('a set that does not belong together', () => {
  const torn: readonly (readonly [what: string, tear: () => Promise<unknown>, told: string])[] = [
    [
      'a revision without a manifest',
      () => world.bucket().erase(MANIFEST_KEY),
      'there is a revision and no manifest',
    ],
    [
      'a manifest of another revision',
      () => world.bucket().put(REVISION_KEY, Buffer.from('7')),
      'another revision',
    ],
    [
      'a file that is missing',
      () => world.bucket().erase('web/init.zy'),
      'web/init.zy is listed and not there',
    ],
    [
      'a file of other content',
      () => world.bucket().put('web/init.zy', Buffer.from('forged')),
      'web/init.zy has another content than is listed',
    ],
  ];

  it.each(torn)('%s: the tree before stays, the problem is told, and it heals', async (_, tear, told) => {
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(SOON_MS);
    world.mirror.stop();
    await world.publish(TWO);
    await world.whileTimePasses(tear());
    await world.start();
    await world.clock.advance(SOON_MS);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
    expect(problem()).toContain(told);
    expect(problem()).toMatch(/^the published states are incomplete: /);
    await world.publish(TWO, { force: true });
    await world.clock.advance(40_000);
    expect((await world.read())?.texts).toEqual(TWO);
    expect(problem()).toBe('');
  });

  it('is tried again after 1 to 30 seconds, not all the time', async () => {
    await world.publish(ONE);
    await world.whileTimePasses(world.bucket().erase('web/init.zy'));
    await world.start();
    await world.clock.advance(10 * 60_000);
    const tries = world.reads.filter((key) => key === 'web/init.zy').length;
    expect(tries).toBeGreaterThan(15);
    expect(tries).toBeLessThan(50);
    const warnings = world.logs.filter(({ level }) => level === 'warn');
    expect(warnings).toHaveLength(1);
  });
});

describe('a copy of the bucket that lags', () => {
  it('is not taken for the truth when it does not have the newest revision yet', async () => {
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(SOON_MS);
    const old = new Map(
      await Promise.all(
        [REVISION_KEY, MANIFEST_KEY].map(
          async (key) => [key, await world.whileTimePasses(world.bucket().get(key))] as const,
        ),
      ),
    );
    let lagged = 0;
    world.busFault = (key) => {
      const answer = old.get(key);
      return answer !== undefined && lagged++ < 4 ? { answer } : undefined;
    };
    await world.publish(TWO);
    await world.clock.advance(5_000);
    expect(lagged).toBeGreaterThan(4);
    expect(await world.read()).toEqual({ revision: 2, texts: TWO });

    // And one that is behind what we have is no reason to go back.
    lagged = -4;
    await world.whileTimePasses(world.mirror.lookNow());
    expect((await world.read())?.revision).toBe(2);
  });

  it('that stays so for seconds is a store that lost writes: what it says counts', async () => {
    await world.publish(ONE);
    const restore = world.server.snapshot();
    await world.publish(TWO);
    await world.start();
    await world.clock.advance(SOON_MS);
    expect((await world.read())?.revision).toBe(2);
    restore();
    await world.clock.advance(120_000);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
  });
});

describe('a bus that fails', () => {
  it.each(['fail', 'hang'] as const)(
    'at any one read (%s) costs a try, never the tree, and the newest is reached',
    async (how) => {
      for (let failing = 0, isOver = false; !isOver; failing++) {
        world = await MirrorWorld.open();
        await world.publish(ONE);
        await world.start();
        await world.clock.advance(SOON_MS);
        await world.publish(TWO);
        world.reads = [];
        world.busFault = (_, index) => (index === failing ? how : undefined);
        await world.clock.advance(SOON_MS);
        isOver = world.reads.length <= failing;
        const found = await world.read();
        const isWhole = [ONE, TWO].some((texts) => isDeepStrictEqual(found?.texts, texts));
        expect([failing, isWhole]).toEqual([failing, true]);
        if (how === 'hang') {
          // Nothing waits for ever on a real bus; here the peel is restarted.
          world.crash('crash');
          await world.start();
        }
        await world.clock.advance(10_000);
        expect([failing, await world.read()]).toEqual([failing, { revision: 2, texts: TWO }]);
      }
    },
  );

  it('that is cut off in the middle: the tree stays, no problem of the files is told, and it goes on', async () => {
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(SOON_MS);
    await world.publish(TWO);
    let cut = false;
    world.busFault = (key) => {
      if (key !== 'web/init.zy' || cut) return undefined;
      cut = true;
      world.server.stop();
      return undefined;
    };
    await world.clock.advance(10_000);
    expect([cut, await world.read(), problem()]).toEqual([true, { revision: 1, texts: ONE }, '']);
    world.server.start();
    await world.clock.advance(10_000);
    expect(await world.read()).toEqual({ revision: 2, texts: TWO });
  });
});

describe('a machine that fails', () => {
  it('at any one call: one whole tree or the other, the problem is told or over, and the newest is reached', async () => {
    let most = 0;
    for (let failing = 0, isOver = false; !isOver; failing += 5) {
      world = await MirrorWorld.open();
      await world.publish(ONE);
      await world.start();
      await world.clock.advance(SOON_MS);
      await world.publish(TWO);
      let calls = 0;
      world.systemFault = () => (calls++ === failing ? { fail: 'ENOSPC' } : undefined);
      await world.clock.advance(SOON_MS);
      isOver = calls <= failing;
      most = calls;
      world.systemFault = () => undefined;
      const found = await world.read();
      const isWhole = [ONE, TWO].some((texts) => isDeepStrictEqual(found?.texts, texts));
      expect([failing, isWhole]).toEqual([failing, true]);
      await world.clock.advance(10_000);
      expect([failing, await world.read(), problem()]).toEqual([failing, { revision: 2, texts: TWO }, '']);
    }
    expect(most).toBeGreaterThan(50);
  });

  it('when its disk cannot be read at the start: the problem is told, without NATS too, and it goes on', async () => {
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(SOON_MS);
    world.crash('crash');
    world.server.stop();
    world.systemFault = () => ({ fail: 'EIO' });
    await world.start();
    await world.clock.advance(SOON_MS);
    expect([await world.mirror.pin(), problem()]).toEqual([undefined, expect.stringContaining('EIO')]);
    world.systemFault = () => undefined;
    await world.clock.advance(40_000);
    expect([await world.read(), problem()]).toEqual([{ revision: 1, texts: ONE }, '']);
  });

  it.each(['crash', 'powerLoss'] as const)(
    'that goes down (%s) at any call comes back with one whole tree',
    async (how) => {
      for (let deadly = 0, isOver = false; !isOver; deadly += 7) {
        world = await MirrorWorld.open();
        await world.publish(ONE);
        await world.start();
        await world.clock.advance(SOON_MS);
        await world.publish(TWO);
        let calls = 0;
        world.systemFault = () => (calls++ >= deadly ? 'hang' : undefined);
        await world.clock.advance(SOON_MS);
        isOver = calls <= deadly;
        world.crash(how);
        world.systemFault = () => undefined;
        world.server.stop();
        await world.start();
        const found = await world.read();
        const isWhole = [ONE, TWO].some((texts) => isDeepStrictEqual(found?.texts, texts));
        expect([deadly, isWhole]).toEqual([deadly, true]);
        world.server.start();
        await world.clock.advance(10_000);
        expect([deadly, await world.read()]).toEqual([deadly, { revision: 2, texts: TWO }]);
      }
    },
  );
});

describe('a mirror that can only be replaced in place', () => {
  it('waits for whoever reads, says why, and goes on when they are done', async () => {
    await world.machine.boot().files.makeDirectory(CACHE, { parents: true });
    world.systemFault = ({ name, path }) =>
      name === 'removeDirectory' && path === CACHE ? { fail: 'EBUSY' } : undefined;
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(SOON_MS);
    const reader = await world.mirror.pin();
    await world.publish(TWO);
    await world.clock.advance(3 * 60_000);
    expect([(await world.read())?.texts, problem()]).toEqual([
      ONE,
      expect.stringContaining('in use by a run'),
    ]);
    reader?.release();
    await world.clock.advance(100);
    expect([await world.read(), problem()]).toEqual([{ revision: 2, texts: TWO }, '']);
  });
});

describe('a mirror whose reader wants the newest', () => {
  const catchUp = () => world.whileTimePasses(world.mirror.catchUp());

  /** With a spread that nobody would wait out. */
  async function mirrored(): Promise<void> {
    await world.whileTimePasses(world.bucket().put(SPREAD_KEY, Buffer.from('60000')));
    await world.publish(ONE);
    await world.start();
    await world.clock.advance(61_000);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
  }

  it('fetches what was published just now at once, not in its share of the spread', async () => {
    await mirrored();
    await world.publish(TWO);
    const fromMs = world.clock.monotonicMs();
    expect(await catchUp()).toBe('');
    expect(world.clock.monotonicMs() - fromMs).toBeLessThan(CATCH_UP_MS);
    expect(await world.read()).toEqual({ revision: 2, texts: TWO });
  });

  it('asks for one key where it has the newest already', async () => {
    await mirrored();
    world.reads = [];
    expect(await catchUp()).toBe('');
    expect(world.reads).toEqual([REVISION_KEY]);
  });

  it('has nothing to say where nothing is published, and without NATS', async () => {
    await world.start();
    await world.clock.advance(SOON_MS);
    expect(await catchUp()).toBe('');
    world.server.stop();
    await world.clock.advance(SOON_MS);
    expect(await catchUp()).toBe('');
  });

  it('says within its time what is missing when it cannot be fetched, and keeps what it has', async () => {
    await mirrored();
    await world.publish(TWO);
    world.busFault = (key) => (key === 'web/init.zy' ? 'hang' : undefined);
    const fromMs = world.clock.monotonicMs();
    expect(await catchUp()).toBe('revision 2 of the states is published and not here yet');
    expect(world.clock.monotonicMs() - fromMs).toBeLessThanOrEqual(CATCH_UP_MS + 100);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
  });

  it('says why it cannot be fetched', async () => {
    await mirrored();
    await world.publish(TWO);
    await world.whileTimePasses(world.bucket().put('web/init.zy', Buffer.from('by somebody')));
    expect(await catchUp()).toMatch(
      /^revision 2 of the states is published and not here yet: .*web\/init\.zy/,
    );
  });

  it.each(['fail', 'hang'] as const)('says that it could not ask (%s)', async (how) => {
    await mirrored();
    world.busFault = () => how;
    expect(await catchUp()).toMatch(/^whether these are the newest states could not be asked: /);
  });

  it('takes an answer that lags behind what it has for no news', async () => {
    await mirrored();
    const old = await world.whileTimePasses(world.bucket().get(REVISION_KEY));
    await world.publish(TWO);
    expect(await catchUp()).toBe('');
    world.busFault = () => ({ answer: old });
    world.reads = [];
    expect([await catchUp(), world.reads]).toEqual(['', [REVISION_KEY]]);
  });

  it.each<[string, (files: Files) => Promise<unknown>]>([
    ['changed', (files) => files.writeAtomic(`${CACHE}/top.zy`, Buffer.from('evil'))],
    ['removed', (files) => files.removeFile(`${CACHE}/top.zy`)],
    ['added', (files) => files.writeAtomic(`${CACHE}/mine.zy`, Buffer.from('x'))],
    ['removed a directory of', (files) => files.removeTree(`${CACHE}/web`)],
  ])('puts right what somebody %s, also after a restart', async (_, harm) => {
    await mirrored();
    await harm(world.machine.boot().files);
    world.reads = [];
    expect(await catchUp()).toBe('');
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
    await harm(world.machine.boot().files);
    world.crash('crash');
    await world.start();
    await world.clock.advance(SOON_MS);
    expect(await catchUp()).toBe('');
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
  });

  it('puts it right by itself in the end', async () => {
    await mirrored();
    await world.machine.boot().files.removeFile(`${CACHE}/top.zy`);
    await world.clock.advance(900_000);
    expect(await world.read()).toEqual({ revision: 1, texts: ONE });
  });

  it('says that it could not', async () => {
    await mirrored();
    await world.machine.boot().files.removeFile(`${CACHE}/top.zy`);
    world.busFault = (key) => (key === 'top.zy' ? 'fail' : undefined);
    expect(await catchUp()).toMatch(/^somebody has changed files of revision 1 of the states here/);
  });
});
