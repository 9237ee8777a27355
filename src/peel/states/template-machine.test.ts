import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';
import { TEMPLATE_CALL_MS_MAX, templateMachine } from './template-machine.ts';

function world(onlyLooks = false) {
  const ran: string[] = [];
  const memory = memoryContext(
    { role: 'web' },
    {
      programs: () => async (program) => {
        const command = program.argv.at(-1) ?? '';
        ran.push(command);
        if (command === 'hang') await program.sleep(10 * TEMPLATE_CALL_MS_MAX);
        program.print(`${command} in ${program.cwd}\n`);
        program.printError('oops');
        return command === 'bad' ? 3 : 0;
      },
    },
  );
  const machine = templateMachine(memory.context, onlyLooks ? 'dry run' : undefined);
  const call = (name: string, positional: readonly WireValue[] = [], named: WireMap = {}) =>
    machine.callFunction(name, positional, named);
  const failure = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    if (!isZesterError(error)) throw error;
    return error;
  };
  return { memory, machine, call, failure, ran };
}

describe('functions that templates call', () => {
  it('get positional arguments in the order of the parameters, and answer with their result', async () => {
    const { call } = world();
    expect(await call('facts.get', ['role'])).toBe('web');
    expect(await call('facts.get', ['none', 'fallback'])).toBe('fallback');
    expect(await call('facts.get', ['none'], { default: 5 })).toBe(5);
    expect(await call('cmd.run', ['ls', '/tmp'])).toBe('ls in /tmp');
  });

  it.each([
    [['role', 'x', 'y'], {}, 'at most 2 arguments'],
    [['role'], { key: 'x' }, 'key was given twice'],
    [['role'], { defualt: 1 }, 'did you mean default?'],
  ] as const)('refuse %j %j', async (positional, named, message) => {
    const { call, failure } = world();
    expect((await failure(call('facts.get', positional, named))).message).toContain(message);
  });

  it('a failure is told with what it printed', async () => {
    const { call, failure } = world();
    const error = await failure(call('cmd.run', ['bad']));
    expect([error.code, error.message]).toEqual([
      'STATE_TEMPLATE_CALL',
      'cmd.run failed: exited with 3: oops',
    ]);
  });

  it('are cut off after a minute', async () => {
    const { call, failure, memory } = world();
    let over = false;
    const work = failure(call('cmd.run', ['hang'])).finally(() => {
      over = true;
    });
    await memory.clock.advance(TEMPLATE_CALL_MS_MAX - 1_000);
    expect(over).toBe(false);
    await memory.clock.advance(20_000);
    expect((await work).code).toBe('STATE_TEMPLATE_CALL');
  });

  it('may only look where states are only looked at', async () => {
    const { call, failure, ran } = world(true);
    expect((await failure(call('cmd.run', ['ls']))).code).toBe('STATE_TEMPLATE_ACTION');
    expect((await failure(call('facts.set', ['role', 'db']))).code).toBe('STATE_TEMPLATE_ACTION');
    expect(await call('facts.get', ['role'])).toBe('web');
    expect(ran).toEqual([]);
  });
});

describe('what templates ask of the machine', () => {
  it('finds programs that can be run, by name or by path', async () => {
    const { machine, memory } = world();
    const { files } = memory.context.system;
    await files.makeDirectory('/usr/bin', { parents: true });
    await files.writeAtomic('/usr/bin/git', Buffer.from(''), { mode: 0o755 });
    await files.writeAtomic('/usr/bin/notes', Buffer.from(''), { mode: 0o644 });
    const names = ['git', '/usr/bin/git', 'notes', 'none', '../bin/git', ''];
    expect(await Promise.all(names.map((name) => machine.hasProgram(name)))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('knows users', async () => {
    const { machine } = world();
    expect(await machine.userInfo('root')).toEqual({
      name: 'root',
      uid: 0,
      gid: 0,
      home: '/root',
      shell: '/bin/sh',
      groups: ['root'],
    });
    expect(await machine.userInfo('nobody-here')).toEqual({});
  });
});
