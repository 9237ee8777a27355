import { describe, expect, it } from 'vitest';
import { jsonLog } from '../../runtime/log.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { ExecQueue, type LaneName, type Task } from './exec-queue.ts';

const log = jsonLog({ clock: virtualClock(), write: () => undefined });

function fixture(limits = { slots: 2, readers: 3 }) {
  const queue = new ExecQueue(limits, log);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const moved: string[] = [];
  const task = (name: string, lane: LaneName): Task => ({
    lane,
    name,
    run: () => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    dismiss: async () => undefined,
    moveUp: (behind) => moved.push(`${name} behind ${behind}`),
  });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, started, moved, task, end };
}

describe('ExecQueue', () => {
  it('one at a time at the worker, in order; readers beside it, so many at a time', async () => {
    const { queue, started, task, end } = fixture();
    for (const name of ['w1', 'w2']) queue.add(task(name, 'worker'));
    for (const name of ['r1', 'r2', 'r3', 'r4']) queue.add(task(name, 'readers'));
    expect(started).toEqual(['w1', 'r1', 'r2', 'r3']);
    await end('w1');
    await end('r2');
    expect(started.slice(4)).toEqual(['w2', 'r4']);
    expect(queue.counts()).toEqual({ queued: 0, running: 4 });
  });

  it('a lane is full when nobody is free and every slot is taken; the other lane does not mind', () => {
    const { queue, task } = fixture();
    for (const name of ['a', 'b', 'c']) queue.add(task(name, 'worker'));
    expect([queue.hasRoom('worker'), queue.hasRoom('readers')]).toEqual([false, true]);
    expect(() => queue.add(task('d', 'worker'))).toThrow(/room/);
  });

  it('knows behind what the next one would wait', async () => {
    const { queue, task, end } = fixture();
    const behind = () => queue.wouldWaitBehind('worker');
    expect(behind()).toBeUndefined();
    queue.add(task('a', 'worker'));
    expect(behind()).toBe('a');
    queue.add(task('b', 'worker'));
    expect([behind(), queue.wouldWaitBehind('readers')]).toEqual(['b', undefined]);
    await end('a');
    expect(behind()).toBe('b');
    await end('b');
    expect(behind()).toBeUndefined();
  });

  it('held, the worker starts nothing and says why, while readers go on', async () => {
    const { queue, started, task } = fixture();
    queue.hold('x');
    for (const name of ['w1', 'w2']) queue.add(task(name, 'worker'));
    queue.add(task('r1', 'readers'));
    expect([started, queue.hasRoom('worker'), queue.heldBy('worker'), queue.heldBy('readers')]).toEqual([
      ['r1'],
      false,
      'x',
      undefined,
    ]);
    queue.release();
    expect([started, queue.heldBy('worker')]).toEqual([['r1', 'w1'], undefined]);
  });

  it('takes back what waits, not what runs', async () => {
    const { queue, started, task, end } = fixture();
    const [running, waiting, last] = [task('a', 'worker'), task('b', 'worker'), task('c', 'worker')];
    for (const each of [running, waiting, last]) queue.add(each);
    expect([queue.withdraw(running), queue.withdraw(waiting), queue.withdraw(waiting)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(queue.withdrawAll()).toEqual([last]);
    const idle = queue.idle();
    await end('a');
    await idle;
    expect(started).toEqual(['a']);
  });

  it('tells the next one what it waits behind when the one before it is taken back', async () => {
    const { queue, moved, task, end } = fixture({ slots: 9, readers: 1 });
    const worker = (name: string) => task(name, 'worker');
    const [a, b, c, d, e] = [worker('a'), worker('b'), worker('c'), worker('d'), worker('e')];
    for (const each of [a, b, c, d, e]) queue.add(each);
    queue.withdraw(c);
    queue.withdraw(b);
    queue.withdraw(e);
    expect(moved).toEqual(['d behind b', 'd behind a']);
    queue.hold('x');
    await end('a');
    queue.add(c);
    queue.withdraw(d);
    expect(moved.at(-1)).toBe('c behind x');
  });

  it('a task that throws does not stop its lane', async () => {
    const { queue, started, task } = fixture();
    const failing = { ...task('failing', 'worker'), run: () => Promise.reject(new Error('boom')) };
    queue.add(failing);
    queue.add(task('next', 'worker'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(['next']);
  });
});
