import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { FaultHook, SystemCall } from './memory-gate.ts';
import { type MemoryMachine, memoryMachine } from './memory-machine.ts';
import type { ProgramTable } from './memory-process-calls.ts';

const bytes = (text: string) => Buffer.from(text);

function machineWith(fault: FaultHook = () => undefined, programs: ProgramTable = () => undefined) {
  const clock = virtualClock();
  return { clock, machine: memoryMachine({ clock, random: seededRandom(1), fault, programs }) };
}

async function textAt(machine: MemoryMachine, path: string): Promise<string | undefined> {
  const content = await machine.boot().files.read(path);
  return content && Buffer.from(content).toString();
}

/** Lets everything that is ready run. */
const turnOver = () => new Promise((resolve) => setImmediate(resolve));

describe('a look from outside', () => {
  it('finds what is there now, sorted, and is no call', async () => {
    const calls: SystemCall[] = [];
    const { machine } = machineWith((call) => void calls.push(call));
    const { files } = machine.boot();
    await files.makeDirectory('/a');
    await files.symlink({ target: 'sub/f', path: '/a/z' });
    await files.makeDirectory('/a/sub');
    await files.writeAtomic('/a/sub/f', bytes('text'), { mode: 0o640 });
    const before = calls.length;
    const looked = machine.look('/a').map(({ path, kind, mode, target, bytes: content }) => {
      return [path, kind, mode.toString(8), target, Buffer.from(content).toString()];
    });
    expect(looked).toEqual([
      ['sub', 'directory', '755', '', ''],
      ['sub/f', 'file', '640', '', 'text'],
      ['z', 'symlink', '777', 'sub/f', ''],
    ]);
    expect(calls.length).toBe(before);
  });

  it('finds nothing where there is no directory', async () => {
    const { machine } = machineWith();
    expect(machine.look('/none/at/all')).toEqual([]);
    expect(machine.look('/etc/passwd')).toEqual([]);
  });
});

describe('somebody else on the machine', () => {
  it('writes and takes away at once, durably, without a call, and watches hear of it', async () => {
    const calls: SystemCall[] = [];
    const { clock, machine } = machineWith((call) => void calls.push(call));
    let heard = 0;
    machine.put('/srv/tree/old', 'old');
    machine.boot().watchTree('/srv/tree', { changed: () => heard++ });
    await clock.advance(1);
    const before = { heard, calls: calls.length };
    machine.put('/srv/tree/deep/new', 'new');
    machine.put('/srv/tree/old', undefined);
    expect(calls.length).toBe(before.calls);
    await clock.advance(1);
    expect(heard).toBeGreaterThan(before.heard);
    machine.put('/srv/tree/deep/new', 'newer');
    machine.put('/srv/tree/none', undefined);
    machine.powerLoss();
    expect(
      machine.look('/srv/tree').map(({ path, bytes: content }) => `${path} ${Buffer.from(content)}`),
    ).toEqual(['deep ', 'deep/new newer']);
  });

  it('sees where a call writes, and what, also in a directory that the process has open', async () => {
    const calls: SystemCall[] = [];
    const { machine } = machineWith((call) => {
      calls.push({ ...call, path: machine.placeOf(call.path) });
      return undefined;
    });
    await machine.boot().files.makeDirectory('/a/b', { parents: true });
    await machine.boot().files.writeAtomic('/a/b/f', bytes('text'));
    const writes = calls.filter(({ name }) => name === 'write');
    expect(writes.map(({ bytes: written }) => Buffer.from(written ?? []).toString())).toEqual(['text']);
    expect(writes[0]?.path).toMatch(/^\/a\/b\/[^/]+$/);
  });
});

describe('power loss', () => {
  it('keeps what writeAtomic, makeDirectory, symlink, rename and the removals have reported', async () => {
    const { machine } = machineWith();
    const { files } = machine.boot();
    await files.makeDirectory('/a/b', { parents: true });
    await files.writeAtomic('/a/b/f', bytes('kept'), { mode: 0o640 });
    await files.symlink({ target: 'f', path: '/a/b/link' });
    await files.writeAtomic('/a/old', bytes('moved'));
    await files.rename({ from: '/a/old', to: '/a/b/new' });
    await files.writeAtomic('/a/gone', bytes(''));
    await files.removeFile('/a/gone');
    await files.makeDirectory('/a/tree');
    await files.removeTree('/a/tree');
    const before = await files.walk('/a');
    machine.powerLoss();
    expect(await machine.boot().files.walk('/a')).toEqual(before);
    expect(await textAt(machine, '/a/b/link')).toBe('kept');
  });

  it('loses a write that skipped its sync', async () => {
    const { machine } = machineWith();
    const { files } = machine.boot();
    await files.writeAtomic('/f', bytes('old'), { mode: 0o600 });
    await files.writeAtomic('/f', bytes('new'), { skipSync: true });
    await files.writeAtomic('/g', bytes('new'), { skipSync: true });
    machine.powerLoss();
    expect([await textAt(machine, '/f'), await textAt(machine, '/g')]).toEqual(['old', undefined]);
  });

  it('loses a tree that was made without a sync, and keeps it once its files and directories are synced', async () => {
    const { machine } = machineWith();
    const { files } = machine.boot();
    await files.makeDirectory('/old');
    await files.writeAtomic('/old/f', bytes('kept'));
    for (const tree of ['/lost', '/synced']) {
      await files.makeDirectory(`${tree}/inner`, { parents: true, skipSync: true });
      await files.hardLink({ from: '/old/f', to: `${tree}/f`, skipSync: true });
      await files.writeAtomic(`${tree}/inner/g`, bytes('new'), { skipSync: true });
    }
    for (const path of ['/synced/inner/g', '/synced/inner', '/synced']) await files.sync(path);
    // Makes the names of both trees durable, and nothing of what is in them.
    await files.makeDirectory('/beside');
    machine.powerLoss();
    const after = machine.boot().files;
    expect([await after.list('/lost'), await after.list('/synced')]).toEqual([[], ['f', 'inner']]);
    expect([await textAt(machine, '/synced/f'), await textAt(machine, '/synced/inner/g')]).toEqual([
      'kept',
      'new',
    ]);
    expect(await textAt(machine, '/old/f')).toBe('kept');
  });

  it('keeps modes and owners, of files and directories, but no times', async () => {
    const { machine } = machineWith();
    const { files } = machine.boot();
    await files.writeAtomic('/f', bytes('x'), { mode: 0o600 });
    await files.makeDirectory('/d', { mode: 0o711 });
    const before = await files.stat('/f');
    await files.chmod('/f', 0o640);
    await files.chown('/d', { uid: 7 });
    await files.touch('/f', 5);
    machine.powerLoss();
    const after = machine.boot().files;
    expect(await after.stat('/f')).toMatchObject({ mode: 0o640, mtimeMs: before?.mtimeMs });
    expect(await after.stat('/d')).toMatchObject({ mode: 0o711, uid: 7 });
  });

  it('leaves a file empty whose name was synced and content was not', async () => {
    // What writeAtomic would do without its first sync: the classic way to lose a file.
    const { machine } = machineWith();
    const { files } = machine.boot();
    await files.writeAtomic('/f', bytes('new'), { skipSync: true });
    await files.makeDirectory('/d');
    machine.powerLoss();
    expect(await textAt(machine, '/f')).toBe('');
  });
});

describe('a crash at every single call of a write', () => {
  /** Runs a replacement of /f and goes down at call `deadly`, counting from 0. False when the write was done before. */
  async function dieAt(deadly: number, how: 'crash' | 'powerLoss') {
    const calls: SystemCall[] = [];
    let armed = false;
    const { machine } = machineWith((call) => {
      if (!armed) return undefined;
      calls.push(call);
      return calls.length > deadly ? 'hang' : undefined;
    });
    const { files } = machine.boot();
    await files.writeAtomic('/f', bytes('old'));
    armed = true;
    const written = await Promise.race([
      files.writeAtomic('/f', bytes('new')).then(() => true),
      turnOver().then(() => false),
    ]);
    armed = false;
    machine[how]();
    return { written, calls, text: await textAt(machine, '/f') };
  }

  it.each(['crash', 'powerLoss'] as const)(
    'leaves old or new after %s, and new once reported',
    async (how) => {
      const seen: string[] = [];
      for (let deadly = 0; ; deadly++) {
        const { written, calls, text } = await dieAt(deadly, how);
        expect(['old', 'new']).toContain(text);
        seen.push(`${calls[deadly]?.name}: ${text}`);
        if (!written) continue;
        expect(text).toBe('new');
        break;
      }
      expect(seen).toEqual([
        'lstat: old',
        'open: old',
        'write: old',
        'stat: old',
        'chmod: old',
        'sync: old',
        'close: old',
        'rename: old',
        // Renamed. From here a crash shows the new file; a power loss only once the directory is synced.
        `open: ${how === 'crash' ? 'new' : 'old'}`,
        `sync: ${how === 'crash' ? 'new' : 'old'}`,
        'close: new',
        'undefined: new',
      ]);
    },
  );

  it('reports any failing call, removes the temporary file and keeps the old content until the rename', async () => {
    for (const name of ['lstat', 'open', 'write', 'stat', 'chmod', 'sync', 'close', 'rename']) {
      let armed = false;
      let failed = false;
      const { machine } = machineWith((call) => {
        if (!armed || failed || call.name !== name) return undefined;
        failed = true;
        return { fail: 'ENOSPC' };
      });
      const { files } = machine.boot();
      await files.writeAtomic('/tmp/f', bytes('old'));
      armed = true;
      await expect(files.writeAtomic('/tmp/f', bytes('new'))).rejects.toMatchObject({
        code: 'FILE_WRITE_FAILED',
        message: 'cannot write /tmp/f: no space left on device (ENOSPC)',
      });
      armed = false;
      expect(await files.list('/tmp')).toEqual(['f']);
      expect(await textAt(machine, '/tmp/f')).toBe('old');
    }
  });
});

describe('a dead process', () => {
  it('gets no more answers and has no more effects', async () => {
    const { machine, clock } = machineWith(undefined, () => async (process) => {
      await process.sleep(1_000);
      await process.files.writeAtomic('/tmp/late', bytes(''));
      return 0;
    });
    const { files, processes } = machine.boot();
    const answers: string[] = [];
    const note = (what: string) => () => void answers.push(what);
    void files.writeAtomic('/tmp/f', bytes('x')).then(note('write'), note('write'));
    void processes.run({ argv: ['sleeper'], timeoutMs: 5_000 }).then(note('run'), note('run'));
    machine.crash();
    void files.read('/etc/passwd').then(note('read'), note('read'));
    await clock.advance(100_000);
    expect(answers).toEqual([]);
    expect(await machine.boot().files.list('/tmp')).toEqual([]);
  });
});

describe('faults', () => {
  it('make any read fail, which is never taken for absence, or hang', async () => {
    let fault: ReturnType<FaultHook> = { fail: 'EIO' };
    const { machine } = machineWith(() => fault);
    const { files, processes } = machine.boot();
    for (const read of [files.read, files.stat, files.lstat, files.list, files.walk, files.realPath])
      await expect(read('/nothing')).rejects.toMatchObject({
        code: 'FILE_READ_FAILED',
        params: { errno: 'EIO' },
      });
    await expect(processes.run({ argv: ['x'], timeoutMs: 1 })).rejects.toMatchObject({
      code: 'FILE_READ_FAILED',
    });
    fault = 'hang';
    expect(await Promise.race([files.read('/etc/passwd'), turnOver().then(() => 'no answer')])).toBe(
      'no answer',
    );
  });
});

describe('fake programs', () => {
  it('refuse to become somebody else unless root', async () => {
    const { machine } = machineWith(undefined, () => () => 0);
    const { processes } = machine.boot({ uid: 65_534, gid: 65_534, groupIds: [] });
    await expect(processes.run({ argv: ['x'], user: 'root', timeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'USER_SWITCH_DENIED',
    });
    expect(await processes.run({ argv: ['x'], user: 'nobody', timeoutMs: 1_000 })).toMatchObject({
      exitCode: 0,
    });
  });

  it('that throw end with 1 and say why', async () => {
    const { machine } = machineWith(undefined, () => async (process) => {
      await process.files.writeAtomic('/no/such/directory', bytes(''));
      return 0;
    });
    const result = await machine.boot().processes.run({ argv: ['x'], timeoutMs: 1_000 });
    expect(result.exitCode).toBe(1);
    expect(Buffer.from(result.stderr.bytes).toString()).toContain('ENOENT');
  });
});
