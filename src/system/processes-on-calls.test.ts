import { describe, expect, it } from 'vitest';
import { virtualClock } from '../runtime/virtual-clock.ts';
import type { ProcessHandle } from './process-calls.ts';
import { DRAIN_MS, KILL_GRACE_MS, KILL_WAIT_MS } from './processes.ts';
import { processesOn } from './processes-on-calls.ts';

const never = new Promise<never>(() => undefined);

describe('run', () => {
  it('gives up in bounded time on a program that nothing can kill', async () => {
    const clock = virtualClock();
    const sent: string[] = [];
    const zombie: ProcessHandle = {
      exited: never,
      outputClosed: never,
      abandonOutput: () => void sent.push('let go'),
      signalTree: (signal) => void sent.push(`${signal} at ${clock.monotonicMs()}`),
      treeAlive: () => true,
    };
    const processes = processesOn({
      clock,
      calls: { uid: 0, start: async () => zombie, recorded: () => ({ is: 'alive', pid: 7, group: zombie }) },
      accounts: { user: async () => undefined, group: async () => undefined, groupIdsOf: async () => [] },
      files: { stat: async () => ({ kind: 'directory' }) as never },
    });
    const running = processes.run({ argv: ['x'], timeoutMs: 1_000 });
    await clock.advance(1_000 + KILL_GRACE_MS + KILL_WAIT_MS + DRAIN_MS);
    expect(await running).toMatchObject({
      endedBy: 'timeout',
      exitCode: undefined,
      signal: undefined,
      outputLeftOpen: true,
      durationMs: 1_000 + KILL_GRACE_MS + KILL_WAIT_MS + DRAIN_MS,
    });
    expect(sent).toEqual(['SIGTERM at 1000', `SIGKILL at ${1_000 + KILL_GRACE_MS}`, 'let go']);
    const left = processes.endLeftover(new Uint8Array());
    await clock.advance(KILL_GRACE_MS + KILL_WAIT_MS);
    expect(await left).toEqual({ is: 'alive', pid: 7 });
  });
});
