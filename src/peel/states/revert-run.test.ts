import { beforeEach, describe, expect, it } from 'vitest';
import { type EngineWorld, JID, webWorld } from '../../../test/harness/states/engine-world.ts';
import type { ExecResponse } from '../../wire/records/exec.ts';

let world: EngineWorld;

beforeEach(async () => {
  world = await webWorld();
});

describe('state.revert', () => {
  const COMMON_NAME = 'file.managed:/srv/common.conf';
  const WEB_NAME = 'file.managed:/srv/web.conf';
  const told = ({ results }: ExecResponse) => results.map(({ duration: _, ...rest }) => rest);
  const jobNumber = (number: number) => `${JID.slice(0, -4)}${String(number).padStart(4, '0')}`;

  it('undoes the last run in the opposite order, says what it cannot, and fails for that', async () => {
    await world.write({ '/srv/web.conf': 'by hand\n' });
    await world.run('state.apply', 'web');
    const dry = await world.run('state.revert', '', { test: true });
    expect([dry.test, await world.read('/srv/common.conf')]).toEqual([true, 'hello you at web']);
    const real = await world.run('state.revert');
    expect(told(real)).toEqual(told(dry));
    expect(real.success).toBe(false);
    expect(told(real)).toMatchObject([
      { name: 'cmd.run:reload', changed: false, error: 'not all of it can be undone' },
      { name: WEB_NAME, changed: true, error: '' },
      { name: COMMON_NAME, changed: true, error: '' },
    ]);
    expect(real.results[0]?.details.kept).toContain('reload web');
    expect(await world.read('/srv/web.conf')).toBe('by hand\n');
    expect(await world.read('/srv/common.conf')).toBeUndefined();
  });

  it('does not need the state files: they may be broken, renamed or gone', async () => {
    await world.run('state.apply', 'common');
    await world.states({ 'common.zy': 'renamed:\n  file.absnt: []\n' });
    const response = await world.run('state.revert');
    expect(response).toMatchObject({ success: true, results: [{ name: COMMON_NAME, changed: true }] });
    expect(await world.read('/srv/common.conf')).toBeUndefined();
  });

  it('asked again it says already reverted and goes no further back, until something is applied', async () => {
    await world.run('state.apply', 'common');
    await world.run('state.apply', 'web');
    await world.run('state.revert');
    const again = await world.run('state.revert');
    expect(again).toMatchObject({ success: true, results: [{ changed: false }, { changed: false }] });
    for (const { diff } of again.results) expect(diff).toContain(`already reverted by job ${jobNumber(3)}`);
    expect(await world.read('/srv/common.conf')).toBe('hello you at web');
    await world.run('state.apply', 'web');
    expect(await world.read('/srv/web.conf')).toBeDefined();
    expect((await world.run('state.revert')).results.map(({ changed }) => changed)).toEqual([false, true]);
    expect(await world.read('/srv/web.conf')).toBeUndefined();
    expect(await world.read('/srv/common.conf')).toBe('hello you at web');
  });

  it('by job id it undoes that run and nothing else', async () => {
    await world.run('state.apply', 'common');
    await world.run('state.apply', 'web');
    const first = await world.run('state.revert', jobNumber(1));
    expect(first).toMatchObject({ success: true, results: [{ name: COMMON_NAME, changed: true }] });
    expect(await world.read('/srv/web.conf')).toBeDefined();
    const unchanged = await world.run('state.revert', jobNumber(3));
    expect(unchanged).toMatchObject({ success: true });
    expect(unchanged.results[0]?.details.result).toBe(
      `nothing to revert: job ${jobNumber(3)} has changed nothing here`,
    );
  });

  it('names narrow it; one that is not on record is told and fails', async () => {
    await world.run('state.apply', 'web');
    expect(await world.run('state.revert', WEB_NAME)).toMatchObject({
      success: true,
      results: [{ name: WEB_NAME, changed: true }],
    });
    expect(await world.read('/srv/common.conf')).toBe('hello you at web');
    const both = await world.run('state.revert', jobNumber(1), {
      states: ['/srv/common.conf', '/srv/comon.conf'],
    });
    expect(both).toMatchObject({
      success: false,
      results: [
        { name: COMMON_NAME, changed: true },
        { name: '/srv/comon.conf', error: expect.stringContaining('did you mean /srv/common.conf?') },
      ],
    });
  });

  it('leaves alone what somebody changed since, and what that stands on', async () => {
    await world.run('state.apply', 'web');
    await world.write({ '/srv/web.conf': 'mine\n' });
    const response = await world.run('state.revert');
    expect(response.success).toBe(false);
    expect(told(response).slice(1)).toMatchObject([
      { name: WEB_NAME, changed: false, error: expect.stringContaining('is not what the run left') },
      {
        name: COMMON_NAME,
        skipped: true,
        skipReason: 'dependent_not_reverted',
        details: { because: WEB_NAME },
      },
    ]);
    expect(await world.read('/srv/web.conf')).toBe('mine\n');
    expect(await world.read('/srv/common.conf')).toBe('hello you at web');
  });

  it('has nothing to do where nothing was ever changed, and leaves nothing behind', async () => {
    const response = await world.run('state.revert');
    expect(response).toMatchObject({ success: true });
    expect(response.results[0]?.details.result).toContain('nothing to revert');
    expect(await world.system.files.lstat('/var/lib/zester')).toBeUndefined();
  });

  it('canceled it says of each state whether it was undone', async () => {
    await world.run('state.apply', 'web');
    world.signal.abort();
    const response = await world.run('state.revert');
    expect(response).toMatchObject({ success: false, error: 'execution canceled' });
    expect(await world.read('/srv/web.conf')).toBeDefined();
  });

  it('tells beforehand what it will do where states worked on one file or in one new directory', async () => {
    await world.states({
      'edits.zy': `
first: {file.managed: [{name: /srv/new/conf}, {contents: one}, {makedirs: true}]}
second: {file.append: [{name: /srv/new/conf}, {text: two}, {require: [first]}]}
beside: {file.managed: [{name: /srv/new/beside}, {contents: x}, {makedirs: true}]}
`,
    });
    await world.run('state.apply', 'edits');
    const foretold = told(await world.run('state.revert', '', { test: true }));
    expect(foretold).toMatchObject([{ changed: true }, { changed: true }, { changed: true }]);
    const done = await world.run('state.revert');
    expect([told(done), done.success]).toEqual([foretold, true]);
    expect(await world.system.files.stat('/srv/new')).toBeUndefined();
  });
});

describe('state.runs', () => {
  it('lists what the journal has, the latest first', async () => {
    const listed = async () => (await world.run('state.runs')).results[0]?.details.result ?? '';
    expect(await listed()).toBe('[]');
    await world.run('state.apply', 'common');
    await world.run('state.apply', 'web');
    await world.run('state.revert', 'file.managed:/srv/web.conf');
    const text = await listed();
    expect(text.indexOf('0003')).toBeLessThan(text.indexOf('0002'));
    expect(text).toContain('reverted: some');
    expect(text).toContain('file.managed:/srv/web.conf: reverted by job');
    expect(text).toMatch(/cmd\.run:reload: .*cannot be undone: .*reload web/);
    expect(text).toContain('file.managed:/srv/common.conf: can be undone');
    expect((await world.run('state.runs', '', { limit: 1 })).results[0]?.details.result).not.toContain(
      '0002',
    );
  });
});
