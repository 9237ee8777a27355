/** A peel that is killed while a command of it runs, in virtual time: the command lives on, and the next life ends it. */
import { describe, expect, it } from 'vitest';
import { DATA_DIR, PeelWorld } from '../../../test/harness/peel/peel-world.ts';
import type { FakeProcess, ProgramTable } from '../../system/memory/memory-process-calls.ts';
import type { ExecRequest } from '../../wire/records/exec.ts';

const LONG_MS = 120_000;
const STATES = `
guarded:
  cmd.run:
    - name: quick
    - onlyif: long in a guard
`;

/** Commands whose text says `long` run for a while; how each began and ended. */
function commands(onStart: (process: FakeProcess) => void = () => undefined) {
  const begun: string[] = [];
  const done: string[] = [];
  const pids: number[] = [];
  const programs: ProgramTable = () => async (process) => {
    const text = process.argv.at(-1) ?? '';
    begun.push(text);
    pids.push(process.pid);
    onStart(process);
    if (text.includes('long')) await process.sleep(LONG_MS);
    done.push(text);
    return 0;
  };
  return { programs, begun, done, pids };
}

async function worldWith(programs: ProgramTable): Promise<PeelWorld> {
  const world = await PeelWorld.open({ withStates: true, programs });
  const { files } = world.machine.boot();
  await files.makeDirectory('/states');
  await files.writeAtomic('/states/guarded.zy', Buffer.from(STATES));
  world.startPeel();
  await world.advance(5_000);
  return world;
}

/** Without the arguments that count runs in other tests. */
function plain(world: PeelWorld, module: string, given: Partial<ExecRequest> = {}): ExecRequest {
  return { ...world.request(module, given), args: {}, ...given };
}

describe('a command that outlives its peel', () => {
  it.each([
    ['of a job', 'cmd.run', 'long', 'long'],
    ['of a state', 'state.single', 'cmd.run', 'long state'],
    ['of a guard', 'state.apply', 'guarded', 'long in a guard'],
  ])('%s is ended, and its row says so', async (_, module, id, text) => {
    const { programs, begun, done, pids } = commands();
    const world = await worldWith(programs);
    const args = module === 'state.single' ? { name: text } : {};
    const asked = plain(world, module, { id, args });
    world.send(asked);
    await world.advance(1_000);
    expect(begun).toEqual([text]);
    world.crash('kill alone');
    expect(world.machine.isAlive(pids[0] ?? 0)).toBe(true);
    world.startPeel();
    await world.advance(5_000);
    expect(await world.returnsOf(asked.jid)).toMatchObject([
      {
        success: false,
        error: `interrupted by restart; its command (pid ${pids[0]}) was still running and was ended`,
      },
    ]);
    await world.advance(2 * LONG_MS);
    expect([begun, done, world.machine.isAlive(pids[0] ?? 0)]).toEqual([[text], [], false]);
    expect(await world.files(`${DATA_DIR}/commands`)).toEqual([]);
  });

  it('ends before anything else changes the machine; questions are answered meanwhile', async () => {
    const { programs, begun, pids } = commands((process) => {
      if (process.argv.at(-1) === 'long') process.ignoreTerm();
    });
    const world = await worldWith(programs);
    world.send(plain(world, 'cmd.run', { id: 'long' }));
    await world.advance(1_000);
    world.crash('kill alone');
    world.startPeel();
    await world.advance(500);
    const [change, question] = [plain(world, 'cmd.run', { id: 'next' }), plain(world, 'test.ping')];
    world.send(change);
    world.send(question);
    await world.advance(1_000);
    expect([begun, world.machine.isAlive(pids[0] ?? 0)]).toEqual([['long'], true]);
    expect(await world.returnsOf(question.jid)).toMatchObject([{ success: true }]);
    await world.advance(10_000);
    expect([begun, world.machine.isAlive(pids[0] ?? 0)]).toEqual([['long', 'next'], false]);
    expect(await world.returnsOf(change.jid)).toMatchObject([{ success: true }]);
  });

  it('that nothing can end keeps changes waiting, with that reason, until it is gone', async () => {
    const { programs, begun, pids } = commands((process) => {
      if (process.argv.at(-1) === 'long') process.ignoreKill();
    });
    const world = await worldWith(programs);
    const stuck = plain(world, 'cmd.run', { id: 'long' });
    world.send(stuck);
    await world.advance(1_000);
    world.crash('kill alone');
    world.startPeel();
    await world.advance(20_000);
    expect(await world.returnsOf(stuck.jid)).toMatchObject([
      { error: expect.stringContaining('could not be ended: it may still run') },
    ]);
    const deadline = plain(world, 'x').deadline ?? 0n;
    const soon = plain(world, 'cmd.run', { id: 'soon', deadline: deadline - 295_000_000_000n });
    const later = plain(world, 'cmd.run', { id: 'later' });
    world.send(soon);
    world.send(later);
    await world.advance(20_000);
    expect(await world.returnsOf(soon.jid)).toMatchObject([
      {
        outcome: 'expired',
        error: `expired: not started before its deadline, it waited behind a command of interrupted job ${stuck.jid} (pid ${pids[0]}), which cannot be ended`,
      },
    ]);
    expect(begun).toEqual(['long']);
    await world.advance(LONG_MS);
    expect(begun).toEqual(['long', 'later']);
    expect(await world.returnsOf(later.jid)).toMatchObject([{ success: true }]);
    expect(await world.returnsOf(stuck.jid)).toHaveLength(1);
  });

  it('that ended by itself, or with its machine, is told as what it is', async () => {
    const { programs } = commands();
    const world = await worldWith(programs);
    const crashed = async (how: 'kill' | 'power') => {
      const asked = plain(world, 'cmd.run', { id: 'long' });
      world.send(asked);
      await world.advance(1_000);
      world.crash(how);
      world.startPeel();
      await world.advance(5_000);
      return (await world.returnsOf(asked.jid)).map(({ error }) => error);
    };
    expect(await crashed('kill')).toEqual(['interrupted by restart; its command was no longer running']);
    expect(await crashed('power')).toEqual(['interrupted by restart']);
  });

  it('killed again while it ends it, the next life goes on', async () => {
    const { programs, begun, pids } = commands((process) => process.ignoreTerm());
    const world = await worldWith(programs);
    const asked = plain(world, 'cmd.run', { id: 'long' });
    world.send(asked);
    await world.advance(1_000);
    for (let life = 0; life < 3; life++) {
      world.crash('kill alone');
      world.startPeel();
      await world.advance(life < 2 ? 500 : 10_000);
    }
    expect((await world.returnsOf(asked.jid)).map(({ error }) => error)).toEqual([
      `interrupted by restart; its command (pid ${pids[0]}) was still running and was ended`,
    ]);
    expect([begun, world.machine.isAlive(pids[0] ?? 0)]).toEqual([['long'], false]);
  });
});
