import { beforeEach, describe, expect, it } from 'vitest';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memoryMachine } from '../../system/memory/memory-machine.ts';
import type { System } from '../../system/system.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { commandsDir, prepareDataDir } from '../data-dir.ts';
import { ExecQueue } from './exec-queue.ts';
import { LeftoverCommands, recordingSystem } from './leftover-commands.ts';

const DATA_DIR = '/data';
const JOB = '2Wd1VpOmb6gf3T5yIfVDVYlwa01' as Jid;
const LONG_MS = 600_000;
const clock = virtualClock();
const random = seededRandom(1);
const log = jsonLog({ clock, write: () => undefined });

let failing: 'open' | 'unlink' | undefined;
let system: System;
let queue: ExecQueue;
let told: (string | undefined)[];

/** A command of the job runs, and the peel that started it is dead. */
beforeEach(async () => {
  failing = undefined;
  told = [];
  queue = new ExecQueue({ slots: 2, readers: 1 }, log);
  const machine = memoryMachine({
    clock,
    random,
    programs: () => async (process) => {
      await process.sleep(LONG_MS);
      return 0;
    },
    fault: ({ name, path }) =>
      name === failing && path?.startsWith(`${commandsDir(DATA_DIR)}/`) === true
        ? { fail: 'EIO' }
        : undefined,
  });
  const before = machine.boot();
  await prepareDataDir(before.files, DATA_DIR);
  const { processes } = recordingSystem(before, DATA_DIR, JOB);
  void processes.run({ argv: ['long'], timeoutMs: LONG_MS });
  await turns();
  machine.crash('live on');
  system = machine.boot();
});

function leftovers(storing: () => void = () => undefined): LeftoverCommands {
  const context = { system, runtime: { clock, random, log }, dataDir: DATA_DIR, queue };
  return new LeftoverCommands(context, [JOB], async (_, { error }) => {
    storing();
    told.push(error);
  });
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A round of looking: the command ends at once, the next round comes after the pause. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    await turns();
    await clock.advance(5_000);
  }
  await turns();
}

const ENDED = expect.stringMatching(/its command \(pid \d+\) was still running and was ended$/);

describe('the row of a job whose command was left over', () => {
  it('that cannot be stored keeps changes waiting for just that, and then says what was ended', async () => {
    let isFull = true;
    const commands = leftovers(() => {
      if (isFull) throw new Error('ENOSPC');
    });
    await commands.start();
    await rounds(2);
    expect(queue.heldBy('worker')).toBe(`interrupted job ${JOB}, whose return cannot be stored`);
    expect(await system.files.list(commandsDir(DATA_DIR))).toHaveLength(1);
    isFull = false;
    await rounds(2);
    expect([told, queue.heldBy('worker')]).toEqual([[ENDED], undefined]);
    expect(await system.files.list(commandsDir(DATA_DIR))).toEqual([]);
  });

  it('has its scripts taken away, once its commands are gone', async () => {
    const script = `/tmp/zester-script-${JOB}-0`;
    await system.files.makeDirectory(script, { parents: true });
    await system.files.writeAtomic(`${script}/script`, Buffer.from('with a secret'));
    failing = 'open';
    await leftovers().start();
    await rounds(2);
    expect(await system.files.list('/tmp')).toHaveLength(1);
    failing = undefined;
    await rounds(2);
    expect(await system.files.list('/tmp')).toEqual([]);
  });

  it('waits for a record that cannot be read', async () => {
    failing = 'open';
    await leftovers().start();
    await rounds(2);
    expect([told, queue.heldBy('worker')]).toEqual([
      [],
      `a command of interrupted job ${JOB}, which cannot be looked at`,
    ]);
    failing = undefined;
    await rounds(2);
    expect([told, queue.heldBy('worker')]).toEqual([[ENDED], undefined]);
  });

  it('is told once, and changes go on, though the record cannot be removed', async () => {
    failing = 'unlink';
    await leftovers().start();
    await rounds(2);
    expect([told, queue.heldBy('worker')]).toEqual([[ENDED], undefined]);
  });
});
