import { describe, expect, it } from 'vitest';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { lineUp } from './line-up.ts';
import type { ConnectionStatus } from './port.ts';

/** A line whose status the test changes. */
function line() {
  const listeners = new Set<(status: ConnectionStatus) => void>();
  let status: ConnectionStatus = 'connecting' as ConnectionStatus;
  return {
    listeners,
    become(next: ConnectionStatus) {
      status = next;
      for (const listener of listeners) listener(next);
    },
    status: () => status,
    failure: () => new Error('refused') as never,
    onStatus(listener: (status: ConnectionStatus) => void) {
      listeners.add(listener);
      return { unsubscribe: () => void listeners.delete(listener) };
    },
  };
}

describe('lineUp', () => {
  it('resolves when the line is up, also where it is already', async () => {
    const one = line();
    const up = lineUp(one);
    one.become('connected');
    await up;
    await lineUp(one);
    expect(one.listeners.size).toBe(0);
  });

  it('rejects with the reason when it is given up', async () => {
    const one = line();
    const up = lineUp(one);
    one.become('closed');
    await expect(up).rejects.toThrow('refused');
    expect(one.listeners.size).toBe(0);
  });

  it('with a limit it ends when the time is over, and listens no more', async () => {
    const [one, clock] = [line(), virtualClock()];
    const up = lineUp(one, { clock, timeoutMs: 1_000 });
    await clock.advance(1_000);
    await up;
    expect([one.status(), one.listeners.size]).toEqual(['connecting', 0]);
  });
});
