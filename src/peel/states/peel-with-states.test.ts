/** A whole peel with its state engine in virtual time: killed at every call to its machine, and what becomes of it. */
import { describe, expect, it } from 'vitest';
import { PeelWorld } from '../../../test/harness/peel/peel-world.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { type ExecResponse, execResponseCodec } from '../../wire/records/exec.ts';
import type { Return } from '../../wire/records/job-return.ts';

const CONF = `
/srv/conf:
  file.managed:
    - contents: new
    - mode: 600
/srv/made:
  file.directory: []
/srv/made/inside:
  file.managed:
    - contents: x
    - require: [file: /srv/made]
/srv/gone:
  file.absent: []
`;

/** What the states touch, as it was before them. */
const BEFORE: Readonly<Record<string, string>> = { '/srv/conf': 'old\n', '/srv/gone': 'kept\n' };

/** Long enough for everything that a peel does, pauses between tries included. */
const SOON_MS = 30_000;

async function worldWithStates(): Promise<PeelWorld> {
  const world = await PeelWorld.open({ withStates: true });
  const { files } = world.machine.boot();
  for (const dir of ['/states', '/srv']) await files.makeDirectory(dir, { parents: true });
  await files.writeAtomic('/states/conf.zy', Buffer.from(CONF));
  for (const [path, text] of Object.entries(BEFORE))
    await files.writeAtomic(path, Buffer.from(text), { mode: 0o644 });
  world.startPeel();
  await world.advance(5_000);
  return world;
}

/** Kept apart from the peel's own life: a dead one does not answer. */
async function tree(world: PeelWorld): Promise<Record<string, string>> {
  const { files } = world.machine.boot();
  const entries = (await files.walk('/srv')) ?? [];
  const found: Record<string, string> = {};
  for (const { path, stat } of entries) {
    const bytes = stat.kind === 'file' ? await files.read(`/srv/${path}`) : undefined;
    const text = bytes === undefined ? stat.kind : Buffer.from(bytes).toString('utf8');
    // A temporary file of a write that was cut off is not what a state made.
    if (!/\.zester-[0-9a-f]+\.tmp$/.test(path)) found[`/srv/${path}`] = `${stat.mode.toString(8)} ${text}`;
  }
  return found;
}

async function run(world: PeelWorld, module: string, id = ''): Promise<Jid> {
  const request = { ...world.request(module, { id }), args: {} };
  world.send(request);
  await world.advance(SOON_MS);
  return request.jid;
}

async function onlyReturn(world: PeelWorld, jid: Jid): Promise<Return> {
  const returns = await world.returnsOf(jid);
  expect(returns).toHaveLength(1);
  return returns[0] as Return;
}

const responseIn = ({ returnData }: Return): ExecResponse => execResponseCodec.decode(returnData);

describe('a peel with states', () => {
  it('applies and reverts through jobs', async () => {
    const world = await worldWithStates();
    const before = await tree(world);
    const applied = await onlyReturn(world, await run(world, 'state.apply', 'conf'));
    expect([applied.success, responseIn(applied).results.length]).toEqual([true, 4]);
    expect(await tree(world)).toEqual({
      '/srv/conf': '600 new\n',
      '/srv/made': '755 directory',
      '/srv/made/inside': '644 x\n',
    });
    const reverted = await onlyReturn(world, await run(world, 'state.revert'));
    expect([reverted.success, await tree(world)]).toEqual([true, before]);
  });

  it('lets a dry run wait for what is at work, and a question not', async () => {
    const world = await worldWithStates();
    const ask = (module: string, id: string, args: WireMap = {}) => {
      const request = { ...world.request(module, { id }), args };
      world.send(request);
      return request.jid;
    };
    const busy = ask('test.sleep', '20s');
    const dry = ask('state.apply', 'conf', { test: true });
    const question = ask('state.runs', '');
    await world.advance(10_000);
    expect(
      await Promise.all([busy, dry, question].map(async (jid) => (await world.returnsOf(jid)).length)),
    ).toEqual([0, 0, 1]);
    await world.advance(SOON_MS);
    expect(responseIn(await onlyReturn(world, dry))).toMatchObject({ test: true, success: true });
  });

  it('warns at its start when there are no state files, and uses them as soon as they are there', async () => {
    const world = await PeelWorld.withPeel({ withStates: true });
    expect(
      world.logged('states engine unavailable at boot; will build when state files appear'),
    ).toHaveLength(1);
    const refused = await onlyReturn(world, await run(world, 'state.apply', 'conf'));
    expect(refused.error).toContain('states engine unavailable: no states directory exists yet');
    const { files } = world.machine.boot();
    await files.makeDirectory('/states');
    await files.writeAtomic('/states/conf.zy', Buffer.from('a:\n  test.nop: []\n'));
    expect((await onlyReturn(world, await run(world, 'state.apply', 'conf'))).success).toBe(true);
  });

  it('killed at any call while it applies: the job is interrupted or done, and a revert brings back what was there', async () => {
    const calls = await countCalls();
    expect(calls).toBeGreaterThan(40);
    for (let at = 0; at < calls; at++) await crashAndRevert(at);
  }, 120_000);
});

/** Calls to the machine from the dispatch until the job has returned. */
async function countCalls(): Promise<number> {
  const world = await worldWithStates();
  let calls = 0;
  world.crashHook = ({ name }) => {
    if (isOfStates(name)) calls += 1;
    return false;
  };
  await run(world, 'state.apply', 'conf');
  return calls;
}

/** Reading the machine for facts, and the job book, have tests of their own. */
function isOfStates(name: string): boolean {
  return /\/srv|\/undo|\/states/.test(name);
}

async function crashAndRevert(at: number): Promise<void> {
  const world = await worldWithStates();
  const before = await tree(world);
  let calls = 0;
  world.crashHook = ({ name }) => {
    if (!isOfStates(name) || calls++ !== at) return false;
    // After this call has been asked for and before it has an effect.
    world.crash(at % 2 === 0 ? 'kill' : 'power');
    return true;
  };
  const jid = await run(world, 'state.apply', 'conf');
  world.crashHook = () => false;
  world.startPeel();
  await world.advance(SOON_MS);
  const { error } = await onlyReturn(world, jid);
  expect([at, error]).toEqual([at, 'interrupted by restart']);
  const reverted = await onlyReturn(world, await run(world, 'state.revert'));
  expect([at, reverted.success, responseIn(reverted).results.filter(({ error }) => error !== '')]).toEqual([
    at,
    true,
    [],
  ]);
  expect([at, await tree(world)]).toEqual([at, before]);
}
