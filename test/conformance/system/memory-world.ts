/** `memoryWorld` puts the machine in memory through the conformance suites. */
import { isZesterError } from '../../../src/core/errors/zester-error.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import { errnoOf } from '../../../src/system/errno.ts';
import type { Files } from '../../../src/system/files.ts';
import { memoryMachine } from '../../../src/system/memory/memory-machine.ts';
import type { FakeProgram } from '../../../src/system/memory/memory-process-calls.ts';
import type { NobodyAnswer, NobodyCall, Programs, World } from './world.ts';

const NOBODY = { uid: 65_534, gid: 65_534, groupIds: [65_534] };
const TURNS_MAX = 100_000;

export async function memoryWorld(): Promise<World> {
  const clock = virtualClock();
  let renameReached: (() => void) | undefined;
  const machine = memoryMachine({
    clock,
    random: seededRandom(1),
    programs: ([name = '']) => fakePrograms[name],
    fault: ({ name }) => {
      if (name !== 'rename' || renameReached === undefined) return undefined;
      renameReached();
      return 'hang';
    },
  });
  const system = machine.boot();
  const directory = '/var/work';
  await system.files.makeDirectory(directory);

  return {
    system,
    directory,
    root: true,
    programs,
    makePipe: machine.makePipe,
    asNobody: (call) => answerOf(machine.boot(NOBODY).files, call),
    async dieBeforeRename(path, text) {
      await new Promise<void>((resolve) => {
        renameReached = resolve;
        // Never answered again: to everybody else that is a process that died here.
        void system.files.writeAtomic(path, Buffer.from(text));
      });
      renameReached = undefined;
    },
    async drive(promise) {
      let settled = false;
      const mark = () => {
        settled = true;
      };
      promise.then(mark, mark);
      for (let turn = 0; turn < TURNS_MAX; turn++) {
        await turnOver();
        if (settled) return promise;
        clock.fireNext();
      }
      throw new Error('nothing left to wait for');
    },
    async until(condition) {
      for (let turn = 0; turn < TURNS_MAX; turn++) {
        if (await condition()) return;
        await turnOver();
      }
      throw new Error('the condition never came true');
    },
    isAlive: machine.isAlive,
    endProcess: () => machine.crash(),
    close: async () => undefined,
  };
}

/** Lets everything that is ready run. */
function turnOver(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function answerOf(files: Files, { method, path }: NobodyCall): Promise<NobodyAnswer> {
  const calls = {
    read: () => files.read(path),
    list: () => files.list(path),
    lstat: () => files.lstat(path),
    removeFile: async () => (await files.removeFile(path)) || undefined,
    chmod: async () => files.chmod(path, 0o777).then(() => true),
    writeAtomic: async () => files.writeAtomic(path, Buffer.from('')).then(() => true),
  };
  try {
    return { answer: (await calls[method]()) === undefined ? 'absent' : 'done' };
  } catch (error) {
    return { code: isZesterError(error) ? error.code : String(error), errno: errnoOf(error) ?? '' };
  }
}

const programs: Programs = {
  speak: ({ out = '', err = '', exitCode = 0 }) => ({ argv: ['speak', out, err, `${exitCode}`] }),
  copy: () => ({ argv: ['copy'] }),
  flood: (bytes) => ({ argv: ['flood', `${bytes}`] }),
  environment: () => ({ argv: ['environment'] }),
  identity: () => ({ argv: ['identity'] }),
  suicide: () => ({ argv: ['suicide'] }),
  family: (ready) => ({ argv: ['family', ready] }),
  stubborn: (ready) => ({ argv: ['stubborn', ready] }),
  forsaking: (ready) => ({ argv: ['forsaking', ready] }),
  daemon: () => ({ argv: ['daemon'] }),
};

const sleeper: FakeProgram = async (process) => {
  await process.sleep(1_000_000);
  return 0;
};

const fakePrograms: Readonly<Record<string, FakeProgram>> = {
  speak: (process) => {
    const [, out = '', err = '', exitCode = ''] = process.argv;
    process.print(out);
    process.printError(err);
    return Number(exitCode);
  },
  copy: (process) => {
    process.print(process.stdin);
    return 0;
  },
  flood: (process) => {
    process.print(new Uint8Array(Number(process.argv[1])));
    return 0;
  },
  environment: (process) => {
    for (const [name, value] of Object.entries(process.env)) process.print(`${name}=${value}\n`);
    return 0;
  },
  identity: ({ as, cwd, print }) => {
    print(`${as.uid}\n${as.gid}\n${as.groupIds.join(' ')}\n${cwd}\n`);
    return 0;
  },
  suicide: (process) => process.die('SIGKILL'),
  family: async (process) => {
    const pids = [process.fork(sleeper), process.fork(sleeper)];
    process.fork(async (child) => {
      child.print(`${child.fork(sleeper)}\n`);
      return sleeper(child);
    });
    process.fork((child) => {
      child.print(`${child.fork(sleeper)}\n`);
      return 0;
    });
    process.print(`${pids.join('\n')}\n${process.pid}\n`);
    // The children run before this answers, and the grandchild is among the pids then.
    await process.files.writeAtomic(process.argv[1] ?? '', new Uint8Array());
    return sleeper(process);
  },
  stubborn: async (process) => {
    process.ignoreTerm();
    process.print(`${process.pid}\n`);
    await process.files.writeAtomic(process.argv[1] ?? '', new Uint8Array());
    return sleeper(process);
  },
  forsaking: async (process) => {
    const ready = process.argv[1] ?? '';
    process.print(`${process.fork(sleeper)}\n${process.pid}\n`);
    await process.files.writeAtomic(ready, new Uint8Array());
    while ((await process.files.lstat(`${ready}.die`)) === undefined) await process.sleep(10);
    return process.die('SIGPIPE');
  },
  daemon: (process) => {
    process.print(`${process.fork(sleeper)}\n`);
    return 0;
  },
  // All the shell that the suite asks for.
  '/bin/sh': ({ argv, print }) => {
    if (argv[2] === 'echo "$((1 + 2))"; exit 4') print('3\n');
    return 4;
  },
};
