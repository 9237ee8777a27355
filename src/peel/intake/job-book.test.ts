import { beforeEach, describe, expect, it } from 'vitest';
import { encodeKsuid } from '../../runtime/ids.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../runtime/virtual-clock.ts';
import { type MemoryMachine, memoryMachine } from '../../system/memory/memory-machine.ts';
import type { System } from '../../system/system.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { DEDUP_ENTRIES_MAX } from '../../wire/names/limits.ts';
import { dedupCodec } from '../../wire/records/dedup.ts';
import { dedupPath, prepareDataDir } from '../data-dir.ts';
import { type JobBook, openJobBook, SPOOL_JOBS_MAX } from './job-book.ts';

const DIR = '/var/lib/peel';
const RETURN = Uint8Array.of(0x81, 0xa1, 0x61, 0x01);

describe('JobBook', () => {
  let clock: VirtualClock;
  let machine: MemoryMachine;
  let system: System;
  const random = seededRandom(5);
  const jid = (n: number) =>
    encodeKsuid(1_700_000_000_000 + n * 1_000, new Uint8Array(16).fill(n % 251)) as Jid;

  beforeEach(() => {
    clock = virtualClock();
    machine = memoryMachine({ clock, random });
  });

  /** What the next life finds. */
  async function open(): Promise<JobBook> {
    machine.powerLoss();
    system = machine.boot();
    const log = jsonLog({ clock, write: () => undefined });
    await prepareDataDir(system.files, DIR);
    return openJobBook({ system, dataDir: DIR, runtime: { clock, random, log } });
  }

  it('an accepted job is known to the next life, as one without a return', async () => {
    await (await open()).accept(jid(1), 7);
    const book = await open();
    expect([book.epochOf(jid(1)), book.openJobs(), book.unsentReturns()]).toEqual([7, [jid(1)], []]);
  });

  it('a return is known to the next life, under the same message id', async () => {
    const first = await open();
    await first.accept(jid(1), 7);
    await first.finish(jid(1), RETURN);
    const book = await open();
    expect([book.openJobs(), book.unsentReturns()]).toEqual([[], [jid(1)]]);
    const [before, after] = [first.returnOf(jid(1)), book.returnOf(jid(1))];
    expect(after?.messageId).toBe(before?.messageId);
    expect(Uint8Array.from(after?.bytes ?? [])).toEqual(RETURN);
  });

  it('a settled job leaves its file for the dedup record, and its return stays at hand for a while', async () => {
    const book = await open();
    await book.answer(jid(1), 7, RETURN);
    book.settle(jid(1));
    await clock.advance(2_000);
    expect(await system.files.list(`${DIR}/jobs`)).toEqual([]);
    expect(book.returnOf(jid(1))?.bytes).toEqual(RETURN);
    const next = await open();
    expect([next.epochOf(jid(1)), next.unsentReturns(), next.returnOf(jid(1))]).toEqual([7, [], undefined]);
  });

  it('forgets the oldest of more than 4,096, but none that is not settled', async () => {
    const book = await open();
    await book.accept(jid(0), 1);
    for (let n = 1; n <= DEDUP_ENTRIES_MAX + 1; n++) {
      await book.answer(jid(n), 1, RETURN);
      book.settle(jid(n));
      if (n % 500 === 0) await clock.advance(2_000);
    }
    await clock.advance(5_000);
    expect([book.epochOf(jid(0)), book.epochOf(jid(1)), book.epochOf(jid(3))]).toEqual([1, undefined, 1]);
    const stored = dedupCodec.decode((await system.files.read(dedupPath(DIR))) ?? new Uint8Array());
    expect(Object.keys(stored)).toHaveLength(DEDUP_ENTRIES_MAX);
  });

  it('keeps its files for their owner alone', async () => {
    const book = await open();
    await book.accept(jid(1), 7);
    await book.answer(jid(2), 7, RETURN);
    book.settle(jid(2));
    await clock.advance(2_000);
    for (const path of [`${DIR}/jobs/${jid(1)}`, dedupPath(DIR)])
      expect((await system.files.stat(path))?.mode, path).toBe(0o600);
  });

  it('has no room when too many returns wait', async () => {
    const book = await open();
    for (let n = 0; n < SPOOL_JOBS_MAX; n++) await book.answer(jid(n), 1, RETURN);
    expect(book.hasRoom()).toBe(false);
    book.settle(jid(3));
    expect(book.hasRoom()).toBe(true);
  });

  it('a job file that is damaged still counts as accepted; what is no job file is left alone', async () => {
    await open();
    await system.files.writeAtomic(`${DIR}/jobs/${jid(1)}`, Uint8Array.of(0xc1, 1, 2));
    await system.files.writeAtomic(`${DIR}/jobs/README`, Buffer.from('hello'));
    const book = await open();
    expect([book.epochOf(jid(1)), book.openJobs()]).toEqual([0, [jid(1)]]);
  });

  it('leftovers of interrupted writes are swept', async () => {
    await open();
    await system.files.writeAtomic(`${DIR}/jobs/.zester-0123456789abcdef.tmp`, RETURN);
    await open();
    expect(await system.files.list(`${DIR}/jobs`)).toEqual([]);
  });
});
